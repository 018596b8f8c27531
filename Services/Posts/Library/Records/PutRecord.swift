// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/shelf/records and PUT /api/v1/shelf/records/:id: somebody writes down a reading of a book.

import Domain
import Web

/// Makes a record; one that the app named by a `client_id` is made once, however often it comes.
enum CreateRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let parameters = try request.parameters()
        let today = try await Today.named(by: parameters, dependencies)
        let draft = try RecordDraft(parameters, today: today, limits: dependencies.limits.library)
        let name = try parameters.string("client_id").map { text in
            guard let client = ClientID(text) else { throw Problem.invalid("client_id", "invalid") }
            return RecordName.client(client)
        }
        let written = try await ShelfWork.run(account, dependencies) { try await Records.put(name, draft, $0) }
        return .json(written.view(site: dependencies.site))
    }
}

/// Changes a record, or makes the one that the app names by a UUID.
enum PutRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let name = try request.recordName()
        let parameters = try request.parameters()
        let today = try await Today.named(by: parameters, dependencies)
        let draft = try RecordDraft(parameters, today: today, limits: dependencies.limits.library)
        let written = try await ShelfWork.run(account, dependencies) { try await Records.put(name, draft, $0) }
        return .json(written.view(site: dependencies.site))
    }
}
