// SPDX-License-Identifier: Apache-2.0
// What a batch of events says of posts, of what people did to them and to each other, and of who is not to hear of it.

import Domain
import Events
import Outbox
import ServiceKit

/// The newest word of a batch on each post and on each act.
///
/// What would tell or show something is not in it when it is too old, nor is what a deletion in the same batch takes away.
struct ActivityNews: Sendable {
    /// A post as an event shows it.
    struct Shown: Sendable {
        let post: PostSnapshot
        let author: AccountSnapshot
        let again: Bool
        let trace: TraceContext
    }

    /// An act of which somebody is to hear.
    struct Deed: Sendable {
        let act: Act
        let actor: AccountSnapshot
        let recipient: AccountID
        /// When it was done.
        let moment: Timestamp
        let matter: Matter
        let again: Bool
        let trace: TraceContext
    }

    struct Deletion: Sendable {
        let post: PostID
        let version: Int64
        let moment: Timestamp
    }

    /// By the ids of the posts.
    private(set) var posts: [ToldPost] = []
    /// Posts that name people, as they came; one that was told again and for the first time is in it twice.
    private(set) var naming: [Shown] = []
    /// By what they are about.
    private(set) var words: [Word] = []
    /// As they came; one that was told again and for the first time is in it twice.
    private(set) var deeds: [Deed] = []
    private(set) var deletions: [Deletion] = []
    private(set) var silences: [(silence: Silence, again: Bool)] = []
    /// Previews of links, and what others may see of accounts, each in the order of what it is about.
    private(set) var surroundings: [Arrival] = []
    /// Whose profiles were told again.
    private(set) var repairedAccounts: [AccountID] = []
    /// Whether anything of posts or acts was told again.
    private(set) var isRepairing = false

    private var shown: [Shown] = []
    private var needed: Set<PostID> = []
    private let horizon: Timestamp

    /// - Parameter horizon: what happened until then is told to nobody any more.
    init(_ arrivals: [Arrival], horizon: Timestamp) {
        self.horizon = horizon
        for arrival in arrivals {
            addLasting(arrival)
            if arrival.time > horizon { addTelling(arrival) }
        }
        surroundings.sort { $0.event.subject < $1.event.subject }
        let deleted = Set(deletions.map(\.post))
        shown.removeAll { deleted.contains($0.post.id) }
        words.removeAll { $0.act.concernsPost && deleted.contains(PostID($0.act.subject)) }
        deeds.removeAll { $0.act.concernsPost && deleted.contains(PostID($0.act.subject)) }

        posts = Self.newest(shown, \.post.id, \.post.version).map {
            ToldPost(post: $0.post, isNeeded: needed.contains($0.post.id))
        }.sorted { $0.post.id < $1.post.id }
        naming = Self.newest(shown, { Told(key: $0.post.id, again: $0.again) }, \.post.version)
            .filter { !$0.post.recipients.isEmpty && $0.post.createdAt > horizon }
        words = Self.newest(words, \.act.key, \.act.version).sorted { $0.act.key < $1.act.key }
        deeds = Self.newest(deeds, { Told(key: $0.act.key, again: $0.again) }, \.act.version)
            .filter { $0.recipient != $0.act.actor }
    }

    /// Posts that may name others than they did: one that was never edited names whom it always named.
    var edited: [PostSnapshot] { posts.map(\.post).filter { $0.editedAt != nil } }

    var takenBack: [Act] { words.filter { !$0.isActive }.map(\.act) }

    /// Locks that others may share meanwhile: on whose doing is told or taken back, and on posts.
    var shared: Set<Int64> {
        Set(shown.flatMap { [$0.post.id.rawValue, $0.author.id.rawValue] })
            .union(words.map(\.act.actor.rawValue))
            .union(words.map(\.act).filter(\.concernsPost).map(\.subject))
    }

    /// Locks that nobody may share: on posts that go, and on whose doing somebody may not hear of any more.
    var claimed: Set<Int64> {
        Set(deletions.map(\.post.rawValue)).union(silences.flatMap { $0.silence.silenced.map(\.rawValue) })
    }

    // MARK: Events

    private mutating func addTelling(_ arrival: Arrival) {
        switch arrival.event {
        // Most name nobody, and then only their author is worth keeping.
        case let event as PostCreated: show(event, arrival, isNeeded: !event.post.recipients.isEmpty)
        case let event as ReplyCreated: show(event, arrival, isNeeded: !event.post.recipients.isEmpty)
        // In whatever event a post comes: one of these may be the first to arrive, and the newest.
        case let event as PostEdited: show(event, arrival)
        case let event as PostAnnounced: show(event, arrival)
        case let event as PostLiked:
            show(event, arrival)
            done(.favourite, event, by: event.actor, at: event.likedAt, arrival)
        case let event as PostReposted:
            show(event, arrival)
            done(.reblog, event, by: event.actor, at: event.boostedAt, arrival)
        case let event as AccountFollowed:
            let act = act(.follow, by: event.actor.id, of: event.targetID, arrival)
            done(act, by: event.actor, for: event.targetID, at: event.followedAt, about: .account, arrival)
        case let event as FollowRequested:
            let act = act(.followRequest, by: event.actor.id, of: event.targetID, arrival)
            done(act, by: event.actor, for: event.targetID, at: event.requestedAt, about: .account, arrival)
        default: break
        }
    }

