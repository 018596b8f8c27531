// SPDX-License-Identifier: Apache-2.0
// F19: what events built bit by bit is what a rebuild makes of what their owners have.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import Outbox
@testable import SearchService

@Suite(.serialized) struct ReplayLawTests {
    /// What posts, notifications, chat and search keep and show. Versions may be higher after a rebuild, counts newer; what was taken back
    /// and hides nothing is not told again; ids of entries are made when they are.
    private static let kept: [(service: String, statement: SQL)] =
        [
            ("notifications", "SELECT 'account ' || id || ' ' || \(profile) FROM accounts ORDER BY id"),
            (
                "notifications",
                "SELECT 'act ' || concat_ws(' ', kind, subject_id, actor_id) FROM acts WHERE active ORDER BY 1"
            ),
            (
                "notifications",
                """
                SELECT 'silence ' || concat_ws(' ', kind, account_id, target_id) FROM silences
                WHERE hides AND spent_from IS NULL ORDER BY 1
                """
            ),
            (
                "notifications",
                """
                SELECT 'entry ' || concat_ws(' ', n.type, n.subject_id, n.actor_id, n.account_id, n.seq, n.dismissed,
                    p.snapshot ->> 'text', p.snapshot ->> 'edited_at', m.text, c.name, c.type)
                FROM notifications n
                LEFT JOIN posts p ON p.id = n.subject_id
                LEFT JOIN messages m ON m.id = n.subject_id
                LEFT JOIN channels c ON c.id = n.channel_id
                WHERE NOT n.withdrawn
                    -- What was said between two of whom one has blocked the other is told again to neither, and neither is shown it.
                    AND NOT (n.channel_id IS NOT NULL AND EXISTS (
                        SELECT FROM silences s WHERE s.kind = 'block' AND s.hides
                            AND (s.account_id, s.target_id) IN ((n.account_id, n.actor_id), (n.actor_id, n.account_id))
                    ))
                ORDER BY 1
                """
            ),
            (
                "posts",
                """
                SELECT 'file ' || concat_ws(' ', id, version, owner_id, snapshot ->> 'description', failure, 'in', post_id)
                FROM media ORDER BY id
                """
            ),
            ("posts", "SELECT 'shown ' || id || ' ' || media FROM posts WHERE media IS NOT NULL ORDER BY id"),
            ("posts", cards), ("chat", cards), ("notifications", cards),
            (
                "chat",
                """
                SELECT 'file ' || concat_ws(' ', id, version, owner_id, snapshot ->> 'description', failure)
                FROM media ORDER BY id
                """
            ),
            ("chat", "SELECT 'account ' || id || ' ' || \(profile) FROM accounts ORDER BY id"),
            ("chat", "SELECT 'block ' || concat_ws(' ', blocker_id, blocked_id) FROM blocks WHERE active ORDER BY 1"),
        ] + SearchPart.kept.map { ("search", $0) }

    private static let cards: SQL = """
        SELECT 'card ' || concat_ws(' ', url, link_id, version, card ->> 'title') FROM cards WHERE card IS NOT NULL ORDER BY url
        """

    private static let profile: SQL = """
        concat_ws(' ', snapshot ->> 'username', snapshot ->> 'display_name', snapshot ->> 'note', snapshot ->> 'locked')
        """

    private func dump(_ here: Neighbourhood) async throws -> [String] {
        var dump: [String] = []
        for (service, statement) in Self.kept {
            dump += try await here.database(of: service).query(statement).all {
                "\(service) \(try $0.next(String.self))"
            }
        }
        for person in here.people.prefix(4).map(\.id).map(Optional.some) + [nil] {
            let viewer = person.map(\.description) ?? "nobody"
            for text in ["Number ", "Num", "Changed ", "#tag3 ", "from:person3", "Number -example.org/2 "] {
                dump.append("\(text) for \(viewer): \(try await here.search.found(text, for: person))")
            }
            for text in ["Number ", "yard ", "Changed "] {
                for kind in [SearchKind.project, .reading, .book] {
                    dump.append(
                        "\(text) \(kind) for \(viewer): \(try await here.search.found(text, kind, for: person))"
                    )
                }
            }
            dump.append("messages for \(viewer): \(try await here.search.messages("Mess", for: person))")
            dump += try await here.search.named("per", for: person).sorted().map { "per for \(viewer): \($0)" }
            dump += try await here.search.named("yar", for: person).sorted().map { "yar for \(viewer): \($0)" }
        }
        // What everybody sees, newest first, without the ids.
        for person in here.people {
            let path = "/api/v1/notifications?limit=80&types[]=mention&types[]=favourite&types[]=reblog&types[]=follow"
            let answer = try await here.get("notifications", path, as: person)
            let listed = try JSONDecoder().decode([Listed].self, from: Data(answer.body))
            // A page that is full may end elsewhere: ids of one millisecond are made by chance.
            if listed.count == 80 { continue }
            dump += listed.map { "seen by \(person.username): \($0.type) \($0.account.id) \($0.status?.id ?? "")" }
                .sorted()
        }
        return dump
    }

