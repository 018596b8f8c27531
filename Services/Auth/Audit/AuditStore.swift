// SPDX-License-Identifier: Apache-2.0
// The SQL of `audit`.

import Domain
import Postgres

/// Kind of the ids of notes.
enum AuditNote {}

/// What was done to accounts; rows are only added, and go when they are old.
enum AuditStore {
    struct Note: Columned {
        let id: ID<AuditNote>
        let at: Timestamp
        let act: String
        let actor: String
        let account: AccountID?
        let session: SessionID?
        let app: AppID?
        let address: String
        let detail: String
    }

    /// A note, and when it was made for the last time of how many.
    struct Counted: Sendable {
        let note: Note
        let last: Timestamp
        let count: Int

        static let columns: SQL = "\(Note.columns), last_at, count"
    }

    static func insert(_ note: Note, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO audit (\(Note.columns), last_at)
            VALUES (\(note.values), \(note.at))
            """
        )
    }

    /// Counts in the row of the bucket; the first makes it.
    static func count(_ note: Note, bucket: [UInt8], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO audit AS a (\(Note.columns), last_at, bucket)
            VALUES (\(note.values), \(note.at), \(bucket))
            ON CONFLICT (bucket) DO UPDATE
            SET count = a.count + 1, last_at = greatest(a.last_at, excluded.last_at)
            """
        )
    }

    /// Oldest first; of one account, or of all.
    static func page(
        of account: AccountID?,
        after id: ID<AuditNote>,
        limit: Int,
        in database: some Querying
    ) async throws -> [Counted] {
        let whose: SQL = account.map { "AND account_id = \($0)" } ?? ""
        return try await database.query(
            """
            SELECT \(Counted.columns)
            FROM audit
            WHERE id > \(id) \(whose)
            ORDER BY id
            LIMIT \(limit)
            """
        ).all(as: Counted.init)
    }

    static func purge(before cutoff: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(of: "audit", by: "id", where: "at < \(cutoff) AND last_at < \(cutoff)", inOrderOf: "at")
        ).affected
    }
}

extension AuditStore.Note {
    static let columns: SQL = "id, at, act, actor, account_id, session_id, app_id, address, detail"

    init(columns: inout Columns) throws {
        self = try columns.read(Self.init)
    }

    /// In the order of `columns`.
    fileprivate var values: SQL {
        "\(id), \(at), \(act), \(actor), \(account), \(session), \(app), \(address), \(detail)"
    }
}
