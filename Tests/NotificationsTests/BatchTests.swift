// SPDX-License-Identifier: Apache-2.0
// Events that come together leave what they leave when each comes alone.

import Domain
import Events
import Foundation
import Outbox
import Postgres
import Support
import Testing

@testable import NotificationsService

@Suite(.serialized) struct BatchTests {
    /// What the tables hold and what open connections heard.
    private struct Outcome: Sendable, Equatable {
        var tables: [String] = []
        /// Of each the kind, the account and the payload without the id.
        var heard: [String] = []
    }

    private func outcome(_ body: @Sendable (Stage) async throws -> Void) async throws -> Outcome {
        let box = Box(Outcome())
        try await Stage.run { stage in
            try await body(stage)
            let heard = try await stage.notified().map { told in
                let payload = String(decoding: told.update.payload, as: UTF8.self)
                return "\(told.type) \(told.accountID) "
                    + payload.replacingOccurrences(of: told.notificationID.description, with: "id")
            }
            box.value = Outcome(tables: try await stage.dump(), heard: heard)
        }
        return box.value
    }

    private func expectTheSame(_ history: [Happening], after before: [Happening] = []) async throws {
        let alone = try await outcome { stage in
            try await stage.apply(before)
            try await stage.apply(history)
        }
        let together = try await outcome { stage in
            try await stage.apply(before)
            try await stage.apply(together: history)
        }
        #expect(!alone.tables.isEmpty)
        #expect(Set(together.tables).symmetricDifference(alone.tables).sorted() == [])
        #expect(together.heard.count == alone.heard.count)
        for (together, alone) in zip(together.heard, alone.heard) { #expect(together == alone) }
    }

    /// Some posts, each with readers who like and boost it.
    private static func favourites(naming: [AccountID] = [9]) -> (
        before: [Happening], history: [Happening], world: World
    ) {
        var world = World()
        for post in 901...904 as ClosedRange<Int64> {
            world.post(PostID(post), by: AccountID(post - 900), mentioning: post == 904 ? naming : [])
        }
        let before = world.history
        for reader in 1...16 as ClosedRange<Int64> {
            world.like(PostID(901 + reader % 4), by: AccountID(reader))
            if reader.isMultiple(of: 3) { world.boost(PostID(901 + reader % 2), by: AccountID(reader)) }
        }
        return (before, Array(world.history[before.count...]), world)
    }

    @Test func `favourites and boosts`() async throws {
        let (before, history, _) = BatchTests.favourites()
        try await expectTheSame(history, after: before)
        // Before the posts are known.
        try await expectTheSame(BatchTests.favourites(naming: []).history)
    }

    @Test func `follows, requests, and the end of some`() async throws {
        var world = World()
        for reader in 2...12 as ClosedRange<Int64> {
            world.follow(1, by: AccountID(reader))
            world.requestToFollow(AccountID(reader), by: 1)
        }
        let before = world.history
        for reader in 2...12 as ClosedRange<Int64> {
            if reader.isMultiple(of: 2) { world.unfollow(1, by: AccountID(reader)) }
            if reader.isMultiple(of: 3) { world.closeRequest(to: AccountID(reader), by: 1) }
            world.follow(20, by: AccountID(reader))
        }
        try await expectTheSame(Array(world.history[before.count...]), after: before)
    }

    @Test func `favourites and boosts that are taken back`() async throws {
        let (before, history, _) = BatchTests.favourites()
        var world = World()
        for post in 901...904 as ClosedRange<Int64> { world.post(PostID(post), by: AccountID(post - 900)) }
        for _ in 0..<50 { for post in 901...904 as ClosedRange<Int64> { world.edit(PostID(post), "Changed") } }
        let earlier = world.history.count
        for reader in 1...16 as ClosedRange<Int64> {
            world.unlike(PostID(901 + reader % 4), by: AccountID(reader))
            world.unboost(PostID(901 + reader % 2), by: AccountID(reader))
        }
        try await expectTheSame(Array(world.history[earlier...]), after: before + history)
    }

    @Test func `posts, answers and edits that name people`() async throws {
        var world = World()
        for post in 901...916 as ClosedRange<Int64> {
            world.post(
                PostID(post),
                by: AccountID(post % 5 + 1),
                mentioning: [AccountID(post % 7 + 1), 9],
                answering: post > 908 ? PostID(post - 8) : nil
            )
        }
        try await expectTheSame(world.history)
        let before = world.history
        for post in 901...908 as ClosedRange<Int64> { world.edit(PostID(post), "Changed", mentioning: [10, 11]) }
        try await expectTheSame(Array(world.history[before.count...]), after: before)
    }

    @Test func `nobody hears of what the same batch takes away`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            world.post(902, by: 1)
            try await stage.apply(world.history)
            let before = world.history.count
            world.like(901, by: 2)
            world.delete(901)
            world.like(902, by: 2)
            world.unlike(902, by: 2)
            world.like(902, by: 3)
            world.block(3, by: 1)
            world.like(902, by: 4)
            try await stage.apply(together: Array(world.history[before...]))
            #expect(try await stage.list(1).map(\.summary) == ["favourite 4 902"])
            #expect(try await stage.notified().count == 1)
        }
    }

    @Test(arguments: TestSeed.list(61...62)) func `a history leaves the same in whatever batches it comes`(
        seed: UInt64
    ) async throws {
        let history = World.random(steps: 300, seed: seed).history
        let alone = try await outcome { try await $0.apply(history) }.tables
        for shuffle in 0..<4 as Range<UInt64> {
            let together = try await outcome { stage in
                var dice = TestSeed(seed &+ shuffle)
                var rest = shuffle == 0 ? history[...] : history.shuffled(using: &dice)[...]
                while !rest.isEmpty {
                    let batch = rest.prefix(Int.random(in: 1...64, using: &dice))
                    rest = rest.dropFirst(batch.count)
                    try await stage.apply(together: Array(batch))
                }
            }.tables
            #expect(together == alone, "history \(seed), shuffle \(shuffle)")
        }
    }

    /// Each batch holds all kinds of events about the same few people and posts: a circle of locks would be thrown as a conflict.
    @Test(arguments: TestSeed.list([71])) func `two copies with batches of everything do not lock each other out`(
        seed: UInt64
    ) async throws {
        let history = World.random(steps: 900, seed: seed).history
        let alone = try await outcome { try await $0.apply(history) }.tables
        let together = try await outcome { stage in
            var dice = TestSeed(seed)
            let shuffled = history.shuffled(using: &dice)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for copy in 0..<2 {
                    group.addTask {
                        var rest = shuffled.enumerated().filter { $0.offset % 2 == copy }.map(\.element)[...]
                        while !rest.isEmpty {
                            let batch = rest.prefix(24)
                            rest = rest.dropFirst(24)
                            try await stage.apply(together: Array(batch))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }.tables
        #expect(together == alone, "seed \(seed)")
    }

    @Test func `one that cannot be kept leaves nothing of its batch, and harms none of the halves without it`()
        async throws
    {
        let (before, history, after) = BatchTests.favourites()
        var world = after
        let bad = [world.post(950, by: 8, mentioning: [1])]
        let alone = try await outcome { stage in
            try await stage.apply(before)
            try await stage.apply(history)
        }
        let halved = try await outcome { stage in
            try await stage.apply(before)
            _ = try await stage.database.query("ALTER TABLE posts ADD CHECK (id <> 950)")
            let tables = try await stage.dump()
            await #expect(throws: (any Error).self) { try await stage.apply(together: history + bad) }
            #expect(try await stage.dump() == tables)
            await #expect(throws: (any Error).self) { try await stage.apply(together: bad) }
            try await stage.apply(together: history)
        }
        #expect(halved.tables == alone.tables)
        #expect(halved.heard == alone.heard)
    }

    @Test func `what connections hear is part of the trace of its own event`() async throws {
        try await Stage.run { stage in
            var world = World()
            let traces = (1...3).map { String(repeating: String($0), count: 32) }
            let envelopes = try traces.enumerated().map { number, trace in
                let actor = world.account(AccountID(Int64(number + 2)))
                let follow = AccountFollowed(actor: actor, targetID: 1, followedAt: world.now, subjectVersion: 1)
                let envelope = Envelope(
                    id: "01900000-0000-7000-8000-00000000000\(number)",
                    time: world.now,
                    traceparent: "00-\(trace)-00000000000000aa-01",
                    data: follow
                )
                return Array(try JSONEncoder().encode(envelope))
            }
            try await stage.queue.apply(envelopes, in: stage.database)
            let heard = try await recordedEvents(in: stage.database).map {
                try Envelope<NotificationCreated>(message: $0).traceparent
            }
            #expect(heard.map { $0.map { String($0.dropFirst(3).prefix(32)) } } == traces)
        }
    }

    @Test func `as many statements write sixteen favourites as one`() async throws {
        let (before, history, _) = BatchTests.favourites(naming: [])
        var counts: [Int] = []
        for events in [Array(history.prefix(1)), history] {
            let box = Box(0)
            try await Stage.run { stage in
                try await stage.apply(before)
                _ = try await stage.database.query("CREATE SEQUENCE written")
                _ = try await stage.database.query(
                    """
                    CREATE FUNCTION count_written() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        PERFORM nextval('written');
                        RETURN NULL;
                    END
                    $$
                    """
                )
                for table in ["accounts", "posts", "acts", "notifications", "deliveries"] as [SQL] {
                    _ = try await stage.database.query(
                        """
                        CREATE TRIGGER written AFTER INSERT OR DELETE ON \(table)
                        FOR EACH STATEMENT EXECUTE FUNCTION count_written()
                        """
                    )
                }
                try await stage.apply(together: events)
                #expect(try await stage.notified().count >= events.count - 2)
                box.value = try await stage.database.query("SELECT nextval('written') - 1").number()
            }
            counts.append(box.value)
        }
        #expect(counts.first ?? 0 >= 4)
        #expect(counts.last == counts.first)
    }
}
