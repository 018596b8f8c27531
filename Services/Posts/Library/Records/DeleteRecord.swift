// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/shelf/records/:id: a reading is written down no more.

import Web

/// Deletes a record, and takes its book off the shelf if it was the last of it.
enum DeleteRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let name = try request.recordName()
        let base = try request.parameters().seq("version")
        let isDeleted = try await ShelfWork.run(account, dependencies) { work in
            try await Records.delete(name, base: base, work)
        }
        guard isDeleted else { throw Problem.notFound }
        return .empty
    }
}
