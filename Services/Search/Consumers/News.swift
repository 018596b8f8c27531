// SPDX-License-Identifier: Apache-2.0
// What a batch of events says, by what it is about.

import Domain
import Events

/// The newest word of a batch on each thing.
struct News: Sendable {
    private(set) var registered: [AccountRegistered] = []
    private(set) var accounts: [AccountSnapshot]
    private(set) var ties: [Tie] = []
    private(set) var memberships: [Membership] = []
    private(set) var places: [Place] = []
    /// Newest of each.
    private(set) var posts: [PostSnapshot] = []
    /// As they came.
    private(set) var shown: [PostSnapshot] = []
    private(set) var deletedPosts: [PostID] = []
    private(set) var documents: [SearchDocument] = []
    private(set) var removals: [SearchRemoval] = []
    private(set) var popularity: [SearchPopularity] = []
    /// What is told of records, for the books on shelves.
    private(set) var shelved: [ShelvedBook] = []

    init(_ events: [any Event]) {
        accounts = events.newestAccounts
        for event in events { add(event) }
        registered = Self.newest(registered, \.accountID, \.subjectVersion)
        ties = Self.newest(ties, \.key, \.version)
        memberships = Self.newest(memberships, \.key, \.version)
        places = Self.newest(places, \.id, \.version)
        posts = Self.newest(shown, \.id, \.version)
        shelved = Self.newest(shelved, \.record, \.version)
        let ended = Dictionary(removals.map { ($0.key, $0.version) }, uniquingKeysWith: max)
        documents = documents.newest.filter { $0.version > ended[$0.key] ?? .min }
        removals = removals.newest
        popularity = popularity.newest
    }

    private static func newest<Value, Key: Hashable>(
        _ values: [Value],
        _ key: (Value) -> Key,
        _ version: (Value) -> Int64
    ) -> [Value] {
        Array(Dictionary(values.map { (key($0), $0) }) { version($0) < version($1) ? $1 : $0 }.values)
    }

    private mutating func add(_ event: any Event) {
        switch event {
        case let event as AccountRegistered: registered.append(event)
        case let event as PostCreated: written(event.post)
        case let event as ReplyCreated: written(event.post)
        case let event as PostEdited: written(event.post)
        case let event as PostLiked: popularity.append(SearchPopularity(event.post))
        case let event as PostReposted: popularity.append(SearchPopularity(event.post))
        case let event as PostDeleted:
            deletedPosts.append(event.postID)
            remove(.post, event.postID.rawValue, event.subjectVersion)
        case let event as MessageSent: documents.append(SearchDocument(event.message))
        case let event as MessageEdited: documents.append(SearchDocument(event.message))
        case let event as MessageDeleted: remove(.message, event.messageID.rawValue, event.subjectVersion)
        default: if !addTie(event), !addProject(event), !addRecord(event) { addPlace(event) }
        }
    }

    /// - Returns: whether it is about a project.
    private mutating func addProject(_ event: any Event) -> Bool {
        switch event {
        case let event as any TellingProject: documents.append(SearchDocument(event.project))
        case let event as ProjectDeleted: remove(.project, event.projectID.rawValue, event.subjectVersion)
        default: return false
        }
        return true
    }

    /// - Returns: whether it is about a record of reading.
    private mutating func addRecord(_ event: any Event) -> Bool {
        switch event {
        case let event as RecordPublished: read(event.record)
        case let event as RecordUpdated: read(event.record)
        case let event as RecordWithdrawn:
            shelved.append(ShelvedBook(event))
            remove(.reading, event.recordID.rawValue, event.subjectVersion)
        default: return false
        }
        return true
    }

    private mutating func read(_ record: RecordSnapshot) {
        shelved.append(ShelvedBook(record))
        documents.append(SearchDocument(record))
    }

    private mutating func written(_ post: PostSnapshot) {
        shown.append(post)
        documents.append(SearchDocument(post))
        // A public post can be read by everybody, whether or not its author wants it to be found by its words; and nobody is told
        // who used a hashtag.
        guard post.visibility == .public else { return }
        documents += post.tags.map { SearchDocument(tag: $0) }
    }

