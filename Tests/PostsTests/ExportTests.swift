// SPDX-License-Identifier: Apache-2.0
// What posts hands over of somebody.

import Domain
import Foundation
import Postgres
import Support
import Testing

@testable import PostsService

@Suite struct ExportTests {
    private static let site = Site(domain: "madang.example", origin: "https://madang.example")

    private static func files(_ fill: [SQL]) async throws -> [String: String] {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            _ = try await database.query(
                """
                INSERT INTO accounts (id, username, display_name, created_at)
                VALUES (1, 'minji', '민지', '2026-01-01Z'), (2, 'haruto', '', '2026-01-01Z'), (3, 'ada', '', '2026-01-01Z')
                """
            )
            for statement in fill { _ = try await database.query(statement) }
            return try await exportedFiles(Exports.part(site: site), of: "posts", for: AccountID(1), in: database)
        }
    }

    private static func list(_ text: String?) throws -> [[String: Any]] {
        let list = try JSONSerialization.jsonObject(with: Data(try #require(text).utf8))
        return try #require(list as? [[String: Any]])
    }

    @Test func `what moderation has of somebody comes without moderators and others' reports`() async throws {
        let files = try await Self.files([
            """
            INSERT INTO reports (id, reporter_id, target_id, category, comment, created_at, updated_at, assigned_id, closed_id)
            VALUES
                (7, 1, 2, 'spam', 'it is spam', '2026-01-01Z', '2026-01-01Z', 990077, 990077),
                (8, 2, 1, 'spam', 'a report of haruto', '2026-01-01Z', '2026-01-01Z', 990077, NULL)
            """,
            """
            INSERT INTO report_things (report_id, kind, thing_id, account_id, snapshot)
            VALUES (7, 'message', '70', 2, '{"text": "words of haruto"}'), (8, 'post', '80', 1, NULL)
            """,
            """
            INSERT INTO decisions (
                id, moderator_id, account_id, report_id, action, thing_kind, thing_id, reason, appeal_until, decided_at
            )
            VALUES
                (5, 990077, 1, 8, 'remove', 'post', '80', 'rude words', '2026-02-01Z', '2026-01-01Z'),
                (6, 990077, 2, 7, 'freeze', NULL, NULL, 'haruto spams', '2026-02-01Z', '2026-01-01Z')
            """,
            """
            INSERT INTO evidence (decision_id, kind, thing_id, snapshot, kept_until)
            VALUES (5, 'post', '80', '{"text": "what I wrote"}', '2026-03-01Z')
            """,
            """
            INSERT INTO appeals (decision_id, account_id, text, state, created_at, moderator_id)
            VALUES
                (5, 1, 'it was a quotation', 'rejected', '2026-01-02Z', 990077),
                (6, 2, 'says haruto', 'open', '2026-01-02Z', NULL)
            """,
        ])
        let reports = try Self.list(files["moderation/reports.json"])
        #expect(reports.count == 1 && reports[0]["comment"] as? String == "it is spam")
        #expect(reports[0]["target_account_id"] as? String == "2")
        #expect((reports[0]["things"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["70"])
        let decisions = try Self.list(files["moderation/decisions.json"])
        #expect(decisions.count == 1 && decisions[0]["reason"] as? String == "rude words")
        #expect(decisions[0]["removed_text"] as? String == "what I wrote")
        let appeals = try Self.list(files["moderation/appeals.json"])
        #expect(appeals.count == 1 && appeals[0]["text"] as? String == "it was a quotation")
        #expect(appeals[0]["state"] as? String == "rejected")
        let all = files.values.joined()
        for others in ["990077", "a report of haruto", "words of haruto", "haruto spams", "says haruto"] {
            #expect(!all.contains(others), "\(others)")
        }
    }

    @Test func `posts come with what they said before, and nobody else's words`() async throws {
        let files = try await Self.files([
            """
            INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at)
            SELECT i, 1, '글 ' || i, 'public', i, '2026-01-01Z' FROM generate_series(1, 250) i
            """,
            """
            INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at)
            VALUES (900, 2, 'a secret of haruto', 'private', 900, '2026-01-01Z')
            """,
            """
            INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
            VALUES (901, 1, '', 'public', 900, 900, '2026-01-01Z')
            """,
            """
            INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at, deleted_at)
            VALUES (902, 1, 'taken back', 'public', 902, '2026-01-01Z', '2026-01-02Z')
            """,
            """
            INSERT INTO post_edits (post_id, created_at, text, spoiler_text, sensitive, mentioned_ids, mentioned_names)
            VALUES (7, '2026-01-01Z', 'before', '', false, '{}', '{}')
            """,
            "INSERT INTO favourites (account_id, post_id, id) VALUES (1, 900, 5), (2, 1, 6)",
            "INSERT INTO bookmarks (account_id, post_id, id) VALUES (1, 900, 5)",
        ])
        let posts = try Self.list(files["posts/posts.json"])
        #expect(posts.compactMap { $0["id"] as? String } == (1...250).map { "\($0)" })
        #expect(posts[6]["text"] as? String == "글 7" && posts[6]["url"] as? String == "https://madang.example/@minji/7")
        #expect((posts[6]["earlier_versions"] as? [[String: Any]])?.first?["text"] as? String == "before")
        #expect(try Self.list(files["posts/boosts.json"]).first?["account"] as? String == "haruto")
        #expect(try Self.list(files["posts/favourites.json"]).count == 1)
        #expect(files["posts/bookmarks.csv"] == "#uri\r\nhttps://madang.example/@haruto/900\r\n")
        let all = files.values.joined()
        #expect(!all.contains("a secret of haruto") && !all.contains("taken back"))
        #expect(files["posts/profile.json"]?.contains("민지") == true)
    }

    @Test func `accounts are in Mastodon's tables`() async throws {
        let files = try await Self.files([
            "INSERT INTO follows (follower_id, followee_id, id, languages) VALUES (1, 2, 1, '{ko,en}'), (3, 1, 2, NULL)",
            "INSERT INTO blocks (account_id, target_id, id) VALUES (1, 3, 3), (2, 1, 4)",
            "INSERT INTO mutes (account_id, target_id, id) VALUES (1, 2, 5)",
            "INSERT INTO account_notes (account_id, target_id, comment) VALUES (1, 2, 'from \"school\", kind')",
            "INSERT INTO follow_requests (follower_id, followee_id, id) VALUES (1, 3, 6)",
        ])
        #expect(
            files["posts/following_accounts.csv"]
                == "Account address,Show boosts,Notify on new posts,Languages\r\nharuto@madang.example,true,false,\"ko, en\"\r\n"
        )
        #expect(files["posts/followers.csv"] == "Account address\r\nada@madang.example\r\n")
        #expect(files["posts/blocked_accounts.csv"] == "Account address\r\nada@madang.example\r\n")
        #expect(
            files["posts/muted_accounts.csv"] == "Account address,Hide notifications\r\nharuto@madang.example,true\r\n"
        )
        #expect(files["posts/follow_requests.csv"] == "Account address\r\nada@madang.example\r\n")
        #expect(files["posts/account_notes.csv"]?.contains("\"from \"\"school\"\", kind\"") == true)
    }

    @Test func `readings are as Goodreads has them, and as ours are`() async throws {
        let files = try await Self.files([
            "INSERT INTO shelves (account_id, version) VALUES (1, 1), (2, 1)",
            """
            INSERT INTO shelf_books (id, account_id, version, key, title, authors, publisher, pages, folded)
            SELECT i, 1 + i / 1000, i, sha256(convert_to('book ' || i, 'UTF8')), '책 ' || i, ARRAY ['저자'], '', 100, 'book'
            FROM generate_series(1, 1000) i
            """,
            """
            INSERT INTO reading_records (id, account_id, book_id, client_id, version, state, rating, visibility, updated_at)
            SELECT i, 1 + i / 1000, i, gen_random_uuid(), i, 'finished', 9, 'private', '2026-01-01Z'
            FROM generate_series(1, 1000) i
            """,
            "INSERT INTO earlier_texts (id, record_id, field, text) VALUES (1, 7, 'review', '먼저 쓴 글')",
            "INSERT INTO reading_goals (account_id, year, month, version, books) VALUES (1, 2026, 0, 1, 24)",
        ])
        let lines = try #require(files["reading/goodreads.csv"]).split(separator: "\r\n")
        #expect(lines.count == 1000 && lines.first?.hasPrefix("Book Id,Title,Author") == true)
        let records = try Self.list(files["reading/records.json"])
        #expect(records.compactMap { $0["id"] as? String } == (1...999).map { "\($0)" })
        #expect(try Self.list(files["reading/earlier_texts.json"]).count == 1)
        #expect(try Self.list(files["reading/goals.json"]).first?["books"] as? Int == 24)
    }
}
