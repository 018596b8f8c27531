// SPDX-License-Identifier: Apache-2.0
// How a boost ends.

import Domain
import Events
import Outbox
import Postgres

enum Boost {
    /// Takes somebody's boost of a post back, if there is one, and tells it.
    ///
    /// - Parameter id: the boosted post's, or the boost's own.
    static func takeBack(
        of id: PostID,
        by viewer: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let removed = try await ReactionStore.unboost(id, by: viewer, at: dependencies.now(), in: transaction)
        guard let removed else { return }
        try transaction.record(
            PostUnreposted(
                actorID: viewer,
                boostID: removed.boost,
                postID: removed.post,
                subjectVersion: removed.version
            )
        )
    }
}
