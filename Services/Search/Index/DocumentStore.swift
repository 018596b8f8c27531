// SPDX-License-Identifier: Apache-2.0
// What can be found.

import Domain
package import Postgres
import TextAnalysis

/// A document that matched, before it is ranked.
struct Candidate: Sendable {
    let id: Int64
    let popularity: Int
    let form: UTF8Bytes
    let source: UTF8Bytes

    static let columns: SQL = "d.id, d.popularity, d.form, d.source"
}

/// A text of which nothing is asked but its bytes: most that are ranked are not shown.
struct UTF8Bytes: PostgresDecodable {
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(cell: Cell) { bytes = cell.bytes }
}

extension SearchKind: PostgresDecodable {
    package init(cell: Cell) throws {
        guard let kind = SearchKind(rawValue: try Int(cell: cell)) else { throw cell.mismatch("no kind of document") }
        self = kind
    }
}

extension Rows {
    /// Of a statement that answers `kind, id`.
    fileprivate func keys() throws -> Set<DocumentKey> { Set(try all(as: DocumentKey.init)) }
}

enum DocumentStore {
    /// Keeps each unless it, or a newer one, is known.
    ///
    /// - Parameter documents: each once, with its keys.
    /// - Returns: those that were new.
    static func keep(_ documents: [AnalyzedDocument], in transaction: some Transacting) async throws -> Set<DocumentKey>
    {
        let rows = documents.map(\.document)
        return try await transaction.query(
            """
            INSERT INTO documents (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version,
                gone, keys, form, source)
            SELECT d.kind, d.id, d.version, nullif(d.author_id, 0), d.audience, nullif(d.place_id, 0),
                CAST(d.people AS bigint[]), d.popularity, d.popularity_version, false,
                CAST(d.keys AS integer[]), d.form, d.source
            FROM unnest(
                \(rows.map(\.kind.rawValue)), \(rows.map(\.id)), \(rows.map(\.version)),
                \(rows.map { $0.author?.rawValue ?? 0 }), \(rows.map(\.audience.rawValue)), \(rows.map { $0.place ?? 0 }),
                \(rows.map { $0.people.map(\.rawValue).arrayText }), \(rows.map(\.popularity)), \(rows.map(\.popularityVersion)),
                \(documents.map(\.keys.arrayText)), \(documents.map(\.form)), \(rows.map(\.text))
            ) AS d (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version, keys, form, source)
            -- A place that is gone takes nothing in any more; what was in it goes with the sweep.
            WHERE NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
            ORDER BY d.kind, d.id
            ON CONFLICT (kind, id) DO UPDATE
            SET version = excluded.version, author_id = excluded.author_id, audience = excluded.audience,
                place_id = excluded.place_id, people = excluded.people,
                popularity = CASE WHEN excluded.popularity_version >= documents.popularity_version
                    THEN excluded.popularity ELSE documents.popularity END,
                popularity_version = greatest(excluded.popularity_version, documents.popularity_version),
                changed_at = now(), gone = false, keys = excluded.keys, form = excluded.form, source = excluded.source
            WHERE excluded.version > documents.version
                -- What is told again repairs what is not as it was told.
                OR excluded.version = documents.version AND NOT documents.gone AND (
                    excluded.form, excluded.source, excluded.keys, excluded.audience, excluded.author_id, excluded.place_id, excluded.people,
                    CASE WHEN excluded.popularity_version >= documents.popularity_version THEN excluded.popularity ELSE documents.popularity END
                ) IS DISTINCT FROM (
                    documents.form, documents.source, documents.keys, documents.audience, documents.author_id, documents.place_id,
                    documents.people, documents.popularity
                )
            RETURNING kind, id
            """
        ).keys()
    }

