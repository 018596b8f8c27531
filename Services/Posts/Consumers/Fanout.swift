// SPDX-License-Identifier: Apache-2.0
// The queue posts.fanout: posts reach the home timelines and the open streams of those who may read them.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit

/// Brings posts into home timelines and takes them out again.
enum Fanout {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "posts.fanout",
            // What a batch brings into timelines, and what follows and unfollows change in them, is done together.
            gathering: .milliseconds(5),
            audiences: [.services, .plain],
            prepare: { arrivals, transaction in
                let changes = Changes(arrivals.events)
                changes.hold(in: transaction)
                try await spread(changes.entries, dependencies, transaction)
                changes.followThrough(in: transaction)
            },
            [
                Reaction(to: PostCreated.self) { envelope, transaction in
                    try await Conversations.follow(envelope.data.post, dependencies, transaction)
                },
                Reaction(to: ReplyCreated.self) { envelope, transaction in
                    try await Conversations.follow(envelope.data.post, dependencies, transaction)
                },
                Reaction(to: PostEdited.self) { envelope, transaction in
                    let post = envelope.data.post
                    try await begin(.refresh, of: post.id, by: post.accountID, dependencies, transaction)
                    try await Conversations.follow(post, dependencies, transaction)
                    guard envelope.data.quiet != true, post.boostsCount > 0 else { return }
                    try await begin(.boosters, of: post.id, by: post.accountID, dependencies, transaction)
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
                Reaction(to: AccountBlocked.self) { envelope, transaction in
                    let event = envelope.data
                    HomeStore.clearHidden(event.targetID, from: event.actorID, in: transaction)
                    HomeStore.clearHidden(event.actorID, from: event.targetID, in: transaction)
                    ConversationStore.forget(of: event.actorID, with: event.targetID, in: transaction)
                    ConversationStore.forget(of: event.targetID, with: event.actorID, in: transaction)
                },
                Reaction(to: AccountMuted.self) { envelope, transaction in
                    let event = envelope.data
                    HomeStore.clearHidden(event.targetID, from: event.actorID, in: transaction)
                },
            ] + Reaction.noted([PostReposted.self, AccountFollowed.self, AccountUnfollowed.self])
        )
    }

    /// What a batch changes in timelines, done together for all of it. Follows and unfollows look at what is there, so
    /// that it does not matter which of a pair came last.
    private struct Changes {
        let entries: [NewEntry]
        private let followed: [Follow]
        private let unfollowed: [Follow]
        private var sharing: [AccountID] = []
        private var alone: [AccountID] = []
        private var boosts: [PostID] = []

        init(_ events: [any Event]) {
            entries = events.compactMap(NewEntry.init)
            followed = events.compactMap { event in
                (event as? AccountFollowed).map { Follow(follower: $0.actor.id, followee: $0.targetID) }
            }
            unfollowed = events.compactMap { event in
                (event as? AccountUnfollowed).map { Follow(follower: $0.actorID, followee: $0.targetID) }
            }
            sharing = entries.map(\.entry.author) + followed.map(\.followee)
            alone = unfollowed.map(\.followee)
            events.forEach { note($0) }
        }

        /// Whom an event's own reaction needs held.
        private mutating func note(_ event: any Event) {
            switch event {
            // A deletion waits, so that nobody is told of the edit after it.
            case let edit as PostEdited: sharing.append(edit.post.accountID)
            // A fan-out under way in another process must not bring back what is taken out.
            case let deletion as PostDeleted:
                alone.append(deletion.accountID)
                boosts += deletion.boostIDs
            case let boost as PostUnreposted: alone.append(boost.actorID)
            case let block as AccountBlocked: alone += [block.actorID, block.targetID]
            case let mute as AccountMuted: alone.append(mute.targetID)
            default: break
            }
        }

        /// Holds all that anything of the batch will, so that two batches cannot wait for each other: who had an author with others
        /// and then wanted them alone would wait for another who does the same.
        func hold(in transaction: Transaction) {
            guard !sharing.isEmpty || !alone.isEmpty else { return }
            FanoutStore.hold(sharing: sharing, alone: alone, andAuthorsOf: boosts, in: transaction)
        }

        func followThrough(in transaction: Transaction) {
            if !followed.isEmpty { HomeStore.backfill(followed, in: transaction) }
            if !unfollowed.isEmpty { HomeStore.clear(unfollowed, in: transaction) }
        }
    }

    /// A new post or boost.
    private struct NewEntry {
        let entry: SpreadStore.Entry
        let kind: SpreadStore.Kinds
        /// As its event tells it.
        var told: StatusRow?

        init?(_ event: any Event) {
            switch event {
            case let event as PostCreated: self.init(event.post, by: event.author)
            case let event as ReplyCreated: self.init(event.post, by: event.author)
            case let event as PostReposted: self.init(boost: event)
            default: return nil
            }
        }

        private init(boost: PostReposted) {
            entry = SpreadStore.Entry(id: boost.boostID, author: boost.actor.id, version: nil)
            kind = .boosts
        }

        init(_ post: PostSnapshot, by author: AccountSnapshot) {
            entry = SpreadStore.Entry(id: post.id, author: author.id, version: post.version)
            kind = post.visibility == .direct ? .direct : post.inReplyToID == nil ? [] : .replies
            if author.restrictions.isEmpty { told = StatusRow(post, by: author) }
        }
    }

    /// Spreads posts in the transaction that stores them, right after that: it has locked the rows of their authors by then, and who
    /// begins or ends to follow one of them, blocks or mutes them (`PairStore.lock`) comes before all of it or after.
    ///
    /// - Parameter room: how many followers all of those authors have at most whose posts are spread.
    static func spread(
        _ new: [NewPost],
        room: Int,
        _ dependencies: Dependencies,
        in transaction: some Transacting
    ) async throws -> [SpreadStore.Reached] {
        let entries = new.map { SpreadStore.Entry(id: $0.id, author: $0.author, version: NewPostStore.firstVersion) }
        return try await SpreadStore.spread(
            entries,
            new.contains { $0.draft.inReplyToID != nil } ? .replies : [],
            room: room,
            limit: Int64(dependencies.limits.followersAtOnce),
            largeAccount: dependencies.limits.largeAccount,
            in: transaction
        )
    }

    /// Tells of posts that were spread in the transaction that stores them.
    static func tell(
        of reached: [SpreadStore.Reached],
        among stored: [NewPostStore.Stored],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        try await tell(of: reached, among: stored.map { NewEntry($0.post, by: $0.author) }, dependencies, transaction)
    }

    /// Takes the first step of all new posts and boosts of a batch together.
    private static func spread(
        _ new: [NewEntry],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        if new.isEmpty { return }
        let reached = try await SpreadStore.spread(
            new.map(\.entry),
            SpreadStore.Kinds(new.map(\.kind)),
            limit: Int64(dependencies.limits.followersAtOnce),
            largeAccount: dependencies.limits.largeAccount,
            in: transaction
        )
        try await tell(of: reached, among: new, dependencies, transaction)
    }

    /// Tells of posts and boosts that were spread, and has those gone on with that did not reach everybody.
    private static func tell(
        of reached: [SpreadStore.Reached],
        among new: [NewEntry],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let steps = Dictionary(reached.map { ($0.id, $0) }) { first, _ in first }
        var statuses: [PostID: StatusRow] = [:]
        for one in new where steps[one.entry.id]?.isAsTold == true { statuses[one.entry.id] = one.told }
        // What was changed since, or shows more than its event tells, is read.
        let others = reached.map(\.id).filter { statuses[$0] == nil }
        if !others.isEmpty {
            for status in try await PostStore.entries(others, viewer: nil, in: transaction) {
                statuses[status.entryID] = status
            }
        }
        var told: Set<PostID> = []
        for entry in new.map(\.entry) where told.insert(entry.id).inserted {
            guard let step = steps[entry.id] else { continue }
            if let status = statuses[entry.id] {
                try notify("status", status, step.listening, transaction)
                try announce("update", status, to: step.readers, averse: step.averse, dependencies, transaction)
            }
            guard let after = step.after else { continue }
            LargeFanoutStore.goOn(.spread, entry.id, by: entry.author, after: after, in: transaction)
            transaction.afterCommit { [fanouts = dependencies.fanouts] in fanouts.ring() }
        }
    }

    /// Takes the first step of a fan-out; what it does not reach is gone on with in transactions of their own.
    ///
    /// - Parameter id: of a post or of a boost.
    private static func begin(
        _ kind: LargeFanout.Kind,
        of id: PostID,
        by author: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let fanout = LargeFanout(id: id, author: author, kind: kind, after: 0, version: 0, attempts: 0)
        let step = FanoutStore.Step(after: 0, limit: dependencies.limits.followersAtOnce)
        guard let after = try await take(step, of: fanout, dependencies, transaction) else { return }
        LargeFanoutStore.goOn(kind, id, by: author, after: after, in: transaction)
        transaction.afterCommit { [fanouts = dependencies.fanouts] in fanouts.ring() }
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
        switch fanout.kind {
        case .spread, .refresh: FanoutStore.hold(sharing: [fanout.author], in: transaction)
        case .boosters, .withdraw: break
        }
        if let after = try await take(step, of: fanout, dependencies, transaction) {
            LargeFanoutStore.advance(fanout, to: after, in: transaction)
        } else {
            LargeFanoutStore.finish(fanout, in: transaction)
        }
    }

    /// - Returns: the follow, or the boost, after which the next step goes on; nil when this was the last.
    private static func take(
        _ step: FanoutStore.Step,
        of fanout: LargeFanout,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> Int64? {
        let (id, author) = (fanout.id, fanout.author)
        let reached: FanoutStore.Reached
        let event: String
        switch fanout.kind {
        case .spread:
            reached = try await spread(id, by: author, step, dependencies, transaction)
            if !reached.listening.isEmpty { try await notify("status", of: id, reached.listening, transaction) }
            event = "update"
        case .refresh:
            reached = try await FanoutStore.readers(of: id, by: author, step, in: transaction)
            event = "status.update"
        case .boosters:
            reached = try await LargeFanoutStore.boosters(of: id, step, in: transaction)
            if !reached.readers.isEmpty { try await notify("update", of: id, reached.readers, transaction) }
            return reached.after
        case .withdraw: return try await withdraw(fanout, step, transaction)
        }
        if !reached.readers.isEmpty || step.after == 0,
            let status = try await PostStore.entry(id, viewer: nil, in: transaction)
        {
            try await announce(event, status, to: reached.readers, isFirst: step.after == 0, dependencies, transaction)
        }
        return reached.after
    }

    private static func spread(
        _ id: PostID,
        by author: AccountID,
        _ step: FanoutStore.Step,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> FanoutStore.Reached {
        let reached = try await SpreadStore.spread(
            [SpreadStore.Entry(id: id, author: author, version: nil, after: step.after)],
            .all,
            limit: Int64(step.limit),
            largeAccount: dependencies.limits.largeAccount,
            in: transaction
        ).first
        guard let reached else { return FanoutStore.Reached(readers: [], after: nil) }
        return FanoutStore.Reached(readers: reached.readers, listening: reached.listening, after: reached.after)
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
        let readers = try await FanoutStore.withdraw(
            ids,
            limit: dependencies.limits.followersAtOnce,
            in: transaction
        )
        let authors = try await LargeFanoutStore.withdrawRest(of: ids, version: withdrawal.version, in: transaction)
        transaction.afterCommit { [fanouts = dependencies.fanouts] in fanouts.ring() }
        for id in ids {
            let author = id == withdrawal.post ? withdrawal.author : authors[id]
            var streams = (author.map { [$0] } ?? []).map(LiveUpdate.user)
            if id == withdrawal.post, let tombstone = try await FanoutStore.tombstone(id, in: transaction) {
                if tombstone.isDirect {
                    try await Conversations.leave(id, version: withdrawal.version, dependencies, transaction)
                }
                if tombstone.wasInPublicTimeline { streams.append(LiveUpdate.publicTimeline) }
                streams += tombstone.tags.map(LiveUpdate.hashtag)
                streams += tombstone.named.map(LiveUpdate.direct)
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
        let reached = try await FanoutStore.withdraw(fanout.id, by: fanout.author, step, in: transaction)
        let streams = reached.readers.filter { $0 != fanout.author }.map(LiveUpdate.user)
        try tell(deletion(of: fanout.id, version: fanout.version), on: streams, except: [], transaction)
        return reached.after
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
        let boosts = try await PostStore.deleteBoosts(
            of: deletion.postID,
            limit: dependencies.limits.boostsInStep,
            at: dependencies.now(),
            in: transaction
        )
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
