// SPDX-License-Identifier: Apache-2.0
// What happens in a small town, by chance.

import Domain
import Events
import Support

@testable import SearchService

/// A history of some hundred events of every kind that search reacts to, with versions as their services give them.
struct SearchHistory {
    private(set) var told: [Told] = []
    private var version: Int64 = 10
    private var accounts: [Int64: AccountSnapshot] = [:]
    private var posts: [PostSnapshot] = []
    private var projects: [ProjectSnapshot] = []
    private var records: [RecordSnapshot] = []

    static let words = ["마당", "독서", "모임", "#책", "#여행", "책을", "cooking", "pasta", "https://example.com/a", "読書", "すし"]

    init(_ chance: inout TestSeed, length: Int = 300) {
        for id in Int64(1)...8 {
            accounts[id] = SearchWorld.account(id, "사람\(id)", discoverable: chance.chance(3, in: 4))
            told.append(
                Told(
                    AccountRegistered(
                        accountID: AccountID(id),
                        username: SearchWorld.username("p\(id)"),
                        language: .korean,
                        createdAt: SearchWorld.now
                    )
                )
            )
        }
        tell(PlaygroundCreated(playground: SearchWorld.playground(1000, "마당 하나", version: next(), open: true)))
        tell(PlaygroundCreated(playground: SearchWorld.playground(2000, "마당 둘", version: next())))
        for id in Int64(1001)...1003 {
            tell(ChannelCreated(channel: SearchWorld.channel(id, in: 1000, "독서 \(id)", version: next())))
        }
        for _ in 0..<length { step(&chance) }
        tell(
            PlaygroundDeleted(
                playgroundID: PlaygroundID(2000),
                channelIDs: [],
                actorID: AccountID(1),
                subjectVersion: next()
            )
        )
        tell(ChannelDeleted(channelID: ChannelID(1003), actorID: AccountID(1), subjectVersion: next()))
    }

    private mutating func next() -> Int64 {
        version += 1
        return version
    }

    private mutating func tell(_ event: some Event) { told.append(Told(event)) }

    private mutating func shown(_ id: Int64) -> AccountSnapshot {
        var account = accounts[id] ?? SearchWorld.account(id)
        account.version = next()
        accounts[id] = account
        return account
    }

    private static func text(_ chance: inout TestSeed) -> String {
        (0..<Int.random(in: 1...6, using: &chance)).map { _ in words.randomElement(using: &chance) ?? "" }
            .joined(separator: " ")
    }

    private mutating func step(_ chance: inout TestSeed) {
        let (one, other) = (Int64.random(in: 1...8, using: &chance), Int64.random(in: 1...8, using: &chance))
        switch Int.random(in: 0..<18, using: &chance) {
        case 0...3:
            let id = SearchWorld.id(
                Int64(posts.count),
                ago: .seconds(Int64.random(in: 0...(9 * 86_400), using: &chance))
            )
            let visibility = Visibility.allCases.randomElement(using: &chance) ?? .public
            let post = SearchWorld.post(
                id,
                by: one,
                Self.text(&chance),
                version: next(),
                visibility: visibility,
                mentions: chance.chance(1, in: 4) ? [other] : []
            )
            posts.append(post)
            tell(PostCreated(author: shown(one), post: post))
        case 4...5: like(by: other, &chance)
        case 6: edit(&chance)
        case 7: delete(&chance)
        case 8:
            accounts[one]?.displayName = "사람\(one) \(Self.text(&chance))"
            accounts[one]?.followersCount += 1
            tell(ProfileUpdated(account: shown(one)))
        case 9 where one != other: graph(one, other, &chance)
        case 10: membership(one, &chance)
        case 11: work(one, &chance)
        case 12...14: read(one, &chance)
        default: talk(one, &chance)
        }
    }

    private mutating func work(_ one: Int64, _ chance: inout TestSeed) {
        if chance.chance(1, in: 5), let gone = projects.popLast() {
            tell(ProjectDeleted(projectID: gone.id, leaderID: gone.leaderID, subjectVersion: next()))
            return
        }
        let known = chance.chance(1, in: 2) ? projects.randomElement(using: &chance) : nil
        let project = SearchWorld.project(
            known?.id.rawValue ?? SearchWorld.id(next()),
            by: known?.leaderID.rawValue ?? one,
            Self.text(&chance),
            text: Self.text(&chance),
            state: ProjectState.allCases.randomElement(using: &chance) ?? .draft,
            version: next()
        )
        projects.removeAll { $0.id == project.id }
        projects.append(project)
        told.append(SearchWorld.told(SearchWorld.told(project)))
    }

