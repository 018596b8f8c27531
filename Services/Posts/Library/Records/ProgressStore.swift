// SPDX-License-Identifier: Apache-2.0
// The SQL on how far readers were, day by day, and on texts that lost to later ones.

import Domain
import Postgres

/// Statements about the days of records; whoever writes holds the shelf.
enum ProgressStore {
    /// The days of each of the records, the newest last.
    static func progress(
        of records: [RecordID],
        in database: some Querying
    ) async throws -> [RecordID: [Progress]] {
        let rows = try await database.query(
            """
            SELECT record_id, day, page, percent FROM reading_progress WHERE record_id = ANY (\(records))
            ORDER BY record_id, day
            """
        ).all { (record: try $0.next(RecordID.self), entry: try $0.read(Progress.init(day:page:percent:))) }
        return Dictionary(grouping: rows, by: \.record).mapValues { $0.map(\.entry) }
    }

    /// Writes down how far the reader of a record was on some days.
    static func put(
        _ days: [Progress],
        of record: RecordID,
        by owner: AccountID,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO reading_progress (record_id, day, account_id, page, percent)
            SELECT \(record), d.day, \(owner), nullif(d.page, -1), nullif(d.percent, -1)
            FROM unnest(\(days.map(\.day)), \(days.map { $0.page ?? -1 }), \(days.map { $0.percent ?? -1 }))
                d (day, page, percent)
            ON CONFLICT (record_id, day) DO UPDATE SET page = excluded.page, percent = excluded.percent
            """
        )
    }

    static func delete(_ days: [Day], of record: RecordID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM reading_progress WHERE record_id = \(record) AND day = ANY (\(days))")
    }
}
