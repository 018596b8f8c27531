// SPDX-License-Identifier: Apache-2.0
// What posts forgets.

import Domain
import Outbox
import Postgres
import Synchronization

enum Sweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        [
            idempotencyKeys(dependencies), deletedPosts(dependencies), edits(dependencies), mutes(dependencies),
            timelines(dependencies),
        ]
    }

    static func idempotencyKeys(_ dependencies: Dependencies) -> Sweep {
        Sweep("idempotency_keys") { database in
            let oldest = dependencies.now() + (.zero - IdempotencyStore.lifetime)
            return try await database.query(IdempotencyStore.forget(before: oldest)).affected
        }
    }

    /// How long a deleted post keeps its text: long enough for its deletion to be told, and for streams to close.
    static let graceOfDeleted = Duration.seconds(24 * 3600)

    /// Erases deleted posts: text, earlier forms, favourites and bookmarks. The empty tombstone stays, that of a boost goes.
    static func deletedPosts(_ dependencies: Dependencies) -> Sweep {
        Sweep("posts") { database in
            let oldest = dependencies.now() + (.zero - graceOfDeleted)
            return try await database.transaction { transaction in
                let posts = try await transaction.query(ErasureStore.deleted(before: oldest)).ids(Kind.Post.self)
                guard !posts.isEmpty else { return 0 }
                var affected = 0
                for statement in ErasureStore.erase(posts, at: dependencies.now()) {
                    affected += try await transaction.query(statement).affected
                }
                return affected
            }
        }
    }

    /// Earlier forms of posts beyond those that are kept: edits made before there was a bound.
    static func edits(_ dependencies: Dependencies) -> Sweep {
        Sweep("post_edits", every: .seconds(24 * 3600)) { database in
            try await database.query(ErasureStore.forgetEdits(keeping: dependencies.limits.edits)).affected
        }
    }

    static func mutes(_ dependencies: Dependencies) -> Sweep {
        Sweep("mutes") { database in
            try await database.query(BlockStore.forgetMutes(before: dependencies.now())).affected
        }
    }

    /// What stands behind the newest entries of a home timeline, account by account.
    static func timelines(_ dependencies: Dependencies) -> Sweep {
        let walk = Mutex(AccountID?.none)
        return Sweep("timeline", every: .seconds(3600)) { database in
            while true {
                let trimmed = try await FanoutStore.trim(
                    after: walk.withLock { $0 },
                    to: dependencies.limits.home,
                    in: database
                )
                walk.withLock { $0 = trimmed.next }
                if trimmed.removed > 0 { return trimmed.removed }
                if trimmed.next == nil { return 0 }
                try Task.checkCancellation()
            }
        }
    }
}