    /// Those of some documents of which this version is the one that is kept.
    static func current(_ documents: [SearchDocument], in database: some Querying) async throws -> Set<DocumentKey> {
        try await database.query(
            """
            SELECT d.kind, d.id
            FROM unnest(\(documents.map(\.kind.rawValue)), \(documents.map(\.id)), \(documents.map(\.version)))
                AS k (kind, id, version)
            JOIN documents d ON d.kind = k.kind AND d.id = k.id AND d.version = k.version AND NOT d.gone
            """
        ).keys()
    }

    /// Keeps that these are gone, unless a newer version is known.
    ///
    /// - Parameter removals: each document once.
    /// - Returns: those that are gone by it.
    static func bury(_ removals: [SearchRemoval], in transaction: some Transacting) async throws -> Set<DocumentKey> {
        try await transaction.query(
            """
            INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
            SELECT d.kind, d.id, d.version, 0, '{}', 0, 0, true, '{}', '', ''
            FROM unnest(\(removals.map(\.kind.rawValue)), \(removals.map(\.id)), \(removals.map(\.version)))
                AS d (kind, id, version)
            ORDER BY d.kind, d.id
            ON CONFLICT (kind, id) DO UPDATE
            SET version = excluded.version, author_id = NULL, audience = 0, place_id = NULL, people = '{}', popularity = 0,
                popularity_version = 0, gone = true, changed_at = now(), keys = '{}', form = '',
                source = ''
            WHERE excluded.version >= documents.version
            RETURNING kind, id
            """
        ).keys()
    }

