// SPDX-License-Identifier: Apache-2.0
// A town in which much changes, and for everything in it the plain set of those who may find it.

import Domain
import Events
import Support

@testable import SearchService

/// A thing that may be found, and the words it has.
struct TownThing: Sendable {
    let kind: SearchKind
    let id: Int64
    var author: Int64 = 0
    var text = ""
    var readers: Set<Int64> = []
}

/// What happens, as events in the order in which it happens, and what is so in the end. Account 0 is somebody who is not signed in,
/// account 9 somebody of whom nobody has heard.
struct TownModel {
    static let everybody = Set<Int64>(0...9)

    private struct Pair: Hashable { let one, other: Int64 }

    private struct Post {
        var snapshot: PostSnapshot
        var named: Set<Int64>
    }

    private(set) var told: [any Event] = []
    private var version: Int64 = 1
    private var mayBeFound: Set<Int64> = []
    private var follows: Set<Pair> = []
    private var blocks: Set<Pair> = []
    /// In a channel or a playground, by the person.
    private var inside: Set<Pair> = []
    private var posts: [Int64: Post] = [:]
    private var messages: [Int64: MessageSnapshot] = [:]
    private var channels: [Int64: ChannelSnapshot] = [:]
    private var playgrounds: [Int64: PlaygroundSnapshot] = [:]
    private var projects: [Int64: ProjectSnapshot] = [:]
    private var records: [Int64: RecordSnapshot] = [:]
    private var tags: Set<String> = []
    private var number: Int64 = 0

    init(_ chance: inout TestSeed, length: Int) {
        for id in Int64(1)...6 { show(id, indexable: chance.chance(2, in: 3)) }
        for (id, open) in [(Int64(100), true), (200, false)] {
            playgrounds[id] = SearchWorld.playground(id, "마당 \(id)", version: next(), open: open)
            playgrounds[id].map { told.append(PlaygroundCreated(playground: $0)) }
            for (channel, type) in [(id + 1, ChannelType.public), (id + 2, .private), (id + 3, .public)] {
                add(SearchWorld.channel(channel, in: id, "마당 \(channel)", type: type, version: next()))
            }
        }
        let direct = SearchWorld.channel(300, in: nil, "", type: .group, version: next())
        channels[300] = direct
        told.append(
            ConversationOpened(
                channel: direct,
                memberIDs: [1, 2, 3].map { AccountID($0) },
                requestedIDs: [AccountID(3)],
                actorID: AccountID(1)
            )
        )
        inside.formUnion([Pair(one: 1, other: 300), Pair(one: 2, other: 300)])
        for _ in 0..<length { step(&chance) }
        // Something ends at last, and with it what is in it.
        end(channel: 103)
        told.append(
            PlaygroundDeleted(
                playgroundID: PlaygroundID(200),
                channelIDs: [201, 202, 203].map { ChannelID($0) },
                actorID: AccountID(1),
                subjectVersion: next()
            )
        )
        playgrounds[200] = nil
        for id in Int64(201)...203 { channels[id] = nil }
    }

    private mutating func next() -> Int64 {
        version += 1
        return version
    }

    private mutating func person(_ id: Int64) -> AccountSnapshot {
        SearchWorld.account(id, "마당 사람\(id)", version: next(), discoverable: true, indexable: mayBeFound.contains(id))
    }

    private mutating func show(_ id: Int64, indexable: Bool) {
        if indexable { mayBeFound.insert(id) } else { mayBeFound.remove(id) }
        told.append(ProfileUpdated(account: person(id)))
    }

    private mutating func add(_ channel: ChannelSnapshot) {
        channels[channel.id.rawValue] = channel
        told.append(ChannelCreated(channel: channel))
    }

    private mutating func end(channel id: Int64) {
        channels[id] = nil
        told.append(ChannelDeleted(channelID: ChannelID(id), actorID: AccountID(1), subjectVersion: next()))
    }

    // MARK: What happens

    private mutating func text(_ chance: inout TestSeed) -> String {
        number += 1
        let words = [chance.chance(1, in: 2) ? "독서" : "", chance.chance(1, in: 3) ? "#tag\(number)" : ""]
        return (["마당 글\(number)"] + words.filter { !$0.isEmpty }).joined(separator: " ")
    }