    private mutating func read(_ one: Int64, _ chance: inout TestSeed) {
        if chance.chance(1, in: 4), let index = records.indices.randomElement(using: &chance) {
            let gone = records[index]
            tell(RecordWithdrawn(recordID: gone.id, accountID: gone.accountID, subjectVersion: next()))
            return
        }
        // Few books, so that several records have one; what they say of it differs.
        let book = Int.random(in: 0..<4, using: &chance)
        let known = chance.chance(1, in: 3) ? records.randomElement(using: &chance) : nil
        let record = SearchWorld.record(
            known?.id.rawValue ?? SearchWorld.id(next()),
            by: known?.accountID.rawValue ?? one,
            of: book < 2 ? "마당 책 \(book)" : Self.text(&chance),
            isbn: book == 2 ? "9788932917245" : nil,
            review: Self.text(&chance),
            visibility: chance.chance(2, in: 3) ? .public : .followers,
            version: next()
        )
        records.removeAll { $0.id == record.id }
        records.append(record)
        tell(RecordUpdated(reader: shown(record.accountID.rawValue), record: record))
    }

    private mutating func like(by actor: Int64, _ chance: inout TestSeed) {
        guard let index = posts.indices.randomElement(using: &chance) else { return }
        posts[index].favouritesCount += 1
        posts[index].version = next()
        let (post, author) = (posts[index], shown(posts[index].accountID.rawValue))
        tell(PostLiked(actor: shown(actor), post: post, author: author, likedAt: SearchWorld.now))
    }

    private mutating func edit(_ chance: inout TestSeed) {
        guard let index = posts.indices.randomElement(using: &chance) else { return }
        posts[index].text = Self.text(&chance)
        posts[index].tags = posts[index].text.split(separator: " ").filter { $0.hasPrefix("#") }.map {
            String($0.dropFirst())
        }
        posts[index].editedAt = SearchWorld.now
        posts[index].version = next()
        tell(PostEdited(author: shown(posts[index].accountID.rawValue), post: posts[index]))
    }

    private mutating func delete(_ chance: inout TestSeed) {
        guard posts.count > 5, let index = posts.indices.randomElement(using: &chance) else { return }
        let post = posts.remove(at: index)
        tell(PostDeleted(postID: post.id, accountID: post.accountID, boostIDs: [], subjectVersion: next()))
    }

    private mutating func graph(_ one: Int64, _ other: Int64, _ chance: inout TestSeed) {
        let (actor, target) = (AccountID(one), AccountID(other))
        switch Int.random(in: 0..<5, using: &chance) {
        case 0:
            let account = shown(one)
            tell(AccountFollowed(actor: account, targetID: target, followedAt: SearchWorld.now, subjectVersion: next()))
        case 1: tell(AccountUnfollowed(actorID: actor, targetID: target, subjectVersion: next()))
        case 2: tell(AccountBlocked(actorID: actor, targetID: target, subjectVersion: next()))
        case 3: tell(AccountUnblocked(actorID: actor, targetID: target, subjectVersion: next()))
        default:
            tell(
                AccountMuted(
                    actorID: actor,
                    targetID: target,
                    notifications: true,
                    expires: nil,
                    subjectVersion: next()
                )
            )
        }
    }

    private mutating func membership(_ one: Int64, _ chance: inout TestSeed) {
        let channel = Int64.random(in: 1001...1003, using: &chance)
        if chance.chance(2, in: 3) {
            tell(SearchWorld.joined(one, channel: channel, playground: 1000, version: next()))
        } else {
            tell(
                MemberLeft(
                    playgroundID: PlaygroundID(1000),
                    channelID: ChannelID(channel),
                    accountID: AccountID(one),
                    actorID: AccountID(one),
                    subjectVersion: next()
                )
            )
        }
    }

    private mutating func talk(_ one: Int64, _ chance: inout TestSeed) {
        // Channel 1003 ends; what is told of it late is not kept, and what was kept goes with the sweep.
        let channel = SearchWorld.channel(Int64.random(in: 1001...1002, using: &chance), in: 1000, "독서")
        let id = SearchWorld.id(next())
        let message = SearchWorld.message(id, by: one, in: channel.id.rawValue, Self.text(&chance), change: next())
        tell(SearchWorld.sent(message, in: channel))
        guard chance.chance(1, in: 4) else { return }
        tell(
            MessageDeleted(
                messageID: message.id,
                channelID: channel.id,
                seq: 1,
                authorID: message.authorID,
                actorID: message.authorID,
                subjectVersion: next()
            )
        )
    }
}
