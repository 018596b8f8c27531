// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/instance/terms_of_service and …/:date: the terms of service, as the Mastodon API has them.

import Calls
import Domain
import HTTPTypes
import Views
import Web

/// The terms that are in force, or those that took or take effect on a day. There are none until they are published.
enum TermsOfService {
    @Sendable static func show(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(on: Day(dependencies.now()), exactly: false, request, dependencies)
    }

    @Sendable static func showDay(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let day = request.pathParameters["date"].flatMap({ Day($0) }) else { throw Problem.notFound }
        return try await answer(on: day, exactly: true, request, dependencies)
    }

    private static func answer(
        on day: Day,
        exactly: Bool,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let found = try await DocumentStore.inForce(.terms, on: day, in: dependencies.database).found()
        guard !exactly || found.document.effective == day else { throw Problem.notFound }
        let texts = try await DocumentStore.texts(of: found.document.id, in: dependencies.database)
        let asked = (try? request.parameters().string("lang")).flatMap { Language(rawValue: $0) } ?? request.language
        let text = texts[asked] ?? texts[.english] ?? texts.sorted { $0.key.rawValue < $1.key.rawValue }.first?.value
        let today = Day(dependencies.now())
        var answer = Answer.json { json in
            json.member("effective_date", found.document.effective.description)
            json.member("effective", found.document.effective <= today)
            json.member("content", SiteText(text ?? "").html)
            json.member("succeeded_by", found.next?.description)
        }
        answer.headers[.vary] = "Accept-Language"
        return answer
    }
}

/// The texts in force, for the gateway, which shows them.
enum ShowDocuments {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let day = Day(dependencies.now())
        var published: [PublishedTexts.Published] = []
        for kind in DocumentKind.allCases {
            guard let document = try await DocumentStore.inForce(kind, on: day, in: dependencies.database)?.document
            else { continue }
            let text = PublishedTexts.Published(
                kind: kind.rawValue,
                version: document.version,
                published: document.published,
                texts: try await DocumentStore.texts(of: document.id, in: dependencies.database)
            )
            published.append(text)
        }
        return .json(PublishedTexts(documents: published))
    }
}
