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

    fileprivate var condition: SQL {
        switch self {
        // The greatest scalar: whatever begins so comes before it.
        case .typed(let text): "n.typed >= \(text) AND n.typed < \(text + "\u{10FFFF}")"
        case .initials(let text): "n.initials >= \(text) AND n.initials < \(text + "\u{10FFFF}")"
        case .near(let numbers): "n.near && \(numbers)"
        }
    }
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
                    let near = index == 0 ? "{" + keys.near.sorted().map(String.init).joined(separator: ",") + "}" : nil
                    rows.append((hit, position, start, near))
                    position += 1
                }
            }
        }
        transaction.enqueue(
            """
            INSERT INTO names (kind, id, position, typed, initials, near)
            SELECT kind, id, position, typed, nullif(initials, ''), CAST(nullif(near, '') AS integer[]) FROM unnest(
                \(rows.map(\.hit.kind.rawValue)), \(rows.map(\.hit.id)), \(rows.map(\.position)), \(rows.map(\.start.typed)),
                \(rows.map { $0.start.initials ?? "" }), \(rows.map { $0.near ?? "" })
            ) AS n (kind, id, position, typed, initials, near)
            ON CONFLICT (kind, id, position) DO NOTHING
            """
        )
    }

    /// Names that the viewer may see, a bounded number of each kind.
    static func find(
        _ lookup: NameLookup,
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
                WHERE n.kind = k.kind AND \(lookup.condition)
                LIMIT 400
            ) n
            JOIN documents d ON d.kind = n.kind AND d.id = n.id
            WHERE NOT d.gone AND \(Visible.to(viewer))
            """
        ).all { try $0.next(NameCandidate.self) }
    }
}
