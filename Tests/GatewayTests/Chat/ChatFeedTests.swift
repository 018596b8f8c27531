// SPDX-License-Identifier: Apache-2.0
// The order of a channel's messages, whatever the broker does.

import Domain
import Support
import Testing

@testable import GatewayService

/// What happened to a message: it was sent, or changed.
struct ChannelNews: Equatable {
    let seq: Int64
    let change: Int64
    let isNew: Bool
}

/// A channel as chat has it.
struct TrueChannel {
    private(set) var last: Int64 = 0
    private(set) var change: Int64 = 0
    /// By number, the change by which each message came to be as it is.
    private(set) var states: [Int64: Int64] = [:]

    mutating func happen(_ random: inout TestSeed) -> ChannelNews {
        change += 1
        if last == 0 || random.chance(2, in: 3) {
            last += 1
            states[last] = change
            return ChannelNews(seq: last, change: change, isNew: true)
        }
        let seq = Int64.random(in: 1...last, using: &random)
        states[seq] = change
        return ChannelNews(seq: seq, change: change, isNew: false)
    }

    func after(_ seq: Int64, _ limit: Int) -> [ChannelFeed<Int64>.Fetched] {
        guard seq < last else { return [] }
        return (seq + 1...last).prefix(limit).map(fetched)
    }

    func changed(after change: Int64, _ limit: Int) -> [ChannelFeed<Int64>.Fetched] {
        states.filter { $0.value > change }.sorted { $0.value < $1.value }.prefix(limit).map { fetched($0.key) }
    }

    private func fetched(_ seq: Int64) -> ChannelFeed<Int64>.Fetched {
        let state = states[seq] ?? 0
        return ChannelFeed.Fetched(seq: seq, change: state, asNew: state, asChange: state)
    }
}

