// SPDX-License-Identifier: Apache-2.0
// The SQL on the writes that were taken, so that one that comes again changes nothing.

import Domain
import Outbox
import Postgres
import Serving

/// Statements about writes, by the names that apps gave them.
enum ShelfWriteStore {
    /// How long a write is known that may come again.
    static let lifetime = Duration.seconds(60 * 24 * 3600)

    /// Those of the writes that were taken before.
    static func taken(
        _ keys: [ClientID],
        of owner: AccountID,
        in database: some Querying
    ) async throws -> Set<ClientID> {
        Set(
            try await database.query(
                "SELECT key FROM shelf_writes WHERE account_id = \(owner) AND key = ANY (\(keys))"
            ).all { try $0.next() }
        )
    }

    /// Remembers writes; the caller holds the shelf.
    static func remember(
        _ keys: [ClientID],
        of owner: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO shelf_writes (account_id, key, taken_at)
            SELECT \(owner), key, \(now) FROM unnest(\(keys)) key
            ON CONFLICT (account_id, key) DO NOTHING
            """
        )
    }

    /// Writes that cannot come again.
    static let aged = AgedRows(of: "shelf_writes", by: "account_id, key", since: "taken_at")

    static func sweep(now: @escaping @Sendable () -> Timestamp) -> Sweep {
        aged.sweep(after: lifetime, every: .seconds(3600), now: now)
    }
}
