// SPDX-License-Identifier: Apache-2.0
// One budget given out by several gateways: not more than once, whatever comes late, is lost or starts anew.

import Domain
import Events
import Messaging
import ServiceKit
import ServiceLifecycle
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct SharedBudgetTests {
    // MARK: The rule

    /// Gateways as their windows alone, with messages that take a while and time that is only counted.
    private struct World {
        struct Told {
            let due: Double
            let to: Int
            let spending: Spending
        }

        var windows: [RateWindow]
        var told: [Told] = []
        var lastSent: [Double]
        var accepted = 0
        var early = 0

        init(gateways: Int, limit: Int) {
            windows = (0..<gateways).map { _ in RateWindow(limit: limit, length: 300_000) }
            lastSent = windows.map { _ in -1000 }
        }

        mutating func ask(_ gateway: Int, at time: Double) {
            let budget = windows[gateway].take(1, now: Milliseconds(time), gateways: windows.count)
            if budget?.isAllowed == true { accepted += 1 } else if budget?.remaining ?? 0 > 0 { early += 1 }
        }

        /// Sends what is new, at most every 10 ms, and hands over what has arrived.
        mutating func pass(until time: Double, seed: inout TestSeed) {
            for index in windows.indices where windows[index].hasNews && time - lastSent[index] >= 10 {
                guard let spending = windows[index].news(of: "g\(index)") else { continue }
                lastSent[index] = time
                for other in windows.indices {
                    told.append(Told(due: time + Double.random(in: 1...8, using: &seed), to: other, spending: spending))
                }
            }
            for message in told where message.due <= time {
                windows[message.to].hear(message.spending, gatewayID: "g\(message.to)", now: Milliseconds(time))
            }
            told.removeAll { $0.due <= time }
        }
    }

    @Test(arguments: TestSeed.list([1, 2, 3]), [0.5, 5, 30])
    func threeGatewaysGiveABudgetOnce(_ number: UInt64, requestsInAMillisecond: Double) {
        var seed = TestSeed(number)
        var world = World(gateways: 3, limit: 300)
        var time = 0.0
        while time < 2000 {
            time += Double.random(in: 0...2, using: &seed) / requestsInAMillisecond
            world.ask(Int.random(in: 0..<3, using: &seed), at: time)
            world.pass(until: time, seed: &seed)
        }
        #expect(world.accepted >= 300 - 3 && world.accepted <= 315, "\(world.accepted) of 300")
    }

    /// Whoever asks at one gateway only, at a pace that a client can have, gets all of it and nothing is refused early.
    @Test func aSingleClientNoticesNothing() {
        var seed = TestSeed()
        var world = World(gateways: 3, limit: 300)
        for step in 0..<1000 {
            if step.isMultiple(of: 20) { world.ask(0, at: Double(step)) }
            world.pass(until: Double(step), seed: &seed)
        }
        #expect(world.accepted == 50 && world.early == 0)
        // A page that opens with thirty requests at once.
        for _ in 0..<30 { world.ask(0, at: 1001) }
        #expect(world.accepted == 80 && world.early == 0)
    }

    @Test func oneThatStartsAnewLearnsWhatWasGiven() throws {
        var windows = [RateWindow(limit: 10, length: 1000), RateWindow(limit: 10, length: 1000)]
        for _ in 0..<3 { #expect(windows[0].take(1, now: 0)?.isAllowed == true) }
        let news = windows[0].news(of: "old")
        let told = try #require(news)
        windows[1].hear(told, gatewayID: "other", now: 0)
        // The old one ends; its successor asks the other.
        var successor = RateWindow(limit: 10, length: 1000)
        for spending in windows[1].everything(of: "other", now: 10) {
            successor.hear(spending, gatewayID: "new", now: 10)
            // Twice is no more than once.
            successor.hear(spending, gatewayID: "new", now: 10)
        }
        #expect(successor.take(1, now: 20, peek: true)?.remaining == 7)
        // What belongs to another window is none of this one's business.
        successor.hear(told, gatewayID: "new", now: 1000)
        #expect(successor.take(1, now: 1000, peek: true)?.remaining == 10)
    }

    @Test func whatIsLostIsToldAgain() throws {
        var window = RateWindow(limit: 100, length: 1000)
        _ = window.take(1, now: 0, gateways: 2)
        // First told, then nothing new, told again because nobody heard it, and after that no more.
        let first = window.news(of: "a")
        let second = window.news(of: "a")
        window.repeatUnheard()
        let third = window.news(of: "a")
        #expect(first?.counts == [1: 1] && second == nil)
        let again = try #require(third)
        #expect(again.counts == [1: 1])
        window.hear(again, gatewayID: "a", now: 1)
        window.repeatUnheard()
        let last = window.news(of: "a")
        #expect(last == nil)
    }

    @Test func nonsenseOfAnotherHarmsNobody() {
        var window = RateWindow(limit: 10, length: 1000)
        for total in [Int.min, -1, Int.max, Int.max] {
            window.hear(Spending(gatewayID: "x", window: 0, counts: [1: total]), gatewayID: "me", now: 0)
        }
        for index in 0..<1000 {
            window.hear(Spending(gatewayID: "x\(index)", window: 0, counts: [1: .max]), gatewayID: "me", now: 0)
        }
        #expect(window.take(1, now: 0)?.isAllowed == false)
        #expect(window.take(2, now: 0)?.isAllowed == true)
    }

    @Test func allGatewaysKnowAnAccountByTheSameNumber() {
        let (one, other) = (StableHash(secret: "a"), StableHash(secret: "a"))
        #expect(one.hash(1, 7) == other.hash(1, 7))
        #expect(one.hash(1, 7) != one.hash(2, 7) && one.hash(1, 7) != one.hash(1, 8))
        #expect(one.hash(1, 7) != StableHash(secret: "b").hash(1, 7))
    }

    // MARK: With a broker

    private func withGateway(
        _ broker: TestBroker,
        _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        try await TestGateway.run(
            on: broker,
            ["MADANG_RATE_LIMIT_ACCOUNT": "\(Self.limit)"],
            now: Timestamp.startOfWindow,
            body
        )
    }

    /// How many of `count` requests over one connection are let through.
    private func accepted(_ gateway: TestGateway, _ count: Int) async throws -> Int {
        let client = try await gateway.client()
        var accepted = 0
        for _ in 0..<count {
            let answer = try await client.ask(
                "GET /api/v1/timelines/home HTTP/1.1\nHost: a\nAuthorization: Bearer good-7-9\n\n"
            )
            if answer.hasPrefix("HTTP/1.1 200 ") { accepted += 1 }
        }
        await client.close()
        return accepted
    }

    private static let limit = 200

    /// Whether a gateway knows what all have given, but for what is so little that it is not told; of what is given beyond the limit,
    /// while it was asked of all at once, nobody speaks.
    private func known(to gateway: TestGateway, _ total: Shared<Int>) -> Bool {
        gateway.dependencies.limiter.given(to: 7, now: Timestamp.startOfWindow())
            >= min(total.value.withLock { $0 }, Self.limit) - 3
    }

    @Test func threeGatewaysAndARestartGiveNoMoreThanTheLimit() async throws {
        try await withTestBroker { broker in
            let total = Shared(0)
            try await withGateway(broker) { first in
                try await withGateway(broker) { second in
                    try await withGateway(broker) { third in
                        let all = [first, second, third]
                        try await eventually("all of them knowing of each other") {
                            all.allSatisfy { $0.dependencies.limiter.gatewayCount == 3 }
                        }
                        try await withThrowingTaskGroup(of: Int.self) { tasks in
                            for gateway in all { tasks.addTask { try await accepted(gateway, 150) } }
                            for try await count in tasks { total.value.withLock { $0 += count } }
                        }
                        try await eventually("the others knowing what was given") {
                            known(to: first, total) && known(to: second, total)
                        }
                    }
                    // The third has ended, and another starts in its place.
                    try await withGateway(broker) { successor in
                        try await eventually("the successor knowing what was given") { known(to: successor, total) }
                        @Sendable func ask(_ count: Int) async throws -> Int {
                            var more = 0
                            for gateway in [successor, first, second] { more += try await accepted(gateway, count) }
                            return total.value.withLock { total in
                                total += more
                                return total
                            }
                        }
                        // Each gives what the others have heard of, so that the rest takes as long as messages do.
                        try await eventually("the budget being given") { try await ask(20) >= 180 }
                        _ = try await ask(100)
                    }
                }
            }
            let given = total.value.withLock { $0 }
            #expect(given >= 180 && given <= 210, "\(given) of \(Self.limit)")
        }
    }
}
