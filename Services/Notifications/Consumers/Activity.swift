// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.activity`: turns what happens in posts into notifications.

import Domain
import Events
import Outbox
import Postgres
import Views

/// Reacts to every event of posts.
///
/// The tables end the same whatever the order in which events come, and however often: each projection keeps the
/// newest version, what was taken back leaves a trace, and a notification has a natural key. What
/// would tell or show something is not heeded when it is too old; what takes away is, and so are profiles, blocks and mutes.
struct Activity: Sendable {
    let ids: IDGenerator
    let site: Site
    let retention: Retention

    static let name = "notifications.activity"

    var queue: EventQueue {
        EventQueue(
            Activity.name,
            prepare: { events, transaction in try AccountStore.keep(events.newestAccounts, in: transaction) },
            posts + acts + follows + silences
        )
    }

    private var posts: [Reaction] {
        [
            // Of a profile no more is kept than what every event shows of accounts.
            Reaction(to: ProfileUpdated.self) { _, _ in },
            retention.reaction(to: PostCreated.self) { event, transaction in
                try await written(event.data.post, by: event.data.author, in: transaction)
            },
            retention.reaction(to: ReplyCreated.self) { event, transaction in
                try await written(event.data.post, by: event.data.author, in: transaction)
            },
            retention.reaction(to: PostEdited.self) { event, transaction in
                try await seen(event.data.post, by: event.data.author, in: transaction)
            },
            Reaction(to: PostDeleted.self) { event, transaction in
                PostStore.bury(
                    event.data.postID,
                    version: event.data.subjectVersion,
                    at: event.time,
                    in: transaction
                )
            },
        ]
    }

