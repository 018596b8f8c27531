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
                    try await withdraw(
                        event.postID,
                        with: event.boostIDs,
                        by: event.accountID,
                        version: event.subjectVersion,
                        transaction
                    )
                    try await withdrawMoreBoosts(of: event, dependencies, transaction)
                },
                Reaction(to: PostUnreposted.self) { envelope, transaction in
                    let event = envelope.data
                    try await withdraw(
                        event.boostID,
                        with: [],
                        by: event.actorID,
                        version: event.subjectVersion,
                        transaction
                    )
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
        transaction.enqueue(FanoutStore.goOn(with: id, by: author, after: after))
    }

    /// Goes on with a fan-out to many followers, in a transaction of its own.
    ///
    /// - Returns: whether there was one.
    static func goOn(_ dependencies: Dependencies) async throws -> Bool {
        try await dependencies.database.transaction { transaction in
            guard let row = try await transaction.query(FanoutStore.unfinished).first else { return false }
            var columns = row.columns
            let id: PostID = try columns.next()
            let author: AccountID = try columns.next()
            let step = FanoutStore.Step(after: try columns.next(), limit: dependencies.limits.followersInStep)
            if let after = try await spread(id, by: author, step, dependencies, transaction) {
                transaction.enqueue(FanoutStore.goOn(with: id, by: author, after: after))
            } else {
                transaction.enqueue(FanoutStore.finish(id))
            }
            return true
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
        let reached = try await transaction.query(
            FanoutStore.spread(id, by: author, step, largeAccount: dependencies.limits.largeAccount)
        )
        guard var columns = reached.first?.columns else { return nil }
        let readers: [AccountID] = try columns.next()
        let after: Int64 = try columns.next()
        let isFull: Bool = try columns.next()
        if !readers.isEmpty || step.after == 0,
            let status = try await transaction.query(PostStore.entry(id, viewer: nil)).status()
        {
            try await announce("update", status, to: readers, isFirst: step.after == 0, dependencies, transaction)
        }
        return isFull ? after : nil
    }

    private static func refresh(
        _ id: PostID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let status = try await transaction.query(PostStore.entry(id, viewer: nil)).status() else { return }
        let readers = try await transaction.query(FanoutStore.readers(of: id, by: status.author.id))
            .ids(Kind.Account.self)
        try await announce("status.update", status, to: readers, dependencies, transaction)
    }

    /// Tells open connections of an entry: its author's first, with the streams that anybody may follow.
    ///
    /// - Parameter isFirst: whether only readers are left to be told.
    private static func announce(
        _ event: String,
        _ status: StatusRow,
        to readers: [AccountID],
        isFirst: Bool = true,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let author = status.boost?.account.id ?? status.author.id
        let averse = try await transaction.query(FanoutStore.averse(to: [author, status.author.id]))
            .ids(Kind.Account.self).sorted()
        let unwilling = Set(averse)
        var own: [String] = []
        var shared: [String] = []
        if isFirst {
            own.append(LiveUpdate.user(author))
            let post = status.post
            switch post.visibility {
            case _ where status.boost != nil: break
            case .public:
                if post.inReplyToID == nil || post.inReplyToAccountID == post.accountID {
                    shared.append(LiveUpdate.publicTimeline)
                }
                shared += post.tags.map(LiveUpdate.hashtag)
            case .direct:
                let named = Set(post.mentions.map(\.id)).union([author])
                own += named.subtracting(unwilling).sorted().map(LiveUpdate.direct)
            case .unlisted, .private: break
            }
        }
        let others = readers.filter { $0 != author && !unwilling.contains($0) }.map(LiveUpdate.user)
        let payload = String(decoding: status.view(for: nil, site: dependencies.site).json(), as: UTF8.self)
        let news = News(event: event, payload: payload, post: status.entryID, version: status.post.version)
        // Who follows a shared stream is not known here: whom it must not reach is told with it, in one message if
        // there are no more than fit.
        if averse.count <= exceptionsInEvent {
            try tell(news, on: own + shared + others, except: shared.isEmpty ? [] : averse, transaction)
        } else {
            try tell(news, on: own + others, except: [], transaction)
            for part in parts(of: averse) {
                try tell(news, on: shared, except: part.averse, readers: part.readers, transaction)
            }
        }
    }

    private static func withdraw(
        _ id: PostID,
        with boosts: [PostID],
        by author: AccountID,
        version: Int64,
        _ transaction: Transaction
    ) async throws {
        // A fan-out under way in another process must not bring back what is taken out.
        transaction.enqueue(FanoutStore.unshareAuthors(of: [id] + boosts))
        var readers: [PostID: [AccountID]] = [:]
        for row in try await transaction.query(FanoutStore.withdraw([id] + boosts, by: author, post: id)) {
            var columns = row.columns
            let post: PostID = try columns.next()
            readers[post, default: []].append(try columns.next())
        }
        var streams = [LiveUpdate.user(author)]
        if let row = try await transaction.query(FanoutStore.tombstone(id)).first {
            var columns = row.columns
            if try columns.next(Bool.self) { streams.append(LiveUpdate.publicTimeline) }
            streams += try columns.next([String].self).map(LiveUpdate.hashtag)
            streams += try columns.next([AccountID].self).map(LiveUpdate.direct)
        }
        for post in [id] + boosts {
            streams += (readers[post] ?? []).filter { post != id || $0 != author }.map(LiveUpdate.user)
            let news = News(event: "delete", payload: post.description, post: post, version: version)
            try tell(news, on: streams, except: [], transaction)
            streams = []
        }
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
                subjectVersion: deletion.subjectVersion
            )
        )
    }

    /// An event names at most this many streams, so that no message grows with the number of followers.
    private static let streamsInEvent = 2000
    /// An event names at most this many accounts that must not receive it.
    private static let exceptionsInEvent = 4000

    /// What is told to open connections.
    private struct News {
        let event: String
        let payload: String
        let post: PostID
        let version: Int64
    }

    private static func tell(
        _ news: News,
        on streams: [String],
        except: [AccountID],
        readers: LiveUpdate.Readers? = nil,
        _ transaction: Transaction
    ) throws {
        for start in stride(from: 0, to: streams.count, by: streamsInEvent) {
            let update = LiveUpdate(
                streams: Array(streams.dropFirst(start).prefix(streamsInEvent)),
                event: news.event,
                payload: news.payload,
                except: except,
                readers: readers
            )
            try transaction.record(TimelineUpdated(postID: news.post, update: update, subjectVersion: news.version))
        }
    }

    /// Cuts a list of averse accounts, in the order of their ids, into parts that fit an event, each with the range of
    /// accounts for which it is the whole truth.
    static func parts(of averse: [AccountID]) -> [(readers: LiveUpdate.Readers, averse: [AccountID])] {
        var parts: [(readers: LiveUpdate.Readers, averse: [AccountID])] = []
        var first = AccountID(0)
        for start in stride(from: 0, to: averse.count, by: exceptionsInEvent) {
            let part = Array(averse.dropFirst(start).prefix(exceptionsInEvent))
            let isLast = start + exceptionsInEvent >= averse.count
            guard let end = part.last else { break }
            let last = isLast ? AccountID(Int64.max) : end
            parts.append((LiveUpdate.Readers(first: first, last: last), part))
            first = AccountID(end.rawValue &+ 1)
        }
        return parts
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
