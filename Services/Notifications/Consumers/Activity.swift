// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.activity`: turns what happens in posts into notifications.

import Domain
import Events
import Outbox
import Postgres
import Serving
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
    let deliveries: MakeDeliveries

    static let name = "notifications.activity"

    var queue: EventQueue {
        EventQueue(
            Activity.name,
            prepare: { arrivals, transaction in
                try AccountStore.keep(arrivals.events.newestAccounts, in: transaction)
            },
            rebuild: .activity,
            posts + acts + follows + silences + cards + restrictions
        )
    }

    private var posts: [Reaction] {
        [
            // Of a profile no more is kept than what every event shows of accounts.
            Reaction(to: ProfileUpdated.self) { event, transaction in
                if event.isRetold { try AccountStore.repair(event.data.account, in: transaction) }
            },
            retention.reaction(to: PostCreated.self) { event, transaction in
                try await written(event.data.post, by: event.data.author, again: event.isRetold, in: transaction)
            },
            retention.reaction(to: ReplyCreated.self) { event, transaction in
                try await written(event.data.post, by: event.data.author, again: event.isRetold, in: transaction)
            },
            retention.reaction(to: PostEdited.self) { event, transaction in
                try await seen(event.data.post, by: event.data.author, in: transaction)
            },
            retention.reaction(to: PostAnnounced.self) { event, transaction in
                try await announced(event.data, in: transaction)
            },
            Reaction(to: PostDeleted.self) { event, transaction in
                let post = event.data.postID
                PostStore.bury(post, version: event.data.subjectVersion, at: event.time, in: transaction)
                ActStore.forget(post, in: transaction)
                EntryStore.withdraw(.postDeleted(post), in: transaction)
            },
        ]
    }

    private var cards: [Reaction] {
        [
            Reaction(to: LinkPreviewReady.self) { event, transaction in
                let news = CardNews(event.data)
                try await CardStore.keep(news, at: event.time, repairing: event.isRetold, in: transaction)
            }
        ]
    }

    /// What they caused is in nobody's list as long as they are hidden, and is there again afterwards.
    private var restrictions: [Reaction] {
        [
            Reaction(to: AccountRestricted.self) { event, transaction in
                _ = try await RestrictedAccounts.keep(event.data, in: transaction)
            }
        ]
    }

    private var acts: [Reaction] {
        [
            retention.reaction(to: PostLiked.self) { event, transaction in
                let data = event.data
                let deed = Deed(.favourite, by: data.actor, of: data.post.id, at: data.likedAt, event)
                try await done(deed, to: data.post, of: data.author, in: transaction)
            },
            Reaction(to: PostUnliked.self) { event, transaction in
                takeBack(Act(.favourite, by: event.data.actorID, of: event.data.postID, event), in: transaction)
            },
            retention.reaction(to: PostReposted.self) { event, transaction in
                let data = event.data
                let deed = Deed(.reblog, by: data.actor, of: data.post.id, at: data.boostedAt, event)
                try await done(deed, to: data.post, of: data.author, in: transaction)
            },
            Reaction(to: PostUnreposted.self) { event, transaction in
                takeBack(Act(.reblog, by: event.data.actorID, of: event.data.postID, event), in: transaction)
            },
        ]
    }

    private var follows: [Reaction] {
        [
            retention.reaction(to: AccountFollowed.self) { event, transaction in
                let data = event.data
                let deed = Deed(.follow, by: data.actor, of: data.targetID, at: data.followedAt, event)
                try await done(deed, for: data.targetID, in: transaction)
            },
            Reaction(to: AccountUnfollowed.self) { event, transaction in
                takeBack(Act(.follow, by: event.data.actorID, of: event.data.targetID, event), in: transaction)
            },
            retention.reaction(to: FollowRequested.self) { event, transaction in
                let data = event.data
                let deed = Deed(.followRequest, by: data.actor, of: data.targetID, at: data.requestedAt, event)
                try await done(deed, for: data.targetID, in: transaction)
            },
            Reaction(to: FollowRequestClosed.self) { event, transaction in
                takeBack(Act(.followRequest, by: event.data.actorID, of: event.data.targetID, event), in: transaction)
            },
        ]
    }

    private var silences: [Reaction] {
        [
            Reaction(to: AccountBlocked.self) { event, transaction in
                let data = event.data
                let block = Silence(.block, of: data.targetID, for: data.actorID, hides: true, event)
                silence(block, again: event.isRetold, in: transaction)
            },
            Reaction(to: AccountUnblocked.self) { event, transaction in
                let data = event.data
                silence(Silence(.block, of: data.targetID, for: data.actorID, hides: false, event), in: transaction)
            },
            Reaction(to: AccountMuted.self) { event, transaction in
                let data = event.data
                let mute = Silence(
                    .mute,
                    of: data.targetID,
                    for: data.actorID,
                    hides: data.notifications,
                    until: data.expires,
                    event
                )
                silence(mute, again: event.isRetold, in: transaction)
            },
            Reaction(to: AccountUnmuted.self) { event, transaction in
                let data = event.data
                silence(Silence(.mute, of: data.targetID, for: data.actorID, hides: false, event), in: transaction)
            },
        ]
    }

    /// A new post. Most name nobody, and then only its author is worth keeping.
    private func written(
        _ post: PostSnapshot,
        by author: AccountSnapshot,
        again: Bool,
        in transaction: Transaction
    ) async throws {
        if again {
            try PostStore.repair(post, isNeeded: !post.recipients.isEmpty, at: retention.now(), in: transaction)
        }
        guard !post.recipients.isEmpty else { return }
        try await seen(post, by: author, again: again, in: transaction)
    }

    /// A post in whatever event it came: one of these may be the first to arrive, and the newest.
    private func seen(
        _ post: PostSnapshot,
        by author: AccountSnapshot,
        again: Bool = false,
        in transaction: Transaction
    ) async throws {
        try PostStore.keep(post, at: retention.now(), in: transaction)
        let recipients = post.recipients
        if !recipients.isEmpty { LockStore.share(author.id, in: transaction) }
        EntryStore.withdraw(.unnamed(post, keeping: recipients), in: transaction)
        guard !recipients.isEmpty, post.createdAt > retention.horizon else { return }
        let newIDs = try ids.entries(recipients.count, of: post.createdAt, again: again)
        let cause = Cause.mentions(of: post, ids: newIDs)
        try await tell(cause, by: author, about: .post(post, by: author), again: again, in: transaction)
    }

    /// A post of which some people are to hear. A kind of a later release is left to it.
    private func announced(_ event: PostAnnounced, in transaction: Transaction) async throws {
        let (post, author) = (event.post, event.author)
        try await seen(post, by: author, in: transaction)
        guard let kind = NotificationKind(rawValue: event.type), kind == .status || kind == .update else { return }
        let recipients = Set(event.recipients).subtracting([author.id]).sorted()
        LockStore.share(author.id, in: transaction)
        let entries = try recipients.map { (id: try ids.next(NotificationID.self), recipient: $0) }
        let cause = Cause.announced(kind, post, entries)
        guard !entries.isEmpty, cause.moment > retention.horizon else { return }
        try await tell(cause, by: author, about: .post(post, by: author), in: transaction)
    }

    /// A favourite or a boost.
    private func done(
        _ deed: Deed,
        to post: PostSnapshot,
        of author: AccountSnapshot,
        in transaction: Transaction
    ) async throws {
        if deed.again { try PostStore.repair(post, isNeeded: true, at: retention.now(), in: transaction) }
        try await seen(post, by: author, again: deed.again, in: transaction)
        try await done(deed, for: author.id, about: .post(post, by: author), in: transaction)
    }

    /// Tells `recipient` of an act, unless a newer word on it is known.
    private func done(
        _ deed: Deed,
        for recipient: AccountID,
        about matter: Matter = .account,
        in transaction: Transaction
    ) async throws {
        let (act, again) = (deed.act, deed.again)
        ActStore.keep(act, active: true, repairing: again, in: transaction)
        LockStore.share(act.actor, in: transaction)
        guard recipient != act.actor else { return }
        guard let id = try ids.entries(1, of: deed.moment, again: again).first else { return }
        let cause = Cause.act(act, for: recipient, at: deed.moment, id: id)
        try await tell(cause, by: deed.actor, about: matter, again: again, in: transaction)
    }

    /// Withdraws what was told of an act, or of an earlier one.
    private func takeBack(_ act: Act, in transaction: Transaction) {
        ActStore.keep(act, active: false, in: transaction)
        EntryStore.withdraw(.takenBack(act), in: transaction)
    }

    /// Keeps what was said; what hides also sweeps away the notifications caused until then.
    ///
    /// Whoever tells of what an account did shares its lock before: then a silence that comes at the same time, in another
    /// process, either is seen or sweeps it away.
    private func silence(_ silence: Silence, again: Bool = false, in transaction: Transaction) {
        for account in silence.silenced.sorted() { LockStore.claim(account.rawValue, in: transaction) }
        if again {
            SilenceStore.keepAgain(silence, in: transaction)
        } else {
            SilenceStore.keep(silence, in: transaction)
        }
        SilenceStore.supersede(silence, in: transaction)
        guard silence.hides else { return }
        let (account, target) = (silence.account, silence.target)
        EntryStore.withdraw(.silenced(account, of: target, since: silence.since), in: transaction)
        guard silence.kind == .block else { return }
        EntryStore.withdraw(.silenced(target, of: account, since: silence.since), in: transaction)
    }

    private var tell: TellNotification { TellNotification(site: site, deliveries: deliveries) }
}

/// An act, and what is told of it.
private struct Deed {
    let act: Act
    let actor: AccountSnapshot
    let moment: Timestamp
    /// Whether it is told again: then nobody hears of it.
    let again: Bool

    init<Subject>(
        _ kind: NotificationKind,
        by actor: AccountSnapshot,
        of subject: ID<Subject>,
        at moment: Timestamp,
        _ event: Envelope<some Event>
    ) {
        act = Act(kind, by: actor.id, of: subject, event)
        (self.actor, self.moment, again) = (actor, moment, event.isRetold)
    }
}
