// SPDX-License-Identifier: Apache-2.0
// What one connection gets, however what it missed and what comes live fall together.

import Domain
import Support
import Testing

@testable import GatewayService

@Suite struct ChatCatchUpTests {
    private static let channel = ChannelID(7)

    /// A connection of the simulation: what it had, what it was sent.
    private struct Client {
        var catchUp = CatchUp<ChannelNews>()
        var had: Int64
        var hadChange: Int64
        var next: Int64
        var states: [Int64: Int64]
        var isAsking = false

        mutating func take(_ news: ChannelNews, asChange: Bool = false) {
            if news.isNew, !asChange {
                #expect(news.seq == next)
                next = news.seq + 1
            } else {
                #expect(news.seq < next)
                #expect(news.change > states[news.seq] ?? 0)
            }
            states[news.seq] = news.change
        }
    }

    @Test(arguments: TestSeed.list(10_000..<10_400)) func everyConnectionGetsExactlyItsMessages(_ seed: UInt64) {
        var random = TestSeed(seed)
        var truth = TrueChannel()
        var history: [[Int64: Int64]] = [[:]]
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            _ = truth.happen(&random)
            history.append(truth.states)
        }
        var feed = ChannelFeed<ChannelNews>()
        var clients: [Client] = []
        var wire: [ChannelNews] = []
        var fetches: [Int64] = []

        func take(_ actions: [ChannelFeed<ChannelNews>.Action]) {
            for action in actions {
                switch action {
                case .message(let seq, let change, let news):
                    offer(.message(ChatCatchUpTests.channel, seq: seq, change: change), news)
                case .change(let seq, let change, let news):
                    offer(.change(ChatCatchUpTests.channel, seq: seq, change: change), news)
                case .fetch(let after): fetches.append(after)
                case .fetchChanges, .resync: Issue.record("nothing of the kind was to be asked for")
                }
            }
            for index in clients.indices { settle(index) }
        }
        func offer(_ kind: CatchUp<ChannelNews>.Kind, _ news: ChannelNews) {
            for index in clients.indices {
                switch clients[index].catchUp.offer(kind, news) {
                case .emit: clients[index].take(news)
                case .emitAsChange: clients[index].take(news, asChange: true)
                case .keep, .drop: break
                case .overflow: Issue.record("too much")
                }
            }
        }
        func settle(_ index: Int) {
            guard let next = feed.next else { return }
            clients[index].catchUp.settle(ChatCatchUpTests.channel, next: next, change: feed.change)
        }
        func connect() {
            // The client was here some time ago, and has everything until then.
            let moment = Int.random(in: 0..<history.count, using: &random)
            let had = Int64(history[moment].count)
            clients.append(Client(had: had, hadChange: Int64(moment), next: had + 1, states: history[moment]))
            clients[clients.count - 1].isAsking = true
            feed.begin(last: truth.last, change: truth.change)
        }
        func answer(_ index: Int) {
            guard clients[index].isAsking else { return }
            clients[index].isAsking = false
            let had = clients[index].had
            for message in truth.after(had, .max) {
                clients[index].take(ChannelNews(seq: message.seq, change: message.change, isNew: true))
            }
            for message in truth.changed(after: clients[index].hadChange, .max) where message.seq <= had {
                clients[index].take(ChannelNews(seq: message.seq, change: message.change, isNew: false))
            }
            clients[index].catchUp.replayed(ChatCatchUpTests.channel, last: truth.last, change: truth.change)
            for (news, isChange) in clients[index].catchUp.finish() { clients[index].take(news, asChange: isChange) }
            settle(index)
        }
        func arrive(_ news: ChannelNews) {
            if news.isNew {
                take(feed.message(seq: news.seq, change: news.change, news))
            } else {
                take(feed.change(seq: news.seq, change: news.change, news))
            }
        }
        func fetched() {
            guard let after = fetches.popLast() else { return }
            take(
                feed.fetched(
                    truth.after(after, 200).map { message in
                        let news = ChannelNews(seq: message.seq, change: message.change, isNew: true)
                        return ChannelFeed.Fetched(seq: news.seq, change: news.change, asNew: news, asChange: news)
                    }
                )
            )
        }

        for _ in 0..<200 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                let news = truth.happen(&random)
                history.append(truth.states)
                if !news.isNew || !random.chance(1, in: 10) { wire.append(news) }
                if random.chance(1, in: 10) { wire.append(news) }
            // Before anybody is here nothing is listened to, and it passes by.
            case 4..<8:
                if !wire.isEmpty {
                    let news = wire.removeFirst()
                    if !clients.isEmpty { arrive(news) }
                }
            case 8: if clients.count < 6 { connect() }
            case 9, 10: if !clients.isEmpty { answer(Int.random(in: 0..<clients.count, using: &random)) }
            default: fetched()
            }
        }
        if clients.isEmpty { connect() }
        for news in wire { arrive(news) }
        for index in clients.indices { answer(index) }
        // One more message shows whatever is missing before it.
        var last = truth.happen(&random)
        while !last.isNew {
            arrive(last)
            last = truth.happen(&random)
        }
        arrive(last)
        for _ in 0..<50 { fetched() }
        for client in clients {
            #expect(client.next == truth.last + 1)
            #expect(client.states == truth.states)
            #expect(client.catchUp.positions.isEmpty)
        }
    }

    @Test func keepsLittle() {
        var catchUp = CatchUp<Int>()
        for index in 0..<CatchUp<Int>.most { #expect(catchUp.offer(.other, index) == .keep) }
        #expect(catchUp.offer(.other, 0) == .overflow)
        #expect(catchUp.finish().count == CatchUp<Int>.most)
        #expect(catchUp.offer(.other, 0) == .emit)
    }

    @Test func aResyncIsOnlyForThoseWhoNeedIt() {
        var ahead = CatchUp<Int>()
        ahead.replayed(ChannelID(1), last: 10, change: 10)
        _ = ahead.finish()
        #expect(ahead.offer(.resync(ChannelID(1), last: 10), 0) == .drop)
        #expect(ahead.offer(.resync(ChannelID(1), last: 11), 0) == .emit)
        #expect(ahead.positions.isEmpty)
    }
}