    private mutating func remove(_ kind: SearchKind, _ id: Int64, _ version: Int64) {
        removals.append(SearchRemoval(kind: kind, id: id, version: version))
    }

    // MARK: People

    /// - Returns: whether it is about two people.
    private mutating func addTie(_ event: any Event) -> Bool {
        func tie(_ kind: Tie.Kind, _ actor: AccountID, _ target: AccountID, _ version: Int64, _ isActive: Bool) -> Bool
        {
            ties.append(Tie(kind, by: actor, of: target, version: version, isActive: isActive))
            return true
        }
        return switch event {
        case let event as AccountFollowed: tie(.follow, event.actor.id, event.targetID, event.subjectVersion, true)
        case let event as AccountUnfollowed: tie(.follow, event.actorID, event.targetID, event.subjectVersion, false)
        case let event as AccountBlocked: tie(.block, event.actorID, event.targetID, event.subjectVersion, true)
        case let event as AccountUnblocked: tie(.block, event.actorID, event.targetID, event.subjectVersion, false)
        case let event as AccountMuted: tie(.mute, event.actorID, event.targetID, event.subjectVersion, true)
        case let event as AccountUnmuted: tie(.mute, event.actorID, event.targetID, event.subjectVersion, false)
        case let event as FollowRequested: tie(.request, event.actor.id, event.targetID, event.subjectVersion, true)
        case let event as FollowRequestClosed: tie(.request, event.actorID, event.targetID, event.subjectVersion, false)
        default: false
        }
    }

    // MARK: Places

    /// Versions of a place, of its memberships and of its end are numbers of one clock in chat, so that they can be compared.
    private mutating func addPlace(_ event: any Event) {
        switch event {
        case let event as PlaygroundCreated: playground(event.playground)
        case let event as PlaygroundUpdated: playground(event.playground)
        case let event as PlaygroundDeleted:
            end(.playground, event.playgroundID.rawValue, event.subjectVersion)
            for id in event.channelIDs { end(.channel, id.rawValue, event.subjectVersion) }
        case let event as ChannelCreated: channel(event.channel)
        case let event as ChannelUpdated: channel(event.channel)
        case let event as ChannelArchived: channel(event.channel)
        case let event as ChannelDeleted: end(.channel, event.channelID.rawValue, event.subjectVersion)
        case let event as ConversationOpened:
            channel(event.channel)
            // Who has yet to accept hears of no message, and comes in by MemberJoined.
            for id in event.memberIDs where !event.requestedIDs.contains(id) {
                member(id, event.channel.id.rawValue, event.subjectVersion, true)
            }
        case let event as MemberJoined:
            guard let place = event.channelID?.rawValue ?? event.playgroundID?.rawValue else { return }
            member(event.account.id, place, event.subjectVersion, true)
        case let event as MemberLeft:
            guard let place = event.channelID?.rawValue ?? event.playgroundID?.rawValue else { return }
            member(event.accountID, place, event.subjectVersion, false)
        default: break
        }
    }

    private mutating func playground(_ playground: PlaygroundSnapshot) {
        places.append(Place(playground))
        documents.append(SearchDocument(playground))
    }

    private mutating func channel(_ channel: ChannelSnapshot) {
        places.append(Place(channel))
        // Direct messages have no name by which they could be found.
        if !channel.type.isDirect { documents.append(SearchDocument(channel)) }
    }

    private mutating func end(_ kind: SearchKind, _ id: Int64, _ version: Int64) {
        places.append(Place(id: id, playground: nil, version: version, name: "", isGone: true))
        remove(kind, id, version)
    }

    private mutating func member(_ account: AccountID, _ place: Int64, _ version: Int64, _ isActive: Bool) {
        memberships.append(Membership(of: account, in: place, version: version, isActive: isActive))
    }
}

extension Tie {
    fileprivate var key: [Int64] { [Int64(kind.rawValue), account.rawValue, target.rawValue] }
}

extension Membership {
    fileprivate var key: [Int64] { [account.rawValue, place] }
}
