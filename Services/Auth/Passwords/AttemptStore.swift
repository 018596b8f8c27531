// SPDX-License-Identifier: Apache-2.0
// The SQL of `sign_in_attempts`.

import Domain
import Postgres
import Serving

/// Counters of tries, each over a window that begins with its first try.
enum AttemptStore {
    struct Count: Sendable {
        let key: String
        let tries: Int
        let since: Timestamp

        static let columns: SQL = "key, tries, since"
    }

    /// Adds one to each counter and returns them; a counter from before `cutoff` begins anew.
    static func count(_ keys: [String], now: Timestamp, cutoff: Timestamp, in database: some Querying) async throws
        -> [Count]
    {
        try await database.query(
            """
            INSERT INTO sign_in_attempts AS a (\(Count.columns))
            SELECT key, 1, \(now)
            FROM unnest(\(keys)) AS key
            ON CONFLICT (key) DO UPDATE
            SET tries = CASE WHEN a.since <= \(cutoff) THEN 1 ELSE a.tries + 1 END,
                since = CASE WHEN a.since <= \(cutoff) THEN excluded.since ELSE a.since END
            RETURNING \(Count.columns)
            """
        ).all(as: Count.init)
    }

    static func giveBack(_ keys: [String], in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE sign_in_attempts
            SET tries = greatest(tries - 1, 0)
            WHERE key = ANY(\(keys))
            """
        )
    }

    static func forget(_ key: String, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM sign_in_attempts WHERE key = \(key)")
    }

    static let aged = AgedRows(of: "sign_in_attempts", by: "key", since: "since")
}
