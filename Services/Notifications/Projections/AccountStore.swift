// SPDX-License-Identifier: Apache-2.0
// The projection of accounts: how each looked when it was last heard of.

import Domain
import Events
import Postgres
import Serving

enum AccountStore {
    /// Keeps each snapshot unless a newer one is known.
    ///
    /// - Parameters:
    ///   - accounts: each once, in the order of the ids, in which their rows are locked.
    ///   - repaired: those that are kept also in place of what is of the same version, which may be damaged.
    static func keep(
        _ accounts: [AccountSnapshot],
        repairing repaired: [AccountID] = [],
        in transaction: some Transacting
    ) throws {
        guard !accounts.isEmpty else { return }
        let snapshots = try accounts.map { String(decoding: try JSONB(snapshot: $0).json, as: UTF8.self) }
        transaction.enqueue(
            """
            INSERT INTO accounts (id, version, snapshot)
            SELECT id, version, CAST(snapshot AS jsonb)
            FROM unnest(\(accounts.map(\.id)), \(accounts.map(\.version)), \(snapshots)) AS shown (id, version, snapshot)
            WHERE NOT EXISTS (
                SELECT FROM accounts a
                WHERE a.id = shown.id AND a.version >= shown.version
                    AND (a.version > shown.version OR a.id <> ALL (\(repaired)))
            )
            ORDER BY id
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot
            WHERE excluded.version > accounts.version
                OR (excluded.version = accounts.version AND excluded.id = ANY (\(repaired)))
            """
        )
    }

    static func snapshots(of ids: [AccountID], in database: some Querying) async throws -> [ReadSnapshot] {
        try await database.query(
            "SELECT \(RowEdition.columns("accounts")), snapshot FROM accounts WHERE id = ANY (\(ids))"
        ).all { (try $0.next(), try $0.next()) }
    }
}
