// SPDX-License-Identifier: Apache-2.0
// Nothing of an account that was deleted is left in any table.

import Domain
import Outbox
import Postgres
import Support
import Testing

@testable import NotificationsService

@Suite struct ErasedAccountTests {
    private static let walk = ErasureWalk(
        "Notifications",
        migrations: NotificationsService.migrations,
        impersonal: [
            "cards": "of pages, whoever links to them",
            "channels": "of chat, whoever is in them",
            "ended_sessions": "numbers of sessions, for a while",
            "gone_places": "of chat, whoever was in them",
        ]
    )

    @Test func nothingOfItIsLeft() async throws {
        try await Self.walk.expect(others: Self.others) { database in
            _ = try await ErasureStep.finish(EraseAccount.steps, of: ErasureWalk.account, in: database)
        }
    }

    private static let others = [
        "SELECT count(*) FROM moderators": 1,
        "SELECT count(*) FROM restricted_accounts": 1,
        "SELECT count(*) FROM decisions": 1,
        "SELECT count(*) FROM reports": 1,
        "SELECT count(*) FROM notifications": 1,
        "SELECT count(*) FROM deliveries": 1,
        "SELECT count(*) FROM devices": 1,
        "SELECT count(*) FROM acts": 1,
        "SELECT count(*) FROM posts WHERE id = 21 AND snapshot IS NULL": 1,
        "SELECT count(*) FROM posts WHERE id = 22 AND jsonb_array_length(snapshot -> 'mentions') = 1": 1,
        "SELECT count(*) FROM messages WHERE named = '{12}'": 1,
        "SELECT count(*) FROM projects WHERE snapshot IS NOT NULL": 1,
    ]
}