    private struct Listed: Decodable {
        struct Thing: Decodable { let id: String }
        let type: String
        let account: Thing
        let status: Thing?
    }

    private func difference(_ one: [String], _ other: [String]) -> String {
        let (before, after) = (Set(one), Set(other))
        let gone = before.subtracting(after).sorted().prefix(10), new = after.subtracting(before).sorted().prefix(10)
        return "gone: \(gone.joined(separator: "; ")) new: \(new.joined(separator: "; "))"
    }

    private static let damages: [(service: String, statement: SQL)] =
        [
            (
                "notifications",
                "UPDATE accounts SET snapshot = snapshot || '{\"display_name\": \"damaged\"}' WHERE id % 3 = 0"
            ),
            ("notifications", "DELETE FROM accounts WHERE id % 5 = 0"),
            (
                "notifications",
                "INSERT INTO accounts SELECT 17, version, snapshot || '{\"username\": \"extra\"}' FROM accounts LIMIT 1"
            ),
            (
                "notifications",
                "UPDATE posts SET snapshot = snapshot || '{\"text\": \"damaged\"}' WHERE id % 3 = 0 AND snapshot IS NOT NULL"
            ),
            ("notifications", "DELETE FROM posts WHERE id % 5 = 0 AND snapshot IS NOT NULL"),
            ("notifications", "UPDATE messages SET text = 'damaged' WHERE id % 3 = 0 AND text IS NOT NULL"),
            ("notifications", "DELETE FROM messages WHERE id % 5 = 0 AND text IS NOT NULL"),
            ("notifications", "UPDATE channels SET name = 'damaged'"),
            ("notifications", "DELETE FROM acts WHERE active AND (subject_id + actor_id) % 3 = 0"),
            (
                "notifications",
                "INSERT INTO acts SELECT 'favourite', 18, actor_id, 1, true FROM acts WHERE active LIMIT 1"
            ),
            ("notifications", "DELETE FROM notifications WHERE NOT dismissed AND NOT withdrawn AND subject_id % 3 = 0"),
            (
                "notifications",
                """
                INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at)
                SELECT 1900 + row_number() OVER (), account_id, type, actor_id, 19, version, created_at FROM (
                    SELECT DISTINCT ON (type) * FROM notifications WHERE channel_id IS NULL
                ) n
                """
            ),
            ("notifications", "DELETE FROM silences WHERE target_id = (SELECT min(target_id) FROM silences)"),
            ("notifications", "INSERT INTO silences VALUES (1, 2, 'block', 3, true, now())"),
            // Of the pair something else is told.
            (
                "notifications",
                """
                INSERT INTO acts SELECT 'follow', account_id, target_id, 1, true FROM silences WHERE hides AND kind = 'block'
                ON CONFLICT DO NOTHING
                """
            ),
            ("chat", "UPDATE accounts SET snapshot = snapshot || '{\"display_name\": \"damaged\"}' WHERE id % 3 = 0"),
            ("chat", "DELETE FROM blocks WHERE blocked_id = (SELECT min(blocked_id) FROM blocks)"),
            ("chat", "INSERT INTO blocks VALUES (1, 2, 3, true)"),
            ("chat", "INSERT INTO accounts SELECT 17, version, 'extra', snapshot FROM accounts LIMIT 1"),
        ] + ["posts", "chat"].flatMap { service in mediaDamages.map { (service, $0) } }
        + ["posts", "chat", "notifications"].flatMap { service in cardDamages.map { (service, $0) } }
        + SearchPart.damages.map { ("search", $0) }

    private static let mediaDamages: [SQL] = [
        """
        UPDATE media SET snapshot = snapshot || '{"description": "damaged"}' WHERE id % 3 = 0 AND snapshot IS NOT NULL
        """,
        "DELETE FROM media WHERE id % 5 = 0 OR failure IS NOT NULL",
        """
        INSERT INTO media (id, version, owner_id, snapshot)
        SELECT 17, version, owner_id, snapshot FROM media WHERE snapshot IS NOT NULL LIMIT 1
        """,
    ]

    private static let cardDamages: [SQL] = [
        "UPDATE cards SET card = card || '{\"title\": \"damaged\"}' WHERE url LIKE '%1'",
        "DELETE FROM cards WHERE url LIKE '%2'",
        """
        INSERT INTO cards (hash, url, link_id, version, card, touched_at)
        SELECT 'extra', 'https://extra.example/', 17, version, card, now() FROM cards WHERE card IS NOT NULL LIMIT 1
        """,
    ]

