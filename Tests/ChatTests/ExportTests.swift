// SPDX-License-Identifier: Apache-2.0
// What chat hands over of somebody.

import Domain
import Foundation
import Postgres
import Support
import Testing

@testable import ChatService

@Suite struct ExportTests {
    @Test func `messages come with where they were written, also where their author is no more`() async throws {
        try await withDatabase(migrations: ChatService.migrations, schema: "chat") { database, _ in
            let fill: [SQL] = [
                """
                INSERT INTO accounts (id, version, username, snapshot)
                VALUES (1, 1, 'minji', '{}'), (2, 1, 'haruto', '{}')
                """,
                """
                INSERT INTO playgrounds (id, name, description, owner_id, open, default_channel_id, created_at, updated_at, version)
                VALUES (5, '우리 마당', '', 2, true, 10, '2026-01-01Z', '2026-01-01Z', 1)
                """,
                """
                INSERT INTO channels (id, type, playground_id, name, description, created_at, updated_at, version, last_seq, last_change)
                VALUES (10, 'public', 5, '잡담', '', '2026-01-01Z', '2026-01-01Z', 1, 3, 3)
                """,
                """
                INSERT INTO playground_members (playground_id, account_id, role, joined_at, version)
                VALUES (5, 1, 'member', '2026-01-01Z', 1)
                """,
                """
                INSERT INTO messages (id, channel_id, seq, author_id, text, created_at, deleted_at, change)
                VALUES (101, 10, 1, 1, '안녕하세요', '2026-01-01Z', NULL, 1),
                    (102, 10, 2, 2, 'a secret of haruto', '2026-01-01Z', NULL, 2),
                    (103, 10, 3, 1, '', '2026-01-01Z', '2026-01-02Z', 3)
                """,
                """
                INSERT INTO reactions (message_id, emoji, account_id, created_at)
                VALUES (102, '🎉', 1, '2026-01-01Z'), (102, '👍', 1, '2026-01-01Z'), (101, '👍', 2, '2026-01-01Z')
                """,
            ]
            for statement in fill { _ = try await database.query(statement) }
            let files = try await exportedFiles(Exports.part, of: "chat", for: AccountID(1), in: database)
            func list(_ name: String) throws -> [[String: Any]] {
                let list = try JSONSerialization.jsonObject(with: Data(try #require(files[name]).utf8))
                return try #require(list as? [[String: Any]])
            }
            let messages = try list("chat/messages.json")
            #expect(messages.count == 1 && messages.first?["text"] as? String == "안녕하세요")
            #expect(
                messages.first?["channel"] as? String == "잡담" && messages.first?["playground"] as? String == "우리 마당"
            )
            #expect(try list("chat/reactions.json").first?["emoji"] as? [String] == ["🎉", "👍"])
            #expect(try list("chat/playgrounds.json").count == 1)
            #expect(try list("chat/channels.json").isEmpty)
            #expect(!files.values.joined().contains("a secret of haruto"))
        }
    }
}
