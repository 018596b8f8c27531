// SPDX-License-Identifier: Apache-2.0
// The SQL of `documents` and `document_texts`.

import Domain
import Postgres

enum DocumentStore {
    /// Nobody else publishes a text until the transaction ends.
    static func hold(in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(hashtextextended('documents', 0))")
    }

    /// As the next version of its kind. Throws a unique violation of `documents_day` where there is one for that day.
    static func insert(
        _ id: DocumentID,
        _ draft: Document.Draft,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Document? {
        try await transaction.query(
            """
            INSERT INTO documents AS d (id, kind, version, published_at, effective_on, consent_until)
            SELECT \(id), \(draft.kind), coalesce((
                SELECT e.version FROM documents e WHERE e.kind = \(draft.kind) ORDER BY e.version DESC LIMIT 1
            ), 0) + 1, \(now), \(draft.effective), \(draft.consentUntil)
            RETURNING \(Document.columns)
            """
        ).one { try $0.next() }
    }

    static func insert(_ text: String, _ language: Language, of id: DocumentID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO document_texts (document_id, language, text)
            VALUES (\(id), \(language.rawValue), \(text))
            """
        )
    }

    static let dayConstraint = "documents_day"

    /// The newest versions of a kind, the newest first.
    static func list(
        _ kind: DocumentKind,
        before version: Int64,
        limit: Int,
        in database: some Querying
    ) async throws -> [Document] {
        try await database.query(
            """
            SELECT \(Document.columns)
            FROM documents d
            WHERE d.kind = \(kind) AND d.version < \(version)
            ORDER BY d.version DESC
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// The last day for which there is a text of a kind; nil where there is none.
    static func lastDay(_ kind: DocumentKind, in database: some Querying) async throws -> Day? {
        try await database.query(
            """
            SELECT effective_on
            FROM documents
            WHERE kind = \(kind)
            ORDER BY effective_on DESC
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    /// The text that is in force on a day, with the day on which the next one is.
    static func inForce(
        _ kind: DocumentKind,
        on day: Day,
        in database: some Querying
    ) async throws -> (document: Document, next: Day?)? {
        try await database.query(
            """
            SELECT \(Document.columns), (
                SELECT n.effective_on
                FROM documents n
                WHERE n.kind = d.kind AND n.effective_on > d.effective_on
                ORDER BY n.effective_on
                LIMIT 1
            )
            FROM documents d
            WHERE d.kind = \(kind) AND d.effective_on <= \(day)
            ORDER BY d.effective_on DESC
            LIMIT 1
            """
        ).one { (try $0.next(), try $0.next()) }
    }

    /// A text in all its languages.
    static func texts(of id: DocumentID, in database: some Querying) async throws -> [Language: String] {
        let texts: [(Language?, String)] = try await database.query(
            """
            SELECT language, text
            FROM document_texts
            WHERE document_id = \(id)
            ORDER BY language
            """
        ).all { (Language(rawValue: try $0.next()), try $0.next()) }
        return Dictionary(texts.compactMap { pair in pair.0.map { ($0, pair.1) } }) { first, _ in first }
    }
}