    private var acts: [Reaction] {
        [
            retention.reaction(to: PostLiked.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .favourite,
                    by: data.actor.id,
                    of: data.post.id,
                    version: data.subjectVersion,
                    at: event.time
                )
                try await done(act, by: data.actor, to: data.post, of: data.author, at: data.likedAt, in: transaction)
            },
            Reaction(to: PostUnliked.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .favourite,
                    by: data.actorID,
                    of: data.postID,
                    version: data.subjectVersion,
                    at: event.time
                )
                ActStore.takenBack(act, in: transaction)
            },
            retention.reaction(to: PostReposted.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .reblog,
                    by: data.actor.id,
                    of: data.post.id,
                    version: data.subjectVersion,
                    at: event.time
                )
                try await done(act, by: data.actor, to: data.post, of: data.author, at: data.boostedAt, in: transaction)
            },
            Reaction(to: PostUnreposted.self) { event, transaction in
                let data = event.data
                let act = Act(.reblog, by: data.actorID, of: data.postID, version: data.subjectVersion, at: event.time)
                ActStore.takenBack(act, in: transaction)
            },
        ]
    }

    private var follows: [Reaction] {
        [
            retention.reaction(to: AccountFollowed.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .follow,
                    by: data.actor.id,
                    of: data.targetID,
                    version: data.subjectVersion,
                    at: event.time
                )
                try await done(act, by: data.actor, to: data.targetID, at: data.followedAt, in: transaction)
            },
            Reaction(to: AccountUnfollowed.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .follow,
                    by: data.actorID,
                    of: data.targetID,
                    version: data.subjectVersion,
                    at: event.time
                )
                ActStore.takenBack(act, in: transaction)
            },
            retention.reaction(to: FollowRequested.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .followRequest,
                    by: data.actor.id,
                    of: data.targetID,
                    version: data.subjectVersion,
                    at: event.time
                )
                try await done(act, by: data.actor, to: data.targetID, at: data.requestedAt, in: transaction)
            },
            Reaction(to: FollowRequestClosed.self) { event, transaction in
                let data = event.data
                let act = Act(
                    .followRequest,
                    by: data.actorID,
                    of: data.targetID,
                    version: data.subjectVersion,
                    at: event.time
                )
                ActStore.takenBack(act, in: transaction)
            },
        ]
    }

    private var silences: [Reaction] {
        [
            Reaction(to: AccountBlocked.self) { event, transaction in
                let data = event.data
                SilenceStore.keep(
                    Silence(
                        kind: .block,
                        account: data.actorID,
                        target: data.targetID,
                        version: data.subjectVersion,
                        hides: true,
                        since: event.time
                    ),
                    in: transaction
                )
            },
            Reaction(to: AccountUnblocked.self) { event, transaction in
                let data = event.data
                SilenceStore.keep(
                    Silence(
                        kind: .block,
                        account: data.actorID,
                        target: data.targetID,
                        version: data.subjectVersion,
                        hides: false,
                        since: event.time
                    ),
                    in: transaction
                )
            },
            Reaction(to: AccountMuted.self) { event, transaction in
                let data = event.data
                SilenceStore.keep(
                    Silence(
                        kind: .mute,
                        account: data.actorID,
                        target: data.targetID,
                        version: data.subjectVersion,
                        hides: data.notifications,
                        since: event.time,
                        until: data.expires
                    ),
                    in: transaction
                )
            },
            Reaction(to: AccountUnmuted.self) { event, transaction in
                let data = event.data
                SilenceStore.keep(
                    Silence(
                        kind: .mute,
                        account: data.actorID,
                        target: data.targetID,
                        version: data.subjectVersion,
                        hides: false,
                        since: event.time
                    ),
                    in: transaction
                )
            },
        ]
    }

    /// A new post. Most name nobody, and then only its author is worth keeping.
    private func written(_ post: PostSnapshot, by author: AccountSnapshot, in transaction: Transaction) async throws {
        guard !post.recipients.isEmpty else { return }
        try await seen(post, by: author, in: transaction)
    }

    /// A post in whatever event it came: one of these may be the first to arrive, and the newest.
    private func seen(_ post: PostSnapshot, by author: AccountSnapshot, in transaction: Transaction) async throws {
        try PostStore.keep(post, at: retention.now(), in: transaction)
        if !post.recipients.isEmpty { SilenceStore.share(author.id, in: transaction) }
        let raised = try await NotificationStore.raise(
            mentionsOf: post,
            after: retention.horizon,
            ids: ids,
            in: transaction
        )
        for raised in raised {
            try tell(raised, .mention, by: author, at: post.createdAt, about: (post, author), in: transaction)
        }
    }

    /// A favourite or a boost.
    private func done(
        _ act: Act,
        by actor: AccountSnapshot,
        to post: PostSnapshot,
        of author: AccountSnapshot,
        at moment: Timestamp,
        in transaction: Transaction
    ) async throws {
        try await seen(post, by: author, in: transaction)
        ActStore.done(act, in: transaction)
        SilenceStore.share(actor.id, in: transaction)
        let raised = try await NotificationStore.raise(act, for: author.id, at: moment, ids: ids, in: transaction)
        guard let raised else { return }
        try tell(raised, act.kind, by: actor, at: moment, about: (post, author), in: transaction)
    }

    /// A follow or a request to.
    private func done(
        _ act: Act,
        by actor: AccountSnapshot,
        to target: AccountID,
        at moment: Timestamp,
        in transaction: Transaction
    ) async throws {
        ActStore.done(act, in: transaction)
        SilenceStore.share(actor.id, in: transaction)
        let raised = try await NotificationStore.raise(act, for: target, at: moment, ids: ids, in: transaction)
        guard let raised else { return }
        try tell(raised, act.kind, by: actor, at: moment, about: nil, in: transaction)
    }

    /// Tells the connections that the recipient has open.
    private func tell(
        _ raised: RaisedNotification,
        _ kind: NotificationKind,
        by actor: AccountSnapshot,
        at moment: Timestamp,
        about status: (post: PostSnapshot, author: AccountSnapshot)?,
        in transaction: Transaction
    ) throws {
        guard !raised.silenced else { return }
        let view = NotificationView(
            id: raised.id,
            type: kind.rawValue,
            createdAt: moment,
            account: actor,
            status: status.map { StatusView($0.post, author: $0.author, viewer: raised.viewer, site: site) },
            site: site
        )
        let update = LiveUpdate(
            streams: [LiveUpdate.user(raised.account), LiveUpdate.userNotification(raised.account)],
            event: "notification",
            payload: view.json()
        )
        try transaction.record(
            NotificationCreated(
                notificationID: raised.id,
                accountID: raised.account,
                type: kind.rawValue,
                update: update
            )
        )
    }
}
