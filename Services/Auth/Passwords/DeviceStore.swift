// SPDX-License-Identifier: Apache-2.0
// The SQL of `known_devices`.

import Domain
import Postgres
import Serving

/// Devices that an account has signed in from, for apps that cannot keep a `DeviceToken`.
enum DeviceStore {
    static func isKnown(_ device: [UInt8], of account: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query(
            "SELECT 1 FROM known_devices WHERE account_id = \(account) AND device_hash = \(device)"
        ).isEmpty
    }

    static func remember(
        _ device: [UInt8],
        of account: AccountID,
        now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO known_devices (account_id, device_hash, seen_at)
            VALUES (\(account), \(device), \(now))
            ON CONFLICT (account_id, device_hash) DO UPDATE SET seen_at = excluded.seen_at
            """
        )
    }

    /// Forgets all but the devices that were seen last.
    static func forget(of account: AccountID, keeping count: Int, in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM known_devices
            WHERE account_id = \(account) AND device_hash NOT IN (
                SELECT device_hash FROM known_devices
                WHERE account_id = \(account)
                ORDER BY seen_at DESC, device_hash
                LIMIT \(count)
            )
            """
        )
    }

    static let aged = AgedRows(of: "known_devices", by: "account_id, device_hash", since: "seen_at")
}
