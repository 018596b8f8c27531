// SPDX-License-Identifier: Apache-2.0
// Nothing grows without a bound: what can be posted, what is told, what is kept.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct BoundsTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test func aPostBoostedThousandsOfTimesCanBeDeleted() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try #require(PostID(try await world.write("hot", as: ann)))
            try await world.fill(3200)
            _ = try await world.database.query(
                """
                INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
                SELECT 100000 + n, n, '', 'public', \(id), \(id), now() FROM generate_series(1, 3200) n
                """
            )
            _ = try await world.database.query("UPDATE accounts SET posts_count = 1 WHERE id <= 3200")
            let answer = try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann)
            #expect(answer.code == 200, "\(answer.text)")
            let one = "SELECT count(*) FROM posts WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL" as SQL
            try await world.fanOutUntilQuiet()
            #expect(try await world.number(one) == 0)
            #expect(try await world.number("SELECT sum(posts_count)::bigint FROM accounts WHERE id <= 3200") == 0)
            var told: [PostID] = []
            for event in try await recordedEvents(in: world.database)
            where try TestEvent(event).type == PostDeleted.type {
                #expect(event.count < 16_384)
                told += try JSONDecoder().decode(Envelope<PostDeleted>.self, from: Data(event)).data.boostIDs
            }
            #expect(told.count == 3200)
            #expect(Set(told).count == 3200)
        }
    }

    @Test func whoIsBlockedByThousandsStillReachesTheOthers() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            try await world.fill(22_000)
            _ = try await world.database.query(
                """
                WITH b AS (
                    INSERT INTO blocks (account_id, target_id, id)
                    SELECT n, \(ann.id), n FROM generate_series(1, 11000) n
                )
                INSERT INTO mutes (account_id, target_id, id)
                SELECT n, \(ann.id), n FROM generate_series(11001, 22000) n
                """
            )
            try await world.write("still here #yard", as: ann)
            try await world.fanOut()
            let updates = try await world.liveUpdates()
            #expect(updates.flatMap(\.streams).filter { $0 == "user:\(bob.id)" }.count == 1)
            let open = updates.filter { $0.streams.contains("public") }
            #expect(open.allSatisfy { $0.streams.contains("hashtag:yard") })
            func receives(_ account: AccountID?) -> Int {
                open.filter { update in
                    if let account, update.except.contains(account) { return false }
                    return update.readers?.contains(account) ?? true
                }.count
            }
            for number: Int64 in [1, 2, 4000, 4001, 8000, 11_000, 11_001, 16_000, 21_999, 22_000] {
                #expect(receives(AccountID(number)) == 0, "\(number) does not want it")
            }
            #expect(Set(open.flatMap(\.except)).count == 22_000)
            #expect(receives(nil) == 1)
            for account in [AccountID(0), AccountID(22_001), bob.id, ann.id, AccountID(.max)] {
                #expect(receives(account) == 1, "\(account)")
            }
        }
    }

    @Test func postsAreBoundedByBytesAndScalars() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("small", as: ann)
            let tooLarge = [
                "https://a.example/?" + String(repeating: "&", count: 60_000),
                String(repeating: "a" + String(repeating: "\u{301}", count: 10), count: 490),
                String(repeating: "\u{1}", count: 900) + " https://a.example/" + String(repeating: "a", count: 4990),
                String(repeating: "👨‍👩‍👧‍👦", count: 499),
            ]
            for text in tooLarge {
                let answer = try await world.publish(text, as: ann)
                #expect(answer.code == 422, "\(text.prefix(30))")
                #expect(
                    (try answer.object["fields"] as? [[String: Any]])?.first?["name"] as? String == "status",
                    "\(answer.text)"
                )
                let json = String(decoding: try JSONSerialization.data(withJSONObject: ["status": text]), as: UTF8.self)
                let edit = try await world.send(
                    .put,
                    "/api/v1/statuses/\(id)",
                    as: ann,
                    type: "application/json",
                    body: json
                )
                #expect(edit.code == 422, "\(text.prefix(30))")
            }
            let warned = try await world.publish("a", as: ann, ["spoiler_text": tooLarge[1]])
            #expect(warned.code == 422)
            let allowed = [
                String(repeating: "가", count: 500),
                String(repeating: "각", count: 500).decomposedStringWithCanonicalMapping,
                String(repeating: "👍🏽", count: 500), "https://a.example/" + String(repeating: "a", count: 3000),
            ]
            for text in allowed { #expect(try await world.publish(text, as: ann).code == 200, "\(text.prefix(9))") }
        }
    }

    @Test func historyKeepsTheNewestForms() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("form 0", as: ann)
            for number in 1...30 {
                let path = "/api/v1/statuses/\(id)"
                let code = try await world.send(.put, path, as: ann, type: Self.form, body: "status=form%20\(number)")
                    .code
                #expect(code == 200)
            }
            let forms = try await world.get("/api/v1/statuses/\(id)/history").list.compactMap {
                $0["content"] as? String
            }
            #expect(forms == (10...30).map { "<p>form \($0)</p>" })
            #expect(try await world.number("SELECT count(*) FROM post_edits") == 20)
        }
    }

    @Test func whoIsNamedLaterDoesNotSeeWhatWasSaidBefore() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let id = try await world.write("@bob cat snores", as: ann, ["visibility": "direct"])
            let path = "/api/v1/statuses/\(id)"
            let body = "status=@bob%20@cat%20hello"
            #expect(try await world.send(.put, path, as: ann, type: Self.form, body: body).code == 200)
            #expect(try await world.get("\(path)/history", as: ann).list.count == 2)
            #expect(try await world.get("\(path)/history", as: bob).list.count == 2)
            let seen = try await world.get("\(path)/history", as: cat)
            #expect(seen.code == 200)
            #expect(!seen.text.contains("snores"), "\(seen.text.prefix(200))")
            #expect(try seen.list.count == 1)
        }
    }

    /// Whether the viewer marked a post is looked up for each post of a page, not by reading whatever they ever marked.
    @Test func marksAreLookedUpOneByOne() async throws {
        try await GraphWorld.run { world in
            let plan = try await world.database.query(
                """
                EXPLAIN (VERBOSE) SELECT v.* FROM generate_series(1, 100000) n CROSS JOIN LATERAL viewer_marks(1, n, n, n, n) v
                """
            ).map { row in
                var columns = row.columns
                return try columns.next(String.self)
            }
            #expect(!plan.contains { $0.contains("hashed") }, "\(plan.joined(separator: "\n"))")
        }
    }

    @Test func threadsAreBoundedAndInOrder() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let eve = try await world.person("eve")
            let root = try #require(PostID(try await world.write("root", as: ann)))
            try await world.relate("block", eve, as: ann)
            // 600 of somebody whom ann does not see come first, then those of everybody.
            _ = try await world.database.query(
                """
                INSERT INTO posts (
                    id, account_id, text, visibility, conversation_id, in_reply_to_id, in_reply_to_account_id, created_at
                )
                SELECT \(root) + n, CASE WHEN n <= 600 THEN \(eve.id) ELSE \(ann.id) END, 'reply ' || n, 'public',
                    \(root), \(root), \(ann.id), now()
                FROM generate_series(1, 10000) n
                """
            )
            let path = "/api/v1/statuses/\(root)/context"
            func replies(_ person: Person?) async throws -> [Int64] {
                let context = try await world.get(path, as: person).object
                let list = try #require(context["descendants"] as? [[String: Any]])
                return list.compactMap { ($0["id"] as? String).flatMap { Int64($0) } }.map { $0 - root.rawValue }
            }
            #expect(try await replies(ann) == Array(601...1100))
            #expect(try await replies(nil) == Array(1...60))
            #expect(try await world.get(path, as: ann).body.count < 1_000_000)
        }
    }

    @Test func manyFollowersAreReachedInBoundedSteps() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await world.fill(4900)
            try await world.followAll(ann, 4900)
            for number in 0..<8 { try await world.write("burst \(number)", as: ann) }
            try await world.fanOut(finish: false)
            let limits = world.dependencies.limits
            #expect(try await world.number("SELECT count(*) FROM timeline") == 8 * (limits.followersAtOnce + 1))
            var before = try await world.number("SELECT count(*) FROM timeline")
            while try await world.goOn() {
                let now = try await world.number("SELECT count(*) FROM timeline")
                #expect(now - before <= limits.followersInStep)
                before = now
            }
            #expect(before == 8 * 4901)
            #expect(try await world.number("SELECT count(*) FROM fanouts") == 0)
            let told = try await world.liveUpdates().flatMap(\.streams).filter { $0.hasPrefix("user:") }
            #expect(told.count == 8 * 4901, "everybody is told of every post once")
        }
    }

    @Test func whatIsDeletedMeanwhileIsNotFannedOutFurther() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await world.fill(2600)
            try await world.followAll(ann, 2600)
            let id = try await world.write("short-lived", as: ann)
            try await world.fanOut(finish: false)
            #expect(try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann).code == 200)
            try await world.fanOut()
            #expect(try await world.number("SELECT count(*) FROM timeline") == 0)
            #expect(try await world.number("SELECT count(*) FROM fanouts") == 0)
        }
    }
}

extension GraphWorld {
    /// Accounts with the ids 1 to `count`.
    func fill(_ count: Int) async throws {
        _ = try await database.query(
            """
            INSERT INTO accounts (id, username, created_at)
            SELECT n, 'reader' || n, now() FROM generate_series(1, \(count)::bigint) n
            """
        )
    }

    /// Lets the accounts 1 to `count` follow somebody.
    func followAll(_ followee: Person, _ count: Int) async throws {
        _ = try await database.query(
            """
            INSERT INTO follows (follower_id, followee_id, id)
            SELECT n, \(followee.id), n FROM generate_series(1, \(count)::bigint) n
            """
        )
    }
}