    @Test(arguments: TestSeed.list([191])) func `what events built is what a rebuild builds`(seed: UInt64) async throws
    {
        // Some two acts make an event, because people block each other.
        let steps = TestScale.of(1500, atMost: 120_000)
        try await Neighbourhood.run { here in
            var life = RandomLife(seed: seed)
            var events = 0
            try await life.begin(here)
            for number in 0..<steps {
                try await life.step(here, number: number)
                if number % 50 == 0 { events += try await here.carry().events }
                if number % 150 == 0 { try await here.media.look(at: number) }
            }
            // Whatever chance has brought, somebody has blocked somebody.
            try await here.send("posts", .post, "/api/v1/accounts/\(here.people[1].id)/block", as: here.people[0], [:])
            try await life.showCounts(here)
            events += try await here.carry().events
            // Some put entries away.
            let away = try await here.notifications.database.query(
                "UPDATE notifications SET dismissed = true WHERE id % 4 = 0 AND NOT withdrawn"
            ).affected
            #expect(away > 10)
            let built = try await dump(here)
            #expect(built.count { $0.hasPrefix("notifications entry") } > 100)
            #expect(built.contains { $0.hasPrefix("notifications silence block") })
            #expect(built.contains { $0.hasPrefix("chat block") })
            #expect(built.count { $0.hasPrefix("search document") } > 200)
            #expect(built.count { $0.hasPrefix("posts file") && $0.contains("Words") } > 10)
            #expect(built.contains { $0.hasPrefix("posts shown") && $0.contains("Words") })
            for service in ["posts", "chat", "notifications"] {
                #expect(built.contains { $0.hasPrefix("\(service) card") }, "\(service)")
            }
            #expect(built.contains { $0.hasPrefix("search popular") } && built.contains { $0.hasPrefix("search use") })

            // Over what is whole, then over what is not.
            for service in ["posts", "chat", "notifications", "search"] {
                #expect(try await here.rebuild(service) == 0, "nobody is told")
            }
            let over = try await dump(here)
            #expect(over == built, "seed \(seed) \(difference(built, over))")
            // Rows are chosen by their ids, so some damage may find none of a small table.
            var untouched: [String] = []
            for (service, damage) in Self.damages {
                if try await here.database(of: service).query(damage).affected == 0 { untouched.append(damage.text) }
            }
            #expect(untouched.count <= 3, "\(untouched)")
            #expect(try await dump(here) != built)
            // Chat tells again with the names that it keeps, so it is first; the others ask at once.
            #expect(try await here.rebuild("posts", "chat") == 0, "nobody is told")
            #expect(try await here.rebuild("notifications", "search") == 0, "nobody is told")
            let mended = try await dump(here)
            #expect(mended == built, "seed \(seed) \(difference(built, mended))")

            // From nothing: only that somebody put an entry away is not known then.
            _ = try await here.notifications.database.query("UPDATE notifications SET dismissed = false")
            let whole = try await dump(here)
            _ = try await here.posts.database.query("TRUNCATE media, cards")
            _ = try await here.chat.database.query("TRUNCATE accounts, blocks, media, cards")
            _ = try await here.notifications.database.query(
                """
                TRUNCATE accounts, posts, acts, silences, notifications, channels, messages, reads, departures,
                    gone_places, floors, cards
                """
            )
            _ = try await here.search.database.query("TRUNCATE \(SearchPart.tables)")
            #expect(try await here.rebuild("posts", "chat") == 0, "nobody is told")
            #expect(try await here.rebuild("notifications", "search") == 0, "nobody is told")
            let rebuilt = try await dump(here)
            #expect(rebuilt == whole, "seed \(seed) \(difference(whole, rebuilt))")
            let same = over == built && mended == built && rebuilt == whole
            print(
                "F19 \(same ? "pass" : "FAIL") \(events)/50000 events, \(whole.count) rows, over whole, damaged and empty tables, seed \(seed)"
            )
        }
    }

    @Test func `what cannot be told again stays as it was`() async throws {
        try await Neighbourhood.run(people: 3) { here in
            let (author, fan, other) = (here.people[0], here.people[1], here.people[2])
            func post(_ path: String, as account: Principal.Account, _ json: [String: any Sendable] = [:]) async throws
                -> Answer
            {
                try await here.send("posts", .post, path, as: account, json)
            }
            let made = try await post("/api/v1/statuses", as: author, ["status": "Hello @\(other.username)"])
            let id = try #require(here.text(made, "id"))
            for path in ["statuses/\(id)/favourite", "statuses/\(id)/reblog", "accounts/\(author.id)/follow"] {
                #expect(try await post("/api/v1/\(path)", as: fan).status == .ok)
            }
            try await here.carry()
            // A block sweeps away what was there, and the end of it brings nothing back.
            _ = try await post("/api/v1/accounts/\(author.id)/block", as: other)
            try await here.carry()
            _ = try await post("/api/v1/accounts/\(author.id)/unblock", as: other)
            _ = try await post("/api/v1/statuses/\(id)/unfavourite", as: fan)
            try await here.carry()
            _ = try await here.send("notifications", .post, "/api/v1/notifications/clear", as: author, [:])
            let before = try await dump(here)
            #expect(before.count { $0.contains(" entry ") } == 2)
            #expect(!before.contains { $0.hasPrefix("seen") })
            #expect(try await here.rebuild("notifications") == 0)
            #expect(try await dump(here) == before)
            // What happens after it is told as ever.
            _ = try await post("/api/v1/statuses/\(id)/favourite", as: fan)
            #expect(try await here.carry().told == 1)
        }
    }
}
