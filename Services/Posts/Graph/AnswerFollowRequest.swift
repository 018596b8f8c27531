// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/follow_requests/:id/authorize and /reject: a locked account answers who asks to follow it.

import Web

/// Lets the account of the path follow.
enum AuthorizeFollowRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            let options = try await pair.followBack.endRequest(dependencies, in: transaction).found()
            try await pair.followBack.begin(options, dependencies, in: transaction)
        }
    }
}

/// Refuses the account of the path.
enum RejectFollowRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            guard try await pair.followBack.endRequest(dependencies, in: transaction) != nil else {
                throw Problem.notFound
            }
        }
    }
}
