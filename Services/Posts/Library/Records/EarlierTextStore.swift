// SPDX-License-Identifier: Apache-2.0
// The SQL on texts of records that lost to later ones.

import Domain
import Postgres

extension EarlierText.Field: ColumnWord {}

/// A text that was kept, and its number, which tells when.
struct KeptText: Sendable {
    let id: RecordID
    let text: EarlierText
}

/// Statements about texts that lost; whoever writes holds the shelf.
enum EarlierTextStore {
    /// Keeps texts, of which the oldest beyond those that are kept are forgotten.
    static func keep(
        _ texts: [(id: RecordID, text: EarlierText)],
        of record: RecordID,
        keeping most: Int,
        in transaction: some Transacting
    ) {
        let surplus = SQL.deletingBeyond(
            max(0, most - texts.count),
            of: "earlier_texts",
            where: "record_id = \(record)",
            inOrderOf: "id"
        )
        transaction.enqueue(
            """
            WITH new AS (
                INSERT INTO earlier_texts (id, record_id, field, text)
                SELECT t.id, \(record), t.field, t.text
                FROM unnest(\(texts.map(\.id)), \(texts.map(\.text.field.rawValue)), \(texts.map(\.text.text)))
                    t (id, field, text)
            )
            \(surplus)
            """
        )
    }

    /// The newest first.
    static func texts(of record: RecordID, limit: Int, in database: some Querying) async throws -> [KeptText] {
        try await database.query(
            "SELECT id, field, text FROM earlier_texts WHERE record_id = \(record) ORDER BY id DESC LIMIT \(limit)"
        ).all { KeptText(id: try $0.next(), text: try $0.read(EarlierText.init(field:text:))) }
    }
}
