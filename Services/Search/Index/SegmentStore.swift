// SPDX-License-Identifier: Apache-2.0
// The parts of the index by the age of what lies in them, and how terms are cut into lists of them.

import Domain
import Postgres

enum SegmentStore {
    /// Documents in a segment.
    static let size = 1024

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

    /// Those of these kinds whose newest segment is full, or that have none.
    static func full(_ kinds: [SearchKind], size: Int = size, in database: some Querying) async throws -> [SearchKind] {
        try await database.query(
            """
            SELECT k.kind FROM unnest(\(kinds.map(\.rawValue).sorted())) AS k (kind)
            LEFT JOIN LATERAL (
                SELECT s.first_id FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
            ) s ON true
            WHERE s.first_id IS NULL OR (
                SELECT count(*) FROM (
                    SELECT 1 FROM documents d WHERE d.kind = k.kind AND d.id >= s.first_id LIMIT \(size)
                ) AS newest
            ) = \(size)
            """
        ).all { try $0.next() }
    }

    /// Begins a segment behind all documents of a kind.
    ///
    /// - Returns: its number.
    static func open(_ kind: SearchKind, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            INSERT INTO segments (kind, number, first_id)
            SELECT k.kind, coalesce(s.number + 1, 0), CASE WHEN s.number IS NULL THEN \(Int64.min) ELSE (
                SELECT max(d.id) + 1 FROM documents d WHERE d.kind = k.kind
            ) END
            FROM (SELECT CAST(\(kind.rawValue) AS smallint) AS kind) k
            LEFT JOIN LATERAL (
                SELECT s.number FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
            ) s ON true
            RETURNING number
            """
        ).number()
    }

    /// The documents of the segments in a range, as they are kept.
    static func documents(_ kind: SearchKind, in numbers: Range<Int>, in database: some Querying) async throws
        -> [(segment: Int, keys: [Int32], form: UTF8Bytes)]
    {
        try await database.query(
            """
            SELECT s.number, d.keys, d.form
            FROM (
                SELECT s.number, s.first_id, lead(s.first_id) OVER (ORDER BY s.number) AS next_id FROM segments s
                WHERE s.kind = \(kind.rawValue) AND s.number >= \(numbers.lowerBound) AND s.number <= \(numbers.upperBound)
            ) s
            JOIN documents d ON d.kind = \(kind.rawValue) AND d.id >= s.first_id AND d.id < s.next_id AND NOT d.gone
            """
        ).all { (try $0.next(), try $0.next(), try $0.next()) }
    }

    /// Keeps how terms are cut from a segment on.
    static func keep(_ shifts: [Int32: Int], of kind: SearchKind, since number: Int, in transaction: some Transacting) {
        guard !shifts.isEmpty else { return }
        let rows = shifts.sorted { $0.key < $1.key }
        transaction.enqueue(
            """
            INSERT INTO frequent (kind, term, since, shift)
            SELECT \(kind.rawValue), t.term, \(number), t.shift FROM unnest(\(rows.map(\.key)), \(rows.map(\.value))) AS t (term, shift)
            ON CONFLICT (kind, term, since) DO NOTHING
            """
        )
    }

    /// Those that are known, with what was begun since.
    ///
    /// - Returns: nil where those that are known are not there any more.
    static func lists(of kind: SearchKind, after known: Lists, in database: some Querying) async throws -> Lists? {
        // The newest that is known comes again, to tell that it is there.
        let newest = known.newest ?? -1
        var rows: [(Int, Int64?, Int, Int)] = try await database.query(
            """
            SELECT s.number, s.first_id, CAST(0 AS integer), CAST(0 AS smallint) FROM segments s
            WHERE s.kind = \(kind.rawValue) AND s.number >= \(newest)
            UNION ALL
            SELECT f.since, NULL, f.term, f.shift FROM frequent f WHERE f.kind = \(kind.rawValue) AND f.since > \(newest)
            UNION ALL
            SELECT -2, NULL, 0, 0 FROM whole_pairs w WHERE w.kind = \(kind.rawValue)
            ORDER BY 1
            """
        ).all { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        var lists = known
        lists.hasWholePairs = rows.first?.0 == -2
        if lists.hasWholePairs { rows.removeFirst() }
        if let last = known.firsts.last {
            guard let first = rows.first, first.0 == newest, first.1 == last else { return nil }
        }
        for (number, first, term, shift) in rows where number > newest {
            if let first {
                // One that is missing is as if nothing lay in it.
                repeat { lists.add(segment: first) } while lists.firsts.count <= number
            } else {
                lists.add(Lists.Cut(since: number, shift: shift), of: Int32(truncatingIfNeeded: term))
            }
        }
        return lists
    }
}
