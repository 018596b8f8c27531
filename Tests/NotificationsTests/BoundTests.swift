// SPDX-License-Identifier: Apache-2.0
// Every table has a bound, and what was forgotten does not come back by an event that is late or comes again.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct BoundTests {
    private static let day: Int64 = 86_400
    private static let everything =
        "types[]=mention&types[]=favourite&types[]=reblog&types[]=follow"
        + "&types[]=follow_request&types[]=chat_mention&types[]=direct_message"

    /// Tables in which something stays for as long as it lasts.
    private static let lasting: Set<String> = ["acts", "silences"]

    /// The sizes of all tables that grow with what happens.
    private func sizes(_ stage: Stage) async throws -> [String: Int] {
        let rows = try await stage.database.query(
            """
            SELECT 'notifications', count(*) FROM notifications UNION ALL SELECT 'posts', count(*) FROM posts
            UNION ALL SELECT 'acts', count(*) FROM acts UNION ALL SELECT 'silences', count(*) FROM silences
            UNION ALL SELECT 'messages', count(*) FROM messages UNION ALL SELECT 'reads', count(*) FROM reads
            UNION ALL SELECT 'departures', count(*) FROM departures
            UNION ALL SELECT 'gone_places', count(*) FROM gone_places
            """
        )
        var sizes: [String: Int] = [:]
        for row in rows {
            var columns = row.columns
            let table: String = try columns.next()
            sizes[table] = try columns.next()
        }
        return sizes
    }

    /// Something for every table.
    private func busy() -> [Happening] {
        var world = World()
        world.post(901, by: 1)
        world.post(902, by: 3, mentioning: [1])
        world.like(901, by: 2)
        world.boost(901, by: 3)
        world.like(902, by: 1)
        world.unlike(902, by: 1)
        world.follow(1, by: 2)
        world.requestToFollow(1, by: 4)
        world.block(5, by: 1)
        world.unblock(5, by: 1)
        world.block(6, by: 1)
        world.mute(4, by: 2, notifications: true, expires: nil)
        world.post(903, by: 2)
        world.delete(903)
        var chat = ChatWorld()
        chat.open(81, .public, "general", with: [1, 2, 3])
        chat.open(82, .public, "gone", with: [1, 2, 3])
        chat.open(83, .direct, with: [1, 2])
        chat.say(911, in: 81, by: 2, naming: [1])
        chat.say(912, in: 83, by: 2)
        chat.say(913, in: 82, by: 2, naming: [1])
        chat.say(914, in: 81, by: 2, naming: [3])
        chat.delete(914)
        chat.leave(81, by: 3)
        chat.close(82)
        return world.history + chat.history
    }

    @Test func `everything that has served goes, and an old or repeated event brings nothing back`() async throws {
        try await Stage.run { stage in
            let history = busy()
            try await stage.apply(history)
            let told = try await stage.database.query("SELECT event_id FROM outbox").count
            let before = try await sizes(stage)
            for (table, size) in before { #expect(size > 0, "\(table) is part of this") }
            #expect(try await stage.list(1, query: BoundTests.everything).count == 7)

            // Within the time nothing goes.
            stage.clock.value = stage.clock.value + .seconds(30 * BoundTests.day)
            #expect(try await stage.sweep() == 0)
            #expect(try await sizes(stage) == before)

            stage.clock.value = stage.clock.value + .seconds(150 * BoundTests.day)
            try await stage.sweep()
            let after = try await sizes(stage)
            for table in before.keys where !BoundTests.lasting.contains(table) {
                #expect(after[table] == 0, "\(table)")
            }
            // That 2 follows 1.
            #expect(after["acts"] == 1)
            // The newest word on each pair stays: the block of 6 and the mute of 4 hold for ever.
            #expect(after["silences"] == 3)
            #expect(try await stage.sweep() == 0)

            // The whole history again, as from the dead letters, with an inbox that knows nothing of it.
            for repeated in [history, history.reversed()] {
                _ = try await stage.database.query("DELETE FROM inbox")
                try await stage.apply(repeated)
                try await stage.sweep()
                let again = try await sizes(stage)
                for table in before.keys where !BoundTests.lasting.contains(table) {
                    #expect(again[table] == 0, "\(table)")
                }
                #expect(again["acts"] == 1)
                #expect(again["silences"] == 3)
                #expect(try await stage.list(1, query: BoundTests.everything).isEmpty)
            }
            #expect(try await stage.database.query("SELECT event_id FROM outbox").count == told)
        }
    }

    @Test func `a block that lasts silences for ever, whatever was forgotten around it`() async throws {
        try await Stage.run { stage in
            var world = World()
            for _ in 0..<5 {
                world.block(3, by: 1)
                world.unblock(3, by: 1)
            }
            world.block(3, by: 1)
            world.mute(2, by: 1, notifications: true, expires: nil)
            try await stage.apply(world.history)
            let moved: Timestamp = Stage.now + .seconds(200 * BoundTests.day)
            stage.clock.value = moved
            try await stage.sweep()
            #expect(try await sizes(stage)["silences"] == 2)
            var later = World()
            // Made today, by the clock of the world.
            let post = PostSnapshot.told(901, by: 3, naming: 1, at: moved)
            try await stage.apply(
                Happening(PostCreated(author: later.account(3), post: post), at: moved, number: 77)
            )
            #expect(try await stage.list(1).isEmpty)
            // Unblocked, the next is told.
            try await stage.apply(
                Happening(
                    AccountUnblocked(actorID: 1, targetID: 3, subjectVersion: 99),
                    at: moved + .seconds(1),
                    number: 78
                )
            )
            let next = PostSnapshot.told(902, by: 3, naming: 1, at: moved + .seconds(2))
            try await stage.apply(
                Happening(PostCreated(author: later.account(3), post: next), at: moved + .seconds(2), number: 79)
            )
            #expect(try await stage.list(1).map(\.summary) == ["mention 3 902"])
        }
    }

    @Test func `a list keeps its newest entries, and what fell off stays off`() async throws {
        try await Stage.run { stage in
            var world = World()
            for number in 1...30 { world.post(PostID(Int64(900 + number)), by: 3, mentioning: [1]) }
            for number in 1...5 { world.post(PostID(Int64(950 + number)), by: 3, mentioning: [2]) }
            try await stage.apply(world.history)
            // A floor is laid, and what lies below goes once everybody has seen it.
            try await stage.sweep(keeping: 10)
            #expect(try await stage.list(1, query: "limit=80").count == 30)
            stage.clock.value = stage.clock.value + .seconds(61)
            try await stage.sweep(keeping: 10)
            let kept = try await stage.list(1, query: "limit=80").map(\.summary)
            #expect(kept == (21...30).reversed().map { "mention 3 \(900 + $0)" })
            #expect(try await stage.list(2).count == 5)

            // Later events carry the same posts: a favourite of an old one names nobody again.
            for number in [1, 5, 20, 25] { world.like(PostID(Int64(900 + number)), by: 4) }
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(world.history)
            #expect(try await stage.list(1, query: "limit=80").map(\.summary) == kept)
            // What is new is told.
            world.post(990, by: 3, mentioning: [1])
            try await stage.apply(Array(world.history.suffix(1)))
            #expect(try await stage.list(1).first?.summary == "mention 3 990")
        }
    }

    @Test func `what an entry shows outlives the entry`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            try await stage.apply(world.history)
            // Liked every 50 days, by somebody else each time.
            for (index, actor) in ([2, 3, 4, 5, 6] as [AccountID]).enumerated() {
                let moment = Stage.now + .seconds(Int64(index) * 50 * BoundTests.day)
                stage.clock.value = moment
                var post = try #require(world.posts[901])
                post.version = Int64(index + 2)
                let liked = PostLiked(
                    actor: world.account(actor),
                    post: post,
                    author: world.account(1),
                    likedAt: moment
                )
                try await stage.apply(Happening(liked, at: moment, number: 500 + index))
                try await stage.sweep()
                let shown = try await stage.list(1)
                #expect(shown.first?.summary == "favourite \(actor) 901")
                #expect(shown.allSatisfy { $0.status?.id == "901" })
                #expect(shown.count <= 2)
            }
        }
    }

    @Test func `two processes forget side by side`() async throws {
        try await Stage.run { stage in
            try await stage.apply(busy())
            _ = try await stage.database.query(
                """
                INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
                SELECT 'favourite', n, n + 1, 1, true, '2026-01-01' FROM generate_series(1000, 13000) n
                """
            )
            stage.clock.value = stage.clock.value + .seconds(150 * BoundTests.day)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await stage.sweep() } }
                try await group.waitForAll()
            }
            // What the other one held is left for the next round.
            try await stage.sweep()
            // A follow stays for as long as it lasts.
            #expect(try await sizes(stage)["acts"] == 1)
        }
    }

    @Test func `an entry of who seems connected counts when it stays`() async throws {
        try await Stage.run { stage in
            func unread() async throws -> String {
                let answer = try await stage.respond(
                    .get,
                    "/api/v1/notifications/unread_count",
                    query: "types[]=direct_message&types[]=chat_mention",
                    as: 2
                )
                return String(decoding: answer.body, as: UTF8.self)
            }
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            world.say(901, in: 83, by: 1)
            let first = try #require(world.messages[901]?.createdAt)
            stage.clock.value = first
            stage.connected.value = [2]
            try await stage.apply(world.history)
            let query = "types[]=direct_message"
            #expect(try await stage.list(2, query: query).count == 1)
            #expect(try await unread() == #"{"count":0}"#)
            // Read at once, it never counted.
            try await stage.apply(world.read(83, by: 2))
            #expect(try await stage.list(2, query: query).isEmpty)
            // Not read, it counts soon, and another one does not hide it.
            world.say(902, in: 83, by: 1)
            try await stage.apply(Array(world.history.suffix(1)))
            #expect(try await unread() == #"{"count":0}"#)
            stage.clock.value = first + .seconds(70)
            #expect(try await unread() == #"{"count":1}"#)
            world.say(903, in: 83, by: 1)
            try await stage.apply(Array(world.history.suffix(1)))
            #expect(try await unread() == #"{"count":1}"#)
            #expect(try await stage.list(2, query: query).map(\.message?.seq) == [3])
        }
    }
}

extension PostSnapshot {
    /// A post that names somebody.
    fileprivate static func told(
        _ id: PostID,
        by author: AccountID,
        naming named: AccountID,
        at moment: Timestamp
    ) -> PostSnapshot {
        PostSnapshot(
            id: id,
            accountID: author,
            text: "Hello",
            mentions: [MentionSnapshot(id: named, username: World.username(named))],
            createdAt: moment,
            version: 1
        )
    }
}
