// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/note: somebody writes down, for themselves, who an account is.

import Web

/// Sets the private note on an account; an empty one takes it away.
enum NoteAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let comment = try request.parameters().text("comment", limit: 2000) ?? ""
        return try await ChangePair.run(request, dependencies) { pair, transaction in
            if comment.isEmpty {
                BlockStore.deleteNote(pair, in: transaction)
            } else {
                BlockStore.setNote(pair, comment: comment, in: transaction)
            }
        }
    }
}
