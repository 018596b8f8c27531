// SPDX-License-Identifier: Apache-2.0
// Names as they are found while somebody types.

import Domain
import Postgres
import TextAnalysis

/// A name that may be meant.
struct NameCandidate: Columned {
    let hit: DocumentKey
    let typed: String
    /// Where in the name it begins.
    let position: Int
    let popularity: Int

    static let columns: SQL = "n.kind, n.id, n.typed, n.position, d.popularity"

    init(columns: inout Columns) throws {
        hit = try columns.read(DocumentKey.init)
        typed = try columns.next()
        position = try columns.next()
        popularity = try columns.next()
    }
}

/// How a name is looked for.
enum NameLookup: Sendable {
    case typed(String)
    case initials(String)
    case near([Int32])
}

enum NameStore {
    /// Forgets the names of documents.
    static func clear(_ documents: [DocumentKey], in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM names n USING unnest(\(documents.map(\.kind.rawValue)), \(documents.map(\.id))) AS d (kind, id)
            WHERE n.kind = d.kind AND n.id = d.id
            """
        )
    }

    /// Adds names of documents that have none.
    static func add(_ names: [(DocumentKey, [String])], in transaction: some Transacting) {
        var rows: [(hit: DocumentKey, position: Int, start: NameKeys.Start, near: String?)] = []
        for (hit, names) in names {
            var position = 0
            for name in names {
                let keys = NameKeys(name)
                for (index, start) in keys.starts.enumerated() {
                    let near = index == 0 ? keys.near.sorted().arrayText : nil
                    rows.append((hit, position, start, near))
                    position += 1
                }
            }
        }
        transaction.enqueue(
            """
            INSERT INTO names (kind, id, position, typed, initials, near, within, weight)
            SELECT n.kind, n.id, n.position, n.typed, nullif(n.initials, ''), CAST(nullif(n.near, '') AS integer[]), n.position > 0, coalesce((
                SELECT \(weight) FROM documents d WHERE d.kind = n.kind AND d.id = n.id
            ), 0)
            FROM unnest(
                \(rows.map(\.hit.kind.rawValue)), \(rows.map(\.hit.id)), \(rows.map(\.position)), \(rows.map(\.start.typed)),
                \(rows.map { $0.start.initials ?? "" }), \(rows.map { $0.near ?? "" })
            ) AS n (kind, id, position, typed, initials, near)
            ON CONFLICT (kind, id, position) DO NOTHING
            """
        )
    }

    /// Keeps how popular those are that bear names, where it is another doubling.
    static func weigh(_ documents: [DocumentKey], in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE names n SET weight = \(weight)
            FROM unnest(\(documents.map(\.kind.rawValue)), \(documents.map(\.id))) AS k (kind, id)
            JOIN documents d ON d.kind = k.kind AND d.id = k.id
            WHERE n.kind = k.kind AND n.id = k.id AND n.weight <> \(weight)
            """
        )
    }

    /// How often a popularity can be halved before nothing is left: `Ranking.doublings`.
    private static let weight: SQL = "length(ltrim(CAST(CAST(greatest(d.popularity, 0) AS bit(32)) AS text), '0'))"

    /// The most popular names that the viewer may see: the whole name first, then from its beginning on, then from within.
    ///
    /// - Parameter most: places in names that begin so, of each kind.
    static func find(
        _ lookup: NameLookup,
        of kinds: [SearchKind],
        for viewer: AccountID?,
        most: Int,
        in database: some Querying
    ) async throws -> [NameCandidate] {
        switch lookup {
        case .typed(let text): try await find(begun: text, "n.typed", of: kinds, for: viewer, most: most, in: database)
        case .initials(let text):
            try await find(begun: text, "n.initials", of: kinds, for: viewer, most: most, in: database)
        case .near(let numbers): try await find(near: numbers, of: kinds, for: viewer, in: database)
        }
    }

    /// How many names are looked at of one kind, place and weight: where most of them may not be seen.
    private static let depth = 2000

    private static func find(
        begun text: String,
        _ column: SQL,
        of kinds: [SearchKind],
        for viewer: AccountID?,
        most: Int,
        in database: some Querying
    ) async throws -> [NameCandidate] {
        // A walk along the index for each weight, from the greatest on, ends when there are enough.
        let weights = Array((0...31).reversed())
        let (whole, begun) = (text + "\u{1}", text + "\u{10FFFF}")
        let starts = [text, text, whole, whole].flatMap { start in weights.map { _ in start } }
        let ends = [whole, whole, begun, begun].flatMap { end in weights.map { _ in end } }
        let within = [false, true, false, true].flatMap { within in weights.map { _ in within } }
        return try await database.query(
            """
            SELECT n.kind, n.id, n.typed, n.position, n.popularity
            FROM unnest(\(kinds.map(\.rawValue))) AS k (kind)
            CROSS JOIN LATERAL (
                SELECT n.kind, n.id, n.typed, n.position, d.popularity
                FROM unnest(\(within), \(weights + weights + weights + weights), \(starts), \(ends)) AS s (within, weight, start, ending)
                CROSS JOIN LATERAL (
                    SELECT n.kind, n.id, n.typed, n.position FROM names n
                    WHERE n.kind = k.kind AND n.within = s.within AND n.weight = s.weight
                        AND \(column) >= s.start AND \(column) < s.ending
                    ORDER BY \(column)
                    LIMIT \(depth)
                ) n
                CROSS JOIN LATERAL (
                    SELECT d.author_id, d.audience, d.place_id, d.people, d.popularity FROM documents d
                    WHERE d.kind = n.kind AND d.id = n.id AND NOT d.gone
                    OFFSET 0
                ) d
                WHERE \(Visible.to(viewer))
                LIMIT \(most)
            ) n
            """
        ).all { try $0.next(NameCandidate.self) }
    }

    private static func find(
        near numbers: [Int32],
        of kinds: [SearchKind],
        for viewer: AccountID?,
        in database: some Querying
    ) async throws -> [NameCandidate] {
        try await database.query(
            """
            SELECT \(NameCandidate.columns)
            FROM unnest(\(kinds.map(\.rawValue))) AS k (kind)
            CROSS JOIN LATERAL (
                SELECT n.kind, n.id, n.typed, n.position FROM names n
                WHERE n.kind = k.kind AND n.near && \(numbers)
                ORDER BY n.weight DESC, n.id
                LIMIT 400
            ) n
            JOIN documents d ON d.kind = n.kind AND d.id = n.id
            WHERE NOT d.gone AND \(Visible.to(viewer))
            """
        ).all { try $0.next(NameCandidate.self) }
    }
}
