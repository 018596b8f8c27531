// SPDX-License-Identifier: Apache-2.0
// Publishing a version of the rules, the privacy policy or the terms of service: by an app or at the command line.

import Domain
import Postgres
import Views
import Web

/// Publishes the next version of a text. Versions take effect in the order of their numbers.
struct PublishDocument: Sendable {
    let database: Database
    let ids: IDGenerator
    let now: @Sendable () -> Timestamp
    let audit: Audit

    func run(_ draft: Document.Draft) async throws -> Document {
        let (id, moment) = (try ids.next() as DocumentID, now())
        return try await database.transaction { transaction in
            DocumentStore.hold(in: transaction)
            if let last = try await DocumentStore.lastDay(draft.kind, in: transaction), last >= draft.effective {
                throw Problem.invalid("effective_date", "taken")
            }
            let document = try await DocumentStore.insert(id, draft, at: moment, in: transaction).found()
            for (language, text) in draft.texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                DocumentStore.insert(text, language, of: id, in: transaction)
            }
            let detail = "\(draft.kind.rawValue) \(document.version) from \(draft.effective)"
            try audit.note(.documentPublished, .init(detail: detail), in: transaction)
            return document
        }
    }
}

/// /api/v1/admin/documents: the versions of the texts, for whoever runs the place.
enum Documents {
    @Sendable static func publish(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard try request.requireStaff().role == .admin else { throw Problem.forbidden }
        let parameters = try request.parameters()
        let today = Day(dependencies.now())
        let draft = try Document.Draft(
            kind: try kind(parameters),
            texts: try texts(parameters),
            effective: try day(parameters) ?? today,
            graceDays: try parameters.integer("grace_days"),
            today: today
        )
        let document = try await PublishDocument(
            database: dependencies.database,
            ids: dependencies.ids,
            now: dependencies.now,
            audit: Audit(request, dependencies)
        ).run(draft)
        return .json(DocumentView(document: document))
    }

    @Sendable static func list(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try request.requireStaff()
        let parameters = try request.parameters()
        let documents = try await DocumentStore.list(
            try kind(parameters),
            before: try parameters.integer("max_version") ?? .max,
            limit: try parameters.limit(default: 20, maximum: 40),
            in: dependencies.database
        )
        return .json(array: documents.map(DocumentView.init))
    }

    private static func kind(_ parameters: Parameters) throws -> DocumentKind {
        guard let name = try parameters.string("kind") else { throw Problem.invalid("kind", "blank") }
        guard let kind = DocumentKind(rawValue: name) else { throw Problem.invalid("kind", "inclusion") }
        return kind
    }

    private static func day(_ parameters: Parameters) throws -> Day? {
        guard let text = try parameters.string("effective_date"), !text.isEmpty else { return nil }
        guard let day = Day(text) else { throw Problem.invalid("effective_date", "invalid") }
        return day
    }

    /// `texts[en]`, `texts[ko]`, `texts[ja]`.
    private static func texts(_ parameters: Parameters) throws -> [Language: String] {
        guard let given = try parameters.nested("texts") else { throw Problem.invalid("texts", "blank") }
        var texts: [Language: String] = [:]
        for language in Language.allCases { texts[language] = try given.string(language.rawValue) }
        return texts
    }
}

/// A version of a text, without the text.
private struct DocumentView: ObjectView {
    let document: Document

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", document.id)
        json.member("kind", document.kind.rawValue)
        json.member("version", document.version)
        json.member("published_at", document.published)
        json.member("effective_date", document.effective.description)
        json.member("consent_until", document.consentUntil)
    }
}
