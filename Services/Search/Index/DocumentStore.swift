// SPDX-License-Identifier: Apache-2.0
// What can be found.

import Domain
package import Postgres
import TextAnalysis

/// A document that matched, before it is ranked.
struct Candidate: Sendable {
    let id: Int64
    let popularity: Int
    let form: String
    let source: String

    static let columns: SQL = "d.id, d.popularity, d.form, d.source"
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
    /// - Parameter documents: each once.
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
                ARRAY(SELECT t # s.mask FROM unnest(CAST(d.terms AS integer[])) AS t), d.form, d.source
            FROM unnest(
                \(rows.map(\.kind.rawValue)), \(rows.map(\.id)), \(rows.map(\.version)),
                \(rows.map { $0.author?.rawValue ?? 0 }), \(rows.map(\.audience.rawValue)), \(rows.map { $0.place ?? 0 }),
                \(rows.map { list($0.people.map(\.rawValue)) }), \(rows.map(\.popularity)), \(rows.map(\.popularityVersion)),
                \(documents.map { list($0.terms.map(\.number)) }), \(documents.map(\.form)), \(rows.map(\.text))
            ) AS d (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version, terms, form, source)
            CROSS JOIN LATERAL (
                SELECT s.mask FROM segments s WHERE s.kind = d.kind AND s.first_id <= d.id ORDER BY s.number DESC LIMIT 1
            ) s
            -- A place that is gone takes nothing in any more; what was in it goes with the sweep.
            WHERE NOT EXISTS (SELECT FROM places p WHERE p.id = d.place_id AND p.gone)
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
                    excluded.form, excluded.source, excluded.keys, excluded.audience, excluded.author_id, excluded.place_id, excluded.people
                ) IS DISTINCT FROM (
                    documents.form, documents.source, documents.keys, documents.audience, documents.author_id, documents.place_id,
                    documents.people
                )
            RETURNING kind, id
            """
        ).keys()
    }

    private static func list(_ numbers: some Sequence<some BinaryInteger>) -> String {
        "{" + numbers.map { "\($0)" }.joined(separator: ",") + "}"
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
            WHERE excluded.popularity_version > documents.popularity_version AND (NOT documents.gone OR documents.version = -1)
            """
        )
    }

    /// The texts of these; without those that are gone.
    static func texts(of ids: [Int64], _ kind: SearchKind, in database: some Querying) async throws -> [Int64: String] {
        let rows: [(Int64, String)] = try await database.query(
            "SELECT d.id, d.source FROM documents d WHERE d.kind = \(kind.rawValue) AND d.id = ANY (\(ids)) AND NOT d.gone"
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { $1 }
    }

    /// The newest that match and that the viewer may see, newest first. A segment after the other is looked at, until there
    /// are enough; who may see what is asked of the newest first, and of no more than are shown.
    static func newest(_ match: Match, in database: some Querying) async throws -> [Candidate] {
        try await database.query(
            """
            SELECT \(Candidate.columns)
            FROM (
                SELECT number, mask FROM segments
                WHERE kind = \(match.kind.rawValue) AND first_id < \(match.ceiling)
                ORDER BY number DESC
            ) s
            \(match.keys)
            CROSS JOIN LATERAL (
                SELECT d.id, d.popularity, d.form, d.source FROM (
                    SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
                    WHERE \(match.hasKeys) AND d.kind = \(match.kind.rawValue) AND NOT d.gone
                        AND d.id < \(match.ceiling) AND d.id > \(match.floor)
                        AND d.form LIKE ALL (\(match.all)) AND d.form NOT LIKE ALL (\(match.none))\(match.hasSome)
                    ORDER BY d.id DESC
                    OFFSET 0
                ) d
                WHERE \(Visible.to(match.viewer))
                LIMIT \(match.limit)
            ) d
            LIMIT \(match.limit)
            """
        ).all(as: Candidate.init)
    }
}

/// A document with what the index keeps of it.
struct AnalyzedDocument: Sendable {
    let document: SearchDocument
    let terms: [Term]
    let form: String
    /// Words that spaces part, as they were written.
    let words: Set<String>

    init(_ document: SearchDocument) {
        self.document = document
        let text = AnalyzedText(document.text)
        terms = text.terms.union(document.facts).sorted { $0.number < $1.number }
        form = text.formText
        words = Set(text.tokens.lazy.filter { !$0.isDense && (3...24).contains($0.written.utf8.count) }.map(\.written))
    }
}
