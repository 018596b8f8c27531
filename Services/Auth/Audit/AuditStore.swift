// SPDX-License-Identifier: Apache-2.0
// The SQL of `audit`.

import Domain
import Postgres

/// Kind of the ids of notes.
enum AuditNote {}

/// What was done to accounts; rows are only added, and go when they are old.
enum AuditStore {
    struct Row: Sendable {
        let id: ID<AuditNote>
        let at: Timestamp
        let act: String
        let actor: String
        let account: AccountID?
        let session: SessionID?
        let app: AppID?
        let address: String
        let detail: String
        var last: Timestamp?
        var count = 1
    }

    static func insertion(_ row: Row) -> SQL {
        """
        INSERT INTO audit
            (id, at, last_at, act, actor, account_id, session_id, app_id, address, detail)
        VALUES
            (\(row.id), \(row.at), \(row.at), \(row.act), \(row.actor), \(row.account), \(row.session), \(row.app),
            \(row.address), \(row.detail))
        """
    }

    /// Counts in the row of the bucket; the first makes it.
    static func count(_ row: Row, bucket: [UInt8]) -> SQL {
        """
        INSERT INTO audit AS a
            (id, at, last_at, act, actor, account_id, session_id, app_id, address, detail, bucket)
        VALUES
            (\(row.id), \(row.at), \(row.at), \(row.act), \(row.actor), \(row.account), \(row.session), \(row.app),
            \(row.address), \(row.detail), \(bucket))
        ON CONFLICT (bucket) DO UPDATE
        SET count = a.count + 1, last_at = greatest(a.last_at, excluded.last_at)
        """
    }

    /// Oldest first; of one account, or of all.
    static func page(of account: AccountID?, after id: ID<AuditNote>, limit: Int, in database: Database) async throws
        -> [Row]
    {
        try await database.query(
            """
            SELECT id, at, act, actor, account_id, session_id, app_id, address, detail, last_at, count
            FROM audit
            WHERE id > \(id) AND (\(account)::bigint IS NULL OR account_id = \(account))
            ORDER BY id
            LIMIT \(limit)
            """
        ).map { row in
            var columns = row.columns
            return Row(
                id: try columns.next(),
                at: try columns.next(),
                act: try columns.next(),
                actor: try columns.next(),
                account: try columns.next(),
                session: try columns.next(),
                app: try columns.next(),
                address: try columns.next(),
                detail: try columns.next(),
                last: try columns.next(),
                count: try columns.next()
            )
        }
    }

    static func purge(before cutoff: Timestamp, in database: Database) async throws -> Int {
        try await database.query(
            """
            DELETE FROM audit
            WHERE id IN (SELECT id FROM audit WHERE at < \(cutoff) AND last_at < \(cutoff) LIMIT 1000)
            """
        ).affected
    }
}
