// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.activity`: turns what happens in posts into notifications.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Views

/// Reacts to a batch of events of posts as a whole: of each thing the newest word is kept, in one statement a kind.
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
        let announced = retention.reaction(to: PostAnnounced.self) { event, transaction in
            try await announce(event.data, in: transaction)
        }
        return EventQueue(
            Activity.name,
            gathering: .milliseconds(25),
            patient: Activity.quiet,
            prepare: apply,
            rebuild: .activity,
            Reaction.noted(Activity.types) + [announced]
        )
    }

    /// Of which few people hear, and nobody waits to.
    private static let quiet: [any Event.Type] = [
        PostCreated.self, PostEdited.self, PostDeleted.self, PostUnliked.self, PostUnreposted.self,
        AccountUnfollowed.self, FollowRequestClosed.self, ProfileUpdated.self, LinkPreviewReady.self,
    ]

    /// For which all is done for the batch.
    private static let types: [any Event.Type] = [
        PostCreated.self, ReplyCreated.self, PostEdited.self, PostDeleted.self, PostLiked.self, PostUnliked.self,
        PostReposted.self, PostUnreposted.self, AccountFollowed.self, AccountUnfollowed.self, FollowRequested.self,
        FollowRequestClosed.self, ProfileUpdated.self, AccountBlocked.self, AccountUnblocked.self, AccountMuted.self,
        AccountUnmuted.self, LinkPreviewReady.self, AccountRestricted.self,
    ]

    // MARK: A batch

    /// Two copies never wait for each other in a circle: every queue locks rows of `accounts` first, then come all other locks of the
    /// batch at once, and then rows in the order of their keys. An entry goes with the row of its post or act, which is held by then.
    @Sendable private func apply(_ arrivals: [Arrival], in transaction: Transaction) async throws {
        let news = ActivityNews(arrivals, horizon: retention.horizon)
        // Of a profile no more is kept than what every event shows of accounts.
        try AccountStore.keep(arrivals.events.newestAccounts, repairing: news.repairedAccounts, in: transaction)
        LockStore.take(sharing: news.shared, claiming: news.claimed, in: transaction)
        // What decides whether others hear of the rest, or what they see of it, is known first.
        for deletion in news.deletions { delete(deletion, in: transaction) }
        for (silence, again) in news.silences { keep(silence, again: again, in: transaction) }
        for arrival in news.surroundings { try await keepSurroundings(arrival, in: transaction) }

        try PostStore.keep(news.posts, repairing: news.isRepairing, at: retention.now(), in: transaction)
        ActStore.keep(news.words, repairing: news.isRepairing, in: transaction)
        if !news.edited.isEmpty { EntryStore.withdraw(.unnamed(news.edited), in: transaction) }
        if !news.takenBack.isEmpty { EntryStore.withdraw(.takenBack(news.takenBack), in: transaction) }
        try await tell(news.naming.map(mentions) + news.deeds.map(telling), in: transaction)
    }

    /// The preview of a link, and what others may see of an account: what a hidden one caused is in nobody's list as long as it is
    /// hidden, and is there again afterwards.
    private func keepSurroundings(_ arrival: Arrival, in transaction: Transaction) async throws {
        switch arrival.event {
        case let event as LinkPreviewReady:
            let news = CardNews(event)
            try await CardStore.keep(news, at: arrival.time, repairing: arrival.isRetold, in: transaction)
        case let event as AccountRestricted: _ = try await RestrictedAccounts.keep(event, in: transaction)
        default: break
        }
    }

    private func mentions(_ shown: ActivityNews.Shown) throws -> Telling {
        let (post, author) = (shown.post, shown.author)
        let newIDs = try ids.entries(post.recipients.count, of: post.createdAt, again: shown.again)
        let cause = Cause.mentions(of: post, ids: newIDs)
        return Telling(cause, by: author, about: .post(post, by: author), again: shown.again, trace: shown.trace)
    }

    private func telling(_ deed: ActivityNews.Deed) throws -> Telling {
        let newIDs = try ids.entries(1, of: deed.moment, again: deed.again)
        let cause = Cause.act(deed.act, for: deed.recipient, at: deed.moment, id: newIDs[0])
        return Telling(cause, by: deed.actor, about: deed.matter, again: deed.again, trace: deed.trace)
    }

    private func delete(_ deletion: ActivityNews.Deletion, in transaction: Transaction) {
        PostStore.bury(deletion.post, version: deletion.version, at: deletion.moment, in: transaction)
        ActStore.forget(deletion.post, in: transaction)
        EntryStore.withdraw(.postDeleted(deletion.post), in: transaction)
    }

    /// Keeps what was said; what hides also sweeps away the notifications caused until then.
    ///
    /// Whoever tells of what an account did shares its lock before: then a silence that comes at the same time, in another
    /// process, either is seen or sweeps it away.
    private func keep(_ silence: Silence, again: Bool, in transaction: Transaction) {
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

    // MARK: One event

    /// A post of which some people are to hear; what it shows was kept for the batch. A kind of a later release is left to it.
    private func announce(_ event: PostAnnounced, in transaction: Transaction) async throws {
        let (post, author) = (event.post, event.author)
        guard let kind = NotificationKind(rawValue: event.type), kind == .status || kind == .update else { return }
        let recipients = Set(event.recipients).subtracting([author.id]).sorted()
        let entries = try recipients.map { (id: try ids.next(NotificationID.self), recipient: $0) }
        let cause = Cause.announced(kind, post, entries)
        guard !entries.isEmpty, cause.moment > retention.horizon else { return }
        try await tell([Telling(cause, by: author, about: .post(post, by: author))], in: transaction)
    }

    private var tell: TellNotification { TellNotification(site: site, deliveries: deliveries) }
}
