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
        transaction.enqueue(FanoutStore.share(author))
        let readers = try await transaction.query(
            FanoutStore.spread(id, by: author, largeAccount: dependencies.limits.largeAccount)
        ).ids(Kind.Account.self)
        guard let status = try await transaction.query(PostStore.entry(id, viewer: nil)).status() else { return }
        try await announce("update", status, to: readers, dependencies, transaction)
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
    private static func announce(
        _ event: String,
        _ status: StatusRow,
        to readers: [AccountID],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let author = status.boost?.account.id ?? status.author.id
        var streams = [LiveUpdate.user(author)]
        if status.boost == nil {
            let post = status.post
            switch post.visibility {
            case .public:
                if post.inReplyToID == nil || post.inReplyToAccountID == post.accountID {
                    streams.append(LiveUpdate.publicTimeline)
                }
                streams += post.tags.map(LiveUpdate.hashtag)
            case .direct:
                streams += Set(post.mentions.map(\.id)).union([author]).sorted().map(LiveUpdate.direct)
            case .unlisted, .private: break
            }
        }
        streams += readers.filter { $0 != author }.map(LiveUpdate.user)
        let averse = try await transaction.query(FanoutStore.averse(to: [author, status.author.id]))
            .ids(Kind.Account.self)
        try tell(
            event,
            String(decoding: status.view(for: nil, site: dependencies.site).json(), as: UTF8.self),
            about: status.entryID,
            version: status.post.version,
            on: streams,
            except: averse,
            transaction
        )
    }

    private static func withdraw(
        _ id: PostID,
        with boosts: [PostID],
        by author: AccountID,
        version: Int64,
        _ transaction: Transaction
    ) async throws {
        transaction.enqueue(FanoutStore.share(author))
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
            guard !streams.isEmpty else { continue }
            try tell("delete", post.description, about: post, version: version, on: streams, except: [], transaction)
            streams = []
        }
    }

    /// An event names at most this many streams, so that no message grows with the number of followers.
    private static let streamsInEvent = 2000

    private static func tell(
        _ event: String,
        _ payload: String,
        about post: PostID,
        version: Int64,
        on streams: [String],
        except: [AccountID],
        _ transaction: Transaction
    ) throws {
        for start in stride(from: 0, to: streams.count, by: streamsInEvent) {
            let update = LiveUpdate(
                streams: Array(streams.dropFirst(start).prefix(streamsInEvent)),
                event: event,
                payload: payload,
                except: except
            )
            try transaction.record(TimelineUpdated(postID: post, update: update, subjectVersion: version))
        }
    }
}

extension Rows {
    /// The ids in the first column.
    fileprivate func ids<Kind>(_: Kind.Type) throws -> [ID<Kind>] {
        try map { row in
            var columns = row.columns
            return try columns.next()
        }
    }
}