    private mutating func step(_ chance: inout TestSeed) {
        let (one, other) = (Int64.random(in: 1...6, using: &chance), Int64.random(in: 1...6, using: &chance))
        let pair = Pair(one: one, other: other)
        let (actor, target) = (AccountID(one), AccountID(other))
        switch Int.random(in: 0..<25, using: &chance) {
        case 0...4: post(by: one, &chance)
        case 5: if let id = posts.keys.sorted().randomElement(using: &chance) { edit(id, &chance) }
        case 6:
            guard let id = posts.keys.sorted().randomElement(using: &chance), let post = posts.removeValue(forKey: id)
            else { return }
            let author = post.snapshot.accountID
            told.append(PostDeleted(postID: PostID(id), accountID: author, boostIDs: [], subjectVersion: next()))
        case 7: show(one, indexable: Bool.random(using: &chance))
        case 8...9 where one != other:
            follows.insert(pair)
            let account = person(one)
            told.append(
                AccountFollowed(actor: account, targetID: target, followedAt: SearchWorld.now, subjectVersion: next())
            )
        case 10 where follows.remove(pair) != nil:
            told.append(AccountUnfollowed(actorID: actor, targetID: target, subjectVersion: next()))
        case 11 where one != other && chance.chance(1, in: 2):
            blocks.insert(pair)
            told.append(AccountBlocked(actorID: actor, targetID: target, subjectVersion: next()))
        case 12 where blocks.remove(pair) != nil:
            told.append(AccountUnblocked(actorID: actor, targetID: target, subjectVersion: next()))
        case 13 where one != other:
            // Whom one does not want to hear of can be found all the same.
            told.append(
                AccountMuted(
                    actorID: actor,
                    targetID: target,
                    notifications: true,
                    expires: nil,
                    subjectVersion: next()
                )
            )
        case 14...15: come(one, &chance)
        case 16: leave(one, &chance)
        case 17...18: work(one, &chance)
        case 19...21: read(one, &chance)
        default: talk(one, &chance)
        }
    }

    private mutating func post(by one: Int64, _ chance: inout TestSeed) {
        let text = text(&chance)
        let named = chance.chance(1, in: 3) ? [Int64.random(in: 1...6, using: &chance)] : []
        let post = SearchWorld.post(
            SearchWorld.id(number),
            by: one,
            text,
            version: next(),
            visibility: Visibility.allCases.randomElement(using: &chance) ?? .public,
            mentions: named
        )
        posts[post.id.rawValue] = Post(snapshot: post, named: Set(named))
        if post.visibility == .public { tags.formUnion(post.tags) }
        told.append(PostCreated(author: person(one), post: post))
    }

    private mutating func edit(_ id: Int64, _ chance: inout TestSeed) {
        guard let old = posts[id]?.snapshot else { return }
        let text = text(&chance)
        let named = chance.chance(1, in: 3) ? [Int64.random(in: 1...6, using: &chance)] : []
        let author = old.accountID.rawValue
        let post = SearchWorld.post(
            id,
            by: author,
            text,
            version: next(),
            visibility: old.visibility,
            mentions: named,
            editedAt: SearchWorld.now
        )
        posts[id] = Post(snapshot: post, named: Set(named))
        if post.visibility == .public { tags.formUnion(post.tags) }
        told.append(PostEdited(author: person(author), post: post))
    }

    /// A project begins, changes or goes.
    private mutating func work(_ one: Int64, _ chance: inout TestSeed) {
        let known = chance.chance(1, in: 2) ? projects.keys.sorted().randomElement(using: &chance) : nil
        if let known, chance.chance(1, in: 4), let gone = projects.removeValue(forKey: known) {
            told.append(ProjectDeleted(projectID: gone.id, leaderID: gone.leaderID, subjectVersion: next()))
            return
        }
        let text = text(&chance)
        let project = SearchWorld.project(
            known ?? SearchWorld.id(number),
            by: known.flatMap { projects[$0]?.leaderID.rawValue } ?? one,
            text,
            state: ProjectState.allCases.randomElement(using: &chance) ?? .draft,
            version: next()
        )
        projects[project.id.rawValue] = project
        told.append(SearchWorld.told(project))
    }

    /// A record of one of some books is shown, changes or is withdrawn.
    private mutating func read(_ one: Int64, _ chance: inout TestSeed) {
        let known = chance.chance(1, in: 2) ? records.keys.sorted().randomElement(using: &chance) : nil
        if let known, chance.chance(1, in: 3), let gone = records.removeValue(forKey: known) {
            told.append(RecordWithdrawn(recordID: gone.id, accountID: gone.accountID, subjectVersion: next()))
            return
        }
        number += 1
        let record = SearchWorld.record(
            known ?? SearchWorld.id(number),
            by: known.flatMap { records[$0]?.accountID.rawValue } ?? one,
            of: "마당 책\(Int.random(in: 0..<5, using: &chance))",
            review: chance.chance(1, in: 2) ? "독서" : "생각",
            visibility: chance.chance(2, in: 3) ? .public : .followers,
            version: next()
        )
        records[record.id.rawValue] = record
        let reader = person(record.accountID.rawValue)
        told.append(
            known == nil
                ? RecordPublished(reader: reader, record: record) : RecordUpdated(reader: reader, record: record)
        )
    }

