// SPDX-License-Identifier: Apache-2.0
// The queue posts.fanout: posts reach the home timelines and the open streams of those who may read them.

import Domain
import Events
import Outbox
import Postgres
import Views

/// Brings posts into home timelines and takes them out again.
enum Fanout {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "posts.fanout",
            [
                Reaction(to: PostCreated.self) { envelope, transaction in
                    let event = envelope.data
                    try await spread(event.post.id, by: event.author.id, dependencies, transaction)
                },
                Reaction(to: ReplyCreated.self) { envelope, transaction in
                    let event = envelope.data
                    try await spread(event.post.id, by: event.author.id, dependencies, transaction)
                },
                Reaction(to: PostReposted.self) { envelope, transaction in
                    let event = envelope.data
                    try await spread(event.boostID, by: event.actor.id, dependencies, transaction)
                },
                Reaction(to: PostEdited.self) { envelope, transaction in
                    try await refresh(envelope.data.post.id, dependencies, transaction)
                },
                Reaction(to: PostDeleted.self) { envelope, transaction in
                    let event = envelope.data
                    let withdrawal = Withdrawal(
                        post: event.continues == true ? nil : event.postID,
                        boosts: event.boostIDs,
                        author: event.accountID,
                        version: event.subjectVersion
                    )
                    try await withdraw(withdrawal, dependencies, transaction)
                    try await withdrawMoreBoosts(of: event, dependencies, transaction)
                },
                Reaction(to: PostUnreposted.self) { envelope, transaction in
                    let event = envelope.data
                    let withdrawal = Withdrawal(
                        post: event.boostID,
                        boosts: [],
                        author: event.actorID,
                        version: event.subjectVersion
                    )
                    try await withdraw(withdrawal, dependencies, transaction)
                },
                Reaction(to: AccountFollowed.self) { envelope, transaction in
                    let event = envelope.data
                    transaction.enqueue(FanoutStore.share(event.targetID))
                    transaction.enqueue(FanoutStore.backfill(event.targetID, into: event.actor.id))
                },
                Reaction(to: AccountUnfollowed.self) { envelope, transaction in
                    let event = envelope.data
                    transaction.enqueue(FanoutStore.unshare(event.targetID))
                    transaction.enqueue(FanoutStore.clearUnfollowed(event.targetID, from: event.actorID))
                },
                Reaction(to: AccountBlocked.self) { envelope, transaction in
                    let event = envelope.data
                    transaction.enqueue(FanoutStore.unshare(min(event.actorID, event.targetID)))
                    transaction.enqueue(FanoutStore.unshare(max(event.actorID, event.targetID)))
                    transaction.enqueue(FanoutStore.clearHidden(event.targetID, from: event.actorID))
                    transaction.enqueue(FanoutStore.clearHidden(event.actorID, from: event.targetID))
                },
                Reaction(to: AccountMuted.self) { envelope, transaction in
                    let event = envelope.data
                    transaction.enqueue(FanoutStore.unshare(event.targetID))
                    transaction.enqueue(FanoutStore.clearHidden(event.targetID, from: event.actorID))
                },
            ]
        )
    }

    /// - Parameter id: of a post or of a boost.
    private static func spread(
        _ id: PostID,
        by author: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let step = FanoutStore.Step(after: 0, limit: dependencies.limits.followersAtOnce)
        guard let after = try await spread(id, by: author, step, dependencies, transaction) else { return }
        transaction.enqueue(LargeFanoutStore.goOn(.spread, id, by: author, after: after))
    }

    /// Takes the next step of a fan-out to many followers.
    static func goOn(
        with fanout: LargeFanout,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        // One that was too slow may do with less.
        let limit = max(dependencies.limits.followersInStep >> min(fanout.attempts, 5), 1)
        let step = FanoutStore.Step(after: fanout.after, limit: limit)
        let after =
            switch fanout.kind {
            case .spread: try await spread(fanout.id, by: fanout.author, step, dependencies, transaction)
            case .refresh: try await refresh(fanout.id, by: fanout.author, step, dependencies, transaction)
            case .withdraw: try await withdraw(fanout, step, transaction)
            }
        if let after {
            transaction.enqueue(LargeFanoutStore.advance(fanout, to: after))
        } else {
            transaction.enqueue(LargeFanoutStore.finish(fanout))
        }
    }

    /// - Returns: the follow after which the next step goes on; nil when this was the last.
    private static func spread(
        _ id: PostID,
        by author: AccountID,
        _ step: FanoutStore.Step,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> Int64? {
        transaction.enqueue(FanoutStore.share(author))
        let spread = FanoutStore.spread(id, by: author, step, largeAccount: dependencies.limits.largeAccount)
        return try await tell("update", of: id, try await transaction.query(spread), step, dependencies, transaction)
    }

    private static func refresh(
        _ id: PostID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let status = try await transaction.query(PostStore.entry(id, viewer: nil)).status() else { return }
        let step = FanoutStore.Step(after: 0, limit: dependencies.limits.followersAtOnce)
        let author = status.author.id
        guard let after = try await refresh(id, by: author, step, dependencies, transaction) else { return }
        transaction.enqueue(LargeFanoutStore.goOn(.refresh, id, by: author, after: after))
    }

    private static func refresh(
        _ id: PostID,
        by author: AccountID,
        _ step: FanoutStore.Step,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> Int64? {
        // A deletion waits, so that nobody is told of the edit after it.
        transaction.enqueue(FanoutStore.share(author))
        let reached = try await transaction.query(FanoutStore.readers(of: id, by: author, step))
        return try await tell("status.update", of: id, reached, step, dependencies, transaction)
    }

    /// Tells the readers whom a step reached.
    ///
    /// - Returns: the follow after which the next step goes on; nil when this was the last.
    private static func tell(
        _ event: String,
        of id: PostID,
        _ reached: Rows,
        _ step: FanoutStore.Step,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> Int64? {
        let (readers, after) = try next(reached)
        if !readers.isEmpty || step.after == 0,
            let status = try await transaction.query(PostStore.entry(id, viewer: nil)).status()
        {
            try await announce(event, status, to: readers, isFirst: step.after == 0, dependencies, transaction)
        }
        return after
    }

    /// - Returns: whom a step reached, and the follow after which the next goes on, if there is a next.
    private static func next(_ reached: Rows) throws -> (readers: [AccountID], after: Int64?) {
        guard var columns = reached.first?.columns else { return ([], nil) }
        let readers: [AccountID] = try columns.next()
        let after: Int64 = try columns.next()
        return (readers, try columns.next(Bool.self) ? after : nil)
    }

    /// What a deletion takes out of timelines.
    private struct Withdrawal {
        /// Nil when its deletion was told before.
        let post: PostID?
        let boosts: [PostID]
        let author: AccountID
        let version: Int64

        var ids: [PostID] { (post.map { [$0] } ?? []) + boosts }
    }

    private static func withdraw(
        _ withdrawal: Withdrawal,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let ids = withdrawal.ids
        // A fan-out under way in another process must not bring back what is taken out.
        transaction.enqueue(FanoutStore.unshareAuthors(of: ids))
        var readers: [PostID: Set<AccountID>] = [:]
        let removed = FanoutStore.withdraw(ids, limit: dependencies.limits.followersAtOnce)
        for row in try await transaction.query(removed) {
            var columns = row.columns
            let post: PostID = try columns.next()
            readers[post, default: []].insert(try columns.next())
        }
        var authors: [PostID: AccountID] = [:]
        for row in try await transaction.query(LargeFanoutStore.withdrawRest(of: ids, version: withdrawal.version)) {
            var columns = row.columns
            let post: PostID = try columns.next()
            authors[post] = try columns.next()
        }
        for id in ids {
            let author = id == withdrawal.post ? withdrawal.author : authors[id]
            var streams = (author.map { [$0] } ?? []).map(LiveUpdate.user)
            if id == withdrawal.post, let row = try await transaction.query(FanoutStore.tombstone(id)).first {
                var columns = row.columns
                if try columns.next(Bool.self) { streams.append(LiveUpdate.publicTimeline) }
                streams += try columns.next([String].self).map(LiveUpdate.hashtag)
                streams += try columns.next([AccountID].self).map(LiveUpdate.direct)
            }
            streams += (readers[id] ?? []).filter { $0 != author }.sorted().map(LiveUpdate.user)
            try tell(deletion(of: id, version: withdrawal.version), on: streams, except: [], transaction)
        }
    }

    private static func withdraw(
        _ fanout: LargeFanout,
        _ step: FanoutStore.Step,
        _ transaction: Transaction
    ) async throws -> Int64? {
        let withdrawn = FanoutStore.withdraw(fanout.id, by: fanout.author, step)
        let (readers, after) = try next(try await transaction.query(withdrawn))
        let streams = readers.filter { $0 != fanout.author }.map(LiveUpdate.user)
        try tell(deletion(of: fanout.id, version: fanout.version), on: streams, except: [], transaction)
        return after
    }

    private static func deletion(of id: PostID, version: Int64) -> News {
        News(event: "delete", payload: Array(id.description.utf8), post: id, version: version)
    }

    /// Takes the next boosts of a deleted post along and tells of them as of the first, so that no step is large.
    private static func withdrawMoreBoosts(
        of deletion: PostDeleted,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let more = PostStore.deleteBoosts(
            of: deletion.postID,
            limit: dependencies.limits.boostsInStep,
            at: dependencies.now()
        )
        let boosts = try await transaction.query(more).ids(Kind.Post.self)
        guard !boosts.isEmpty else { return }
        try transaction.record(
            PostDeleted(
                postID: deletion.postID,
                accountID: deletion.accountID,
                boostIDs: boosts,
                subjectVersion: deletion.subjectVersion,
                continues: true
            )
        )
    }
}

extension Rows {
    /// The ids in the first column.
    func ids<Kind>(_: Kind.Type) throws -> [ID<Kind>] {
        try map { row in
            var columns = row.columns
            return try columns.next()
        }
    }
}