    /// Removes these, and keeps nothing of them.
    static func forget(_ documents: [DocumentKey], in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM documents d USING unnest(\(documents.map(\.kind.rawValue)), \(documents.map(\.id))) AS k (kind, id)
            WHERE d.kind = k.kind AND d.id = k.id
            """
        )
    }

    /// Keeps how popular these are; their keys stay, so no index is written. One that is still to come waits as one that is
    /// gone and older than any.
    static func keep(_ popularity: [SearchPopularity], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
            SELECT p.kind, p.id, -1, 0, '{}', p.popularity, p.version, true, '{}', '', ''
            FROM unnest(
                \(popularity.map(\.kind.rawValue)), \(popularity.map(\.id)), \(popularity.map(\.popularity)),
                \(popularity.map(\.version))
            ) AS p (kind, id, popularity, version)
            ORDER BY p.kind, p.id
            ON CONFLICT (kind, id) DO UPDATE
            SET popularity = excluded.popularity, popularity_version = excluded.popularity_version
            WHERE excluded.popularity_version >= documents.popularity_version AND (NOT documents.gone OR documents.version = -1)
                AND (excluded.popularity, excluded.popularity_version)
                    IS DISTINCT FROM (documents.popularity, documents.popularity_version)
            """
        )
    }

    /// Brings the keys that were written from the index's pending list into the index, all entries of a key at once:
    /// whatever is left there is read again for each list that somebody looks into.
    static let keyMerge: SQL = "SELECT gin_clean_pending_list('documents_keys')"

    /// The texts of these; without those that are gone.
    static func texts(of ids: [Int64], _ kind: SearchKind, in database: some Querying) async throws -> [Int64: String] {
        let rows: [(Int64, String)] = try await database.query(
            "SELECT d.id, d.source FROM documents d WHERE d.kind = \(kind.rawValue) AND d.id = ANY (\(ids)) AND NOT d.gone"
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { $1 }
    }

    /// The newest that match and that the viewer may see, newest first: a step after the other, until there are enough or no more
    /// time. Who may see what is asked of the newest first, and of no more than are shown.
    ///
    /// - Parameters:
    ///   - byKeys: whether the patterns on the form are left to whoever asks, because the keys say the same.
    ///   - time: after which no further step is begun.
    static func newest(_ match: Match, _ walk: Walk, byKeys: Bool, time: Duration, in database: some Querying)
        async throws -> Newest
    {
        let (arrays, names, conditions) = keys(walk)
        let isOver: SQL =
            "clock_timestamp() > statement_timestamp() + \(Int(time / .milliseconds(1))) * interval '1 millisecond'"
        // A sum is no column: the ids of a step would be made a bitmap of as well, which is larger than that of the keys.
        let range: SQL =
            walk.groups.isEmpty
            ? "d.kind = \(match.kind.rawValue) AND d.id < s.ceiling AND d.id >= s.floor"
            : "d.kind + 0 = \(match.kind.rawValue) AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor"
        let patterns: SQL =
            byKeys ? "" : " AND d.form LIKE ALL (\(match.all)) AND d.form NOT LIKE ALL (\(match.none))\(match.hasSome)"
        let rows: [(Candidate, Int?, Bool)] = try await database.query(
            """
            (
                SELECT \(Candidate.columns), NULL AS newest, false AS isover
                FROM (
                    SELECT * FROM unnest(\(walk.ceilings), \(walk.floors)\(arrays)) AS s (ceiling, floor\(names)) WHERE NOT \(isOver)
                ) s
                CROSS JOIN LATERAL (
                    SELECT d.id, d.popularity, d.form, d.source FROM (
                        SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
                        WHERE \(range) AND NOT d.gone\(conditions)\(patterns)
                        ORDER BY d.id DESC
                        OFFSET 0
                    ) d
                    WHERE \(Visible.to(match.viewer))
                    LIMIT \(match.limit)
                ) d
                LIMIT \(match.limit)
            )
            UNION ALL
            SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = \(match.kind.rawValue)), \(isOver)
            """
        ).all { (try $0.read(Candidate.init), try $0.next(), try $0.next()) }
        return Newest(
            candidates: rows.dropLast().map(\.0),
            newestSegment: rows.last?.1,
            isCut: rows.count <= match.limit && rows.last?.2 ?? false
        )
    }

    /// Beside each step where its keys end among those of all steps, and what is asked of documents by them.
    private static func keys(_ walk: Walk) -> (arrays: SQL, names: SQL, conditions: SQL) {
        var (arrays, names, conditions): (SQL, SQL, SQL) = ("", "", "")
        func take(_ steps: Walk.Keys, as name: SQL, _ condition: SQL) {
            arrays = "\(arrays), \(steps.starts), \(steps.ends)"
            names = "\(names), \(name)0, \(name)1"
            conditions = "\(conditions) \(condition) d.keys && (\(steps.all))[s.\(name)0:s.\(name)1]"
        }
        let columns: [SQL] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"]
        for (steps, name) in zip(walk.groups, columns) { take(steps, as: name, "AND") }
        if !walk.excluded.all.isEmpty { take(walk.excluded, as: "without", "AND NOT") }
        return (arrays, names, conditions)
    }
}

/// What was found of a walk.
struct Newest: Sendable {
    let candidates: [Candidate]
    /// The number of the newest segment at the time; nil for none.
    let newestSegment: Int?
    /// Whether there was no time for all steps.
    let isCut: Bool
}

/// A document with what the index keeps of it.
struct AnalyzedDocument: Sendable {
    let document: SearchDocument
    let terms: [Term]
    /// Its terms as they are cut into lists (`cut(by:)`).
    private(set) var keys: [Int32] = []
    let form: String
    /// Words that spaces part, as they were written.
    let words: Set<String>

    init(_ document: SearchDocument) {
        self.document = document
        let text = AnalyzedText(document.text)
        terms = text.closeTerms.union(document.facts).sorted { $0.number < $1.number }
        form = text.formText
        words = Set(text.tokens.lazy.filter { !$0.isDense && (3...24).contains($0.written.utf8.count) }.map(\.written))
    }

    func cut(by lists: Lists) -> Self {
        var cut = self
        let segment = lists.segment(of: document.id)
        cut.keys = terms.flatMap { lists.keys(of: $0.number, in: segment...segment) }
        return cut
    }
}