    /// What is heeded however old it is.
    private mutating func addLasting(_ arrival: Arrival) {
        switch arrival.event {
        case let event as PostUnliked: takenBack(act(.favourite, by: event.actorID, of: event.postID, arrival))
        case let event as PostUnreposted: takenBack(act(.reblog, by: event.actorID, of: event.postID, arrival))
        case let event as AccountUnfollowed: takenBack(act(.follow, by: event.actorID, of: event.targetID, arrival))
        case let event as FollowRequestClosed:
            takenBack(act(.followRequest, by: event.actorID, of: event.targetID, arrival))
        case let event as PostDeleted:
            deletions.append(Deletion(post: event.postID, version: event.subjectVersion, moment: arrival.time))
        case let event as AccountBlocked: silence(.block, of: event.targetID, for: event.actorID, arrival)
        case let event as AccountUnblocked:
            silence(.block, of: event.targetID, for: event.actorID, hides: false, arrival)
        case let event as AccountMuted:
            let (hides, end) = (event.notifications, event.expires)
            silence(.mute, of: event.targetID, for: event.actorID, hides: hides, until: end, arrival)
        case let event as AccountUnmuted: silence(.mute, of: event.targetID, for: event.actorID, hides: false, arrival)
        case let event as ProfileUpdated: if arrival.isRetold { repairedAccounts.append(event.account.id) }
        case is LinkPreviewReady, is AccountRestricted: surroundings.append(arrival)
        default: break
        }
    }

    private mutating func show(_ event: some TellingPost, _ arrival: Arrival, isNeeded: Bool = true) {
        guard isNeeded || arrival.isRetold else { return }
        if isNeeded { needed.insert(event.post.id) }
        if arrival.isRetold { isRepairing = true }
        shown.append(
            Shown(post: event.post, author: event.author, again: arrival.isRetold, trace: arrival.trace)
        )
    }

    /// A favourite or a boost.
    private mutating func done(
        _ kind: NotificationKind,
        _ event: some TellingPost,
        by actor: AccountSnapshot,
        at moment: Timestamp,
        _ arrival: Arrival
    ) {
        let act = act(kind, by: actor.id, of: event.post.id, arrival)
        let matter = Matter.post(event.post, by: event.author)
        done(act, by: actor, for: event.author.id, at: moment, about: matter, arrival)
    }

    private mutating func done(
        _ act: Act,
        by actor: AccountSnapshot,
        for recipient: AccountID,
        at moment: Timestamp,
        about matter: Matter,
        _ arrival: Arrival
    ) {
        if arrival.isRetold { isRepairing = true }
        words.append(Word(act: act, isActive: true))
        deeds.append(
            Deed(
                act: act,
                actor: actor,
                recipient: recipient,
                moment: moment,
                matter: matter,
                again: arrival.isRetold,
                trace: arrival.trace
            )
        )
    }

    private mutating func takenBack(_ act: Act) { words.append(Word(act: act, isActive: false)) }

    private mutating func silence(
        _ kind: Silence.Kind,
        of target: AccountID,
        for account: AccountID,
        hides: Bool = true,
        until end: Timestamp? = nil,
        _ arrival: Arrival
    ) {
        let silence = Silence(
            kind,
            of: target,
            for: account,
            hides: hides,
            until: end,
            version: arrival.event.subjectVersion,
            at: arrival.time
        )
        silences.append((silence, arrival.isRetold))
    }

    private func act<Subject>(
        _ kind: NotificationKind,
        by actor: AccountID,
        of subject: ID<Subject>,
        _ arrival: Arrival
    ) -> Act {
        Act(kind, by: actor, of: subject, version: arrival.event.subjectVersion, at: arrival.time)
    }

    // MARK: The newest

    private struct Told<Key: Hashable>: Hashable {
        let key: Key
        let again: Bool
    }

    /// The newest of each, in the order of `values`; of several of one version the last.
    private static func newest<Value, Key: Hashable>(
        _ values: [Value],
        _ key: (Value) -> Key,
        _ version: (Value) -> Int64
    ) -> [Value] {
        var places: [Key: Int] = [:]
        for (place, value) in values.enumerated() {
            let key = key(value)
            if let known = places[key], version(values[known]) > version(value) { continue }
            places[key] = place
        }
        return places.values.sorted().map { values[$0] }
    }
}

extension Act {
    /// What it is about, in the order of the rows.
    fileprivate struct Key: Hashable, Comparable {
        let kind: String
        let subject: Int64
        let actor: AccountID

        static func < (a: Key, b: Key) -> Bool { (a.kind, a.subject, a.actor) < (b.kind, b.subject, b.actor) }
    }

    fileprivate var key: Key { Key(kind: kind.rawValue, subject: subject, actor: actor) }
}