@Suite struct ChatFeedTests {
    @Test(arguments: TestSeed.list(0..<400)) func deliversEachMessageOnceInOrderWhateverHappens(_ seed: UInt64) {
        var random = TestSeed(seed)
        var truth = TrueChannel()
        for _ in 0..<Int.random(in: 0...5, using: &random) { _ = truth.happen(&random) }
        var feed = ChannelFeed<Int64>()
        feed.begin(last: truth.last, change: truth.change)
        let start = truth.last
        var seen = truth.states
        var next = truth.last + 1
        var wire: [ChannelNews] = []
        var questions: [ChannelFeed<Int64>.Action] = []
        var isLinked = true

        func take(_ actions: [ChannelFeed<Int64>.Action]) {
            for action in actions {
                switch action {
                case .message(let seq, _, let state):
                    #expect(seq == next)
                    next += 1
                    seen[seq] = state
                case .change(let seq, _, let state):
                    #expect(seq < next)
                    #expect(state > seen[seq] ?? 0)
                    seen[seq] = state
                case .fetch, .fetchChanges: questions.append(action)
                case .resync: Issue.record("too much for nothing")
                }
            }
        }
        func answerOne() {
            guard !questions.isEmpty else { return }
            let question = questions.remove(at: Int.random(in: 0..<questions.count, using: &random))
            switch question {
            case .fetch(let after):
                if random.chance(1, in: 5) {
                    feed.fetchFailed()
                } else {
                    take(feed.fetched(truth.after(after, ChannelFeed<Int64>.page)))
                }
            case .fetchChanges(let after):
                if random.chance(1, in: 5) {
                    feed.fetchOfChangesFailed()
                } else {
                    take(feed.fetchedChanges(truth.changed(after: after, ChannelFeed<Int64>.page)))
                }
            default: break
            }
        }
        func arrive(_ news: ChannelNews) {
            if news.isNew {
                take(feed.message(seq: news.seq, change: news.change, news.change))
            } else {
                take(feed.change(seq: news.seq, change: news.change, news.change))
            }
        }

        for _ in 0..<200 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5:
                let news = truth.happen(&random)
                // A message may be lost even so, and is missed when the next one comes.
                if isLinked, !news.isNew || !random.chance(1, in: 8) { wire.append(news) }
                if isLinked, random.chance(1, in: 8) { wire.append(news) }
            case 5..<9: if !wire.isEmpty { arrive(wire.removeFirst()) }
            case 9:
                if wire.count > 1, random.chance(1, in: 3) {
                    arrive(wire.remove(at: 1))
                    arrive(wire.removeFirst())
                }
                answerOne()
            case 10:
                answerOne()
                take(feed.retry())
            default:
                guard random.chance(1, in: 3) else { continue }
                isLinked.toggle()
                feed.lost()
                if isLinked {
                    take(feed.position(last: truth.last, change: truth.change))
                } else {
                    wire.removeAll()
                }
            }
        }
        for news in wire { arrive(news) }
        feed.lost()
        take(feed.position(last: truth.last, change: truth.change))
        for _ in 0..<200 {
            answerOne()
            take(feed.retry())
        }
        #expect(next == truth.last + 1)
        #expect(seen == truth.states)
        #expect(feed.heldCount == 0)
        #expect(start <= truth.last)
    }

    @Test func fillsAGap() {
        var feed = ChannelFeed<String>()
        feed.begin(last: 4, change: 4)
        #expect(Told(feed.message(seq: 7, change: 7, "7")) == Told(fetches: [4]))
        #expect(Told(feed.message(seq: 6, change: 6, "6")) == Told())
        #expect(Told(feed.message(seq: 5, change: 5, "5")) == Told(items: ["5", "6", "7"]))
        // What was asked for comes too late to be of use.
        let old = ChannelFeed.Fetched(seq: 5, change: 5, asNew: "again", asChange: "again")
        #expect(Told(feed.fetched([old])) == Told())
        #expect(Told(feed.message(seq: 7, change: 7, "7")) == Told())
        #expect(Told(feed.message(seq: 8, change: 8, "8")) == Told(items: ["8"]))
    }

    @Test func aChangeWaitsForItsMessage() {
        var feed = ChannelFeed<String>()
        feed.begin(last: 1, change: 1)
        #expect(Told(feed.change(seq: 1, change: 2, "edit 1")) == Told(items: ["edit 1"]))
        #expect(Told(feed.change(seq: 2, change: 4, "edit 2")) == Told(fetches: [1]))
        #expect(Told(feed.message(seq: 2, change: 3, "2")) == Told(items: ["2", "edit 2"]))
        #expect(Told(feed.change(seq: 2, change: 4, "edit 2")) == Told())
    }

    @Test func tooMuchIsNotFetched() {
        var feed = ChannelFeed<String>()
        feed.begin(last: 1, change: 1)
        feed.lost()
        let told = Told(feed.position(last: 5000, change: 6000))
        #expect(told.resyncs == [5000])
        #expect(Told(feed.message(seq: 5001, change: 6001, "5001")) == Told(items: ["5001"]))
    }

    @Test func whatCannotBeHadDoesNotStopTheRest() {
        var feed = ChannelFeed<String>()
        feed.begin(last: 1, change: 1)
        _ = feed.message(seq: 3, change: 3, "3")
        var told = Told()
        for _ in 0..<10 where feed.isFetching { told = Told(feed.fetched([])) }
        #expect(told.resyncs == [3])
        #expect(Told(feed.message(seq: 4, change: 4, "4")) == Told(items: ["4"]))
    }

    @Test func numbersFromNowhereDoNoHarm() {
        var feed = ChannelFeed<String>()
        feed.begin(last: .max, change: .max)
        feed.begin(last: -5, change: -5)
        #expect(feed.next == 1)
        #expect(Told(feed.message(seq: .max, change: .max, "x")) == Told())
        #expect(Told(feed.message(seq: -1, change: 0, "x")) == Told())
        feed.lost()
        #expect(Told(feed.position(last: .max, change: .max)).resyncs.isEmpty)
    }
}

/// What a feed did, in a form that can be compared.
private struct Told: Equatable {
    var items: [String] = []
    var fetches: [Int64] = []
    var resyncs: [Int64] = []

    init(items: [String] = [], fetches: [Int64] = []) {
        self.items = items
        self.fetches = fetches
    }

    init(_ actions: [ChannelFeed<String>.Action]) {
        for action in actions {
            switch action {
            case .message(_, _, let item), .change(_, _, let item): items.append(item)
            case .fetch(let after): fetches.append(after)
            case .fetchChanges: break
            case .resync(let last, _): resyncs.append(last)
            }
        }
    }
}
