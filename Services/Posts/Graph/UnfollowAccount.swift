// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/unfollow and /remove_from_followers: a follow ends.

import Web

/// Ends a follow, or withdraws the request for one.
enum UnfollowAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(
            request,
            dependencies,
            plainly: { try await PlainFollows.end(FollowChange(follow: $0), dependencies) },
            knowing: { pair, ties, transaction in
                if ties.isRequested { try await pair.follow.endRequest(dependencies, in: transaction) }
                if ties.isFollowing { try await pair.follow.end(dependencies, in: transaction) }
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
