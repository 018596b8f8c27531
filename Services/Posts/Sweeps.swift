// SPDX-License-Identifier: Apache-2.0
// What posts forgets.

import Domain
import Outbox
import Postgres
import Serving
import Synchronization

enum Sweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        let now = dependencies.now
        return [
            IdempotencyStore.aged.sweep(after: IdempotencyStore.lifetime, now: now), deletedPosts(dependencies),
            edits(dependencies), mutes(dependencies), timelines(dependencies), conversations(dependencies),
            MediaStore.aged.sweep(after: graceOfFiles, now: now),
            CardStore.sweep(unless: CardStore.isShown, now: now),
            shelfTombstones(dependencies), deletedProjects(dependencies), reports(dependencies),
            decisions(dependencies),
            restrictions(dependencies), ChangeStore.sweep, NewAccountActStore.sweep(now: now),
            ShelfWriteStore.sweep(now: now),
            // Once the time for an appeal and for its answer is over.
            DecisionStore.agedEvidence.sweep(every: .seconds(3600), now: now),
            DecisionStore.agedLog.sweep(after: dependencies.limits.moderation.kept, every: .seconds(3600), now: now),
        ] + BlockListStore.sweeps(now: now)
    }

    /// How long a deleted post keeps its text: long enough for its deletion to be told, and for streams to close.
    static let graceOfDeleted = Duration.seconds(24 * 3600)

    /// Erases deleted posts: text, earlier forms, favourites and bookmarks. The empty tombstone stays, that of a boost goes.
    static func deletedPosts(_ dependencies: Dependencies) -> Sweep {
        Sweep("posts") { database in
            let oldest = dependencies.now() - graceOfDeleted
            return try await database.transaction { transaction in
                let posts = try await ErasureStore.deleted(before: oldest, in: transaction)
                guard !posts.isEmpty else { return 0 }
                // A post that many reacted to takes several steps.
                var affected = 0
                for rows in ErasureStore.remains {
                    affected += try await rows.erase(from: posts, in: transaction)
                }
                affected += try await ErasureStore.deleteBoosts(posts, in: transaction)
                return affected + (try await ErasureStore.empty(posts, at: dependencies.now(), in: transaction))
            }
        }
    }

    /// Erases deleted projects: texts, members, applications and bookmarks. The empty tombstone stays.
    static func deletedProjects(_ dependencies: Dependencies) -> Sweep {
        Sweep("projects") { database in
            let oldest = dependencies.now() - graceOfDeleted
            return try await database.transaction { transaction in
                let projects = try await ProjectErasureStore.deleted(before: oldest, in: transaction)
                guard !projects.isEmpty else { return 0 }
                var affected = 0
                for rows in ProjectErasureStore.remains {
                    affected += try await rows.erase(from: projects, in: transaction)
                }
                return affected
                    + (try await ProjectErasureStore.empty(projects, at: dependencies.now(), in: transaction))
            }
        }
    }

    /// Earlier forms of posts beyond those that are kept: edits made before there was a bound.
    static func edits(_ dependencies: Dependencies) -> Sweep {
        Sweep("post_edits", every: .seconds(24 * 3600)) { database in
            try await ErasureStore.forgetEdits(keeping: dependencies.limits.edits, in: database)
        }
    }

    /// How long a file that no post shows may be attached: not as long as it is kept.
    static let graceOfFiles = Duration.seconds(24 * 3600)

    /// How long a device may be without a network before it must read its shelf from nothing.
    static let graceOfDevices = Duration.seconds(180 * 24 * 3600)

    static func shelfTombstones(_ dependencies: Dependencies) -> Sweep {
        Sweep("shelf_tombstones", every: .seconds(3600)) { database in
            let oldest = dependencies.now() - graceOfDevices
            return try await database.transaction { try await ShelfStore.forget(before: oldest, in: $0) }
        }
    }

    /// Lifts what has run out as it does.
    static func restrictions(_ dependencies: Dependencies) -> Sweep {
        Sweep(
            "restrictions",
            every: .seconds(5),
            next: { try await RestrictionStore.nextEnd(in: $0).map { $0 - dependencies.now() } }
        ) { try await Restrict.liftEnded(dependencies, in: $0) }
    }

    /// Reports that were closed long ago.
    static func reports(_ dependencies: Dependencies) -> Sweep {
        Sweep("reports", every: .seconds(3600)) { database in
            let oldest = dependencies.now() - dependencies.limits.moderation.kept
            return try await database.transaction { transaction in
                let reports = try await ReportStore.forgettable(before: oldest, in: transaction)
                return reports.isEmpty ? 0 : try await ReportStore.forget(reports, in: transaction)
            }
        }
    }

    /// Decisions of long ago that hold no more.
    static func decisions(_ dependencies: Dependencies) -> Sweep {
        Sweep("decisions", every: .seconds(3600)) { database in
            let now = dependencies.now()
            let oldest = now - dependencies.limits.moderation.kept
            return try await database.transaction { transaction in
                let decisions = try await DecisionStore.forgettable(before: oldest, at: now, in: transaction)
                return decisions.isEmpty ? 0 : try await DecisionStore.forget(decisions, in: transaction)
            }
        }
    }

    static func mutes(_ dependencies: Dependencies) -> Sweep {
        Sweep("mutes") { database in
            try await BlockStore.forgetMutes(before: dependencies.now(), in: database)
        }
    }

    /// What stands behind the newest entries of a home timeline, account by account.
    static func timelines(_ dependencies: Dependencies) -> Sweep {
        walking("timeline") { account, database in
            try await HomeStore.trim(after: account, to: dependencies.limits.home, in: database)
        }
    }

    /// What stands behind an account's newest conversations, account by account.
    static func conversations(_ dependencies: Dependencies) -> Sweep {
        walking("conversations") { account, database in
            try await ConversationStore.trim(after: account, to: dependencies.limits.conversations, in: database)
        }
    }

    /// Goes around all accounts, from where the last step ended to the next account that has too much.
    private static func walking(
        _ name: String,
        trim: @escaping @Sendable (AccountID?, Database) async throws -> TrimStep?
    ) -> Sweep {
        let walk = Mutex(AccountID?.none)
        return Sweep(name, every: .seconds(3600)) { database in
            while true {
                let trimmed = try await trim(walk.withLock { $0 }, database)
                walk.withLock { $0 = trimmed?.next }
                if let trimmed, trimmed.removed > 0 { return trimmed.removed }
                if trimmed?.next == nil { return 0 }
                try Task.checkCancellation()
            }
        }
    }
}
