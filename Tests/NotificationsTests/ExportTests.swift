// SPDX-License-Identifier: Apache-2.0
// What notifications hands over of somebody.

import Domain
import Foundation
import Postgres
import Support
import Testing

@testable import NotificationsService

@Suite struct ExportTests {
    @Test func `devices come without what could push to them`() async throws {
        try await withDatabase(migrations: NotificationsService.migrations, schema: "notifications") { database, _ in
            let fill: [SQL] = [
                """
                INSERT INTO devices (
                    id, account_id, session_id, app_id, platform, address, address_hash, is_sandbox, is_standard, language,
                    time_zone, is_mutable, policy, created_at, registered_at, leased_until, rests_until
                )
                VALUES (
                    7, 1, 8, 9, 'firebase', 'the token of a device', sha256('a'), false, false, 'ko', 'UTC', false, 'all',
                    now(), now(), now(), now()
                )
                """,
                """
                INSERT INTO push_preferences (account_id, scope, scope_id, kinds, preview)
                VALUES (1, 'account', 0, '{"follow": false}', 'full'), (2, 'account', 0, '{}', 'full')
                """,
                """
                INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at)
                SELECT i, 1, 'follow', i, 1, i, '2026-01-01Z' FROM generate_series(2, 151) i
                """,
            ]
            for statement in fill { _ = try await database.query(statement) }
            let files = try await exportedFiles(Exports.part, of: "notifications", for: AccountID(1), in: database)
            func count(_ name: String) throws -> Int {
                let list = try JSONSerialization.jsonObject(with: Data(try #require(files[name]).utf8))
                return try #require(list as? [Any]).count
            }
            #expect(try count("notifications/devices.json") == 1)
            #expect(try count("notifications/preferences.json") == 1)
            #expect(try count("notifications/markers.json") == 0)
            #expect(try count("notifications/notifications.json") == 150)
            #expect(!files.values.joined().contains("the token of a device"))
        }
    }
}
