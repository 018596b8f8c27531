// SPDX-License-Identifier: Apache-2.0
// The parts of the index, by the age of what lies in them.

import Postgres

enum SegmentStore {
    /// Documents in a segment.
    static let size = 8192

    /// About how many documents of each kind there are: every full segment as many as it takes, and those of the newest.
    static func counts(in database: some Querying) async throws -> [SearchKind: Int] {
        let rows: [(SearchKind, Int)] = try await database.query(
            """
            SELECT s.kind, s.number * \(size) + (
                SELECT count(*) FROM (
                    SELECT 1 FROM documents d WHERE d.kind = s.kind AND d.id >= s.first_id LIMIT \(size)
                ) AS newest
            )
            FROM (SELECT DISTINCT ON (kind) kind, number, first_id FROM segments ORDER BY kind, number DESC) s
            """
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { $1 }
    }

    /// Makes sure that there is a segment of each kind, and begins a new one of those whose newest is full.
    static func open(_ kinds: [SearchKind], size: Int = size, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO segments (kind, number, first_id, mask)
            SELECT k.kind, n.number, n.first_id,
                CAST(((n.number * 2654435761 + k.kind * 40503 + 12345) & 4294967295) - 2147483648 AS integer)
            FROM unnest(\(kinds.map(\.rawValue).sorted())) AS k (kind)
            LEFT JOIN LATERAL (
                SELECT s.number, s.first_id FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
            ) s ON true
            CROSS JOIN LATERAL (
                SELECT CAST(0 AS bigint) AS number, CAST(\(Int64.min) AS bigint) AS first_id WHERE s.number IS NULL
                UNION ALL
                SELECT s.number + 1, (
                    SELECT max(d.id) + 1 FROM documents d WHERE d.kind = k.kind
                )
                WHERE (
                    SELECT count(*) FROM (
                        SELECT 1 FROM documents d WHERE d.kind = k.kind AND d.id >= s.first_id LIMIT \(size)
                    ) AS newest
                ) = \(size)
            ) n
            ON CONFLICT (kind, number) DO NOTHING
            """
        )
    }
}