    private mutating func come(_ one: Int64, _ chance: inout TestSeed) {
        let place = ([100, 200] + channels.keys.sorted()).randomElement(using: &chance) ?? 100
        let isPlayground = place % 100 == 0 && place < 300
        inside.insert(Pair(one: one, other: place))
        told.append(
            MemberJoined(
                playgroundID: isPlayground ? PlaygroundID(place) : place == 300 ? nil : PlaygroundID(place / 100 * 100),
                channelID: isPlayground ? nil : ChannelID(place),
                account: person(one),
                role: .member,
                joinedAt: SearchWorld.now,
                subjectVersion: next()
            )
        )
    }

    private mutating func leave(_ one: Int64, _ chance: inout TestSeed) {
        let mine = inside.filter { $0.one == one }.map(\.other).sorted()
        guard let place = mine.randomElement(using: &chance) else { return }
        let isPlayground = place % 100 == 0 && place < 300
        inside.remove(Pair(one: one, other: place))
        told.append(
            MemberLeft(
                playgroundID: isPlayground ? PlaygroundID(place) : nil,
                channelID: isPlayground ? nil : ChannelID(place),
                accountID: AccountID(one),
                actorID: AccountID(one),
                subjectVersion: next()
            )
        )
    }

    private mutating func talk(_ one: Int64, _ chance: inout TestSeed) {
        guard let place = channels.keys.sorted().randomElement(using: &chance), let channel = channels[place] else {
            return
        }
        let text = text(&chance)
        let message = SearchWorld.message(SearchWorld.id(number), by: one, in: place, text, change: next())
        told.append(MessageSent(message: message, author: person(one), channel: channel, recipientIDs: []))
        if chance.chance(4, in: 5) {
            messages[message.id.rawValue] = message
            return
        }
        told.append(
            MessageDeleted(
                messageID: message.id,
                channelID: message.channelID,
                seq: 1,
                authorID: message.authorID,
                actorID: message.authorID,
                subjectVersion: next()
            )
        )
    }

    // MARK: Who may find what

    /// Everything that is there in the end.
    var things: [TownThing] {
        var things: [TownThing] = []
        for id in Int64(1)...6 {
            let text = "마당 사람\(id)"
            things.append(TownThing(kind: .account, id: id, author: id, text: text, readers: Self.everybody))
        }
        for (id, post) in posts {
            let author = post.snapshot.accountID.rawValue
            var readers = post.named.union([author])
            switch post.snapshot.visibility {
            case .public: if mayBeFound.contains(author) { readers = Self.everybody }
            case .private: readers.formUnion(follows.filter { $0.other == author }.map(\.one))
            case .unlisted, .direct: break
            }
            things.append(
                TownThing(kind: .post, id: id, author: author, text: post.snapshot.text, readers: readers)
            )
        }
        for (id, message) in messages where channels[message.channelID.rawValue] != nil {
            things.append(
                TownThing(
                    kind: .message,
                    id: id,
                    author: message.authorID.rawValue,
                    text: message.text,
                    readers: members(of: message.channelID.rawValue)
                )
            )
        }
        for (id, channel) in channels where id != 300 {
            let place = channel.type == .public ? id / 100 * 100 : id
            things.append(TownThing(kind: .channel, id: id, text: channel.name, readers: members(of: place)))
        }
        for (id, playground) in playgrounds {
            let readers = playground.open == true ? Self.everybody : members(of: id)
            things.append(TownThing(kind: .playground, id: id, text: playground.name, readers: readers))
        }
        things += worked + readings
        for tag in tags {
            let id = SearchDocument.id(ofTag: tag)
            things.append(TownThing(kind: .hashtag, id: id, text: tag, readers: Self.everybody))
        }
        for index in things.indices {
            let author = things[index].author
            for pair in blocks where pair.one == author || pair.other == author {
                things[index].readers.remove(pair.one == author ? pair.other : pair.one)
            }
        }
        return things
    }

    private var worked: [TownThing] {
        projects.map { id, project in
            let leader = project.leaderID.rawValue
            let readers = project.state == .draft ? [leader] : Self.everybody
            return TownThing(kind: .project, id: id, author: leader, text: project.title, readers: readers)
        }
    }

    /// The records, and of each book that a public one has the first of these.
    private var readings: [TownThing] {
        var things: [TownThing] = []
        for (id, record) in records {
            let reader = record.accountID.rawValue
            var readers: Set = [reader]
            if record.visibility == .followers {
                readers.formUnion(follows.filter { $0.other == reader }.map(\.one))
            } else if mayBeFound.contains(reader) {
                readers = Self.everybody
            }
            let text = "\(record.book.title) \(record.review ?? "")"
            things.append(TownThing(kind: .reading, id: id, author: reader, text: text, readers: readers))
        }
        var first: [String: Int64] = [:]
        for (id, record) in records where record.visibility == .public {
            first[record.book.title] = min(first[record.book.title] ?? .max, id)
        }
        return things
            + first.map { TownThing(kind: .book, id: $0.value, text: $0.key, readers: Self.everybody) }
    }

    private func members(of place: Int64) -> Set<Int64> { Set(inside.filter { $0.other == place }.map(\.one)) }
}
