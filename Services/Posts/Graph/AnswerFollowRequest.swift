// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/follow_requests/:id/authorize and /reject: a locked account answers who asks to follow it.

import Web

/// Lets the account of the path follow.
enum AuthorizeFollowRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            guard let options = try await dependencies.endRequest(pair.target, pair.actor, in: transaction) else {
                throw Problem.notFound
            }
            try await dependencies.beginFollow(pair.target, pair.actor, options: options, in: transaction)
        }
    }
}

/// Refuses the account of the path.
enum RejectFollowRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            guard try await dependencies.endRequest(pair.target, pair.actor, in: transaction) != nil else {
                throw Problem.notFound
            }
        }
    }
}
