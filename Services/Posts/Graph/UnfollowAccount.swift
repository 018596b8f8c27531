// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/unfollow and /remove_from_followers: a follow ends.

import Web

/// Ends a follow, or withdraws the request for one.
enum UnfollowAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(
            request,
            dependencies,
            knowing: { pair, ties, transaction in
                if ties.isRequested { try await pair.follow.endRequest(dependencies, in: transaction) }
                guard ties.isFollowing else { return nil }
                return try await pair.follow.end(dependencies, in: transaction) {
                    try await ChangePair.relationship(of: pair.actor, to: pair.target, dependencies, in: $0)
                }
            }
        )
    }
}

/// Makes another account stop following.
enum RemoveFollower {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            try await pair.followBack.end(dependencies, in: transaction)
        }
    }
}
