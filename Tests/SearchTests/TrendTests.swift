// SPDX-License-Identifier: Apache-2.0
// Trends, people to follow, and what may be about to be typed.

import Calls
import Domain
import Events
import HTTPTypes
import NIOCore
import Outbox
import Postgres
import Support
import Testing
import Views
import Web

@testable import SearchService

@Suite struct TrendTests {
    private static func list(_ path: String, _ world: SearchWorld, as viewer: Int64? = nil) async throws -> [JSON] {
        let answer = await world.send(.get, path, as: viewer.map { AccountID($0) })
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSON(bytes: answer.body).elements
    }

    private static func names(_ world: SearchWorld) async throws -> [String?] {
        // Trends are as they were a moment ago.
        world.clock.advance(.seconds(60))
        return try await list("/api/v1/trends/tags", world).map { $0["name"]?.text }
    }

    private static func write(
        _ id: Int64,
        by author: Int64,
        _ text: String,
        ago: Duration = .zero,
        indexable: Bool = true
    )
        -> Told
    {
        let account = SearchWorld.account(author, indexable: indexable)
        return Told(
            PostCreated(author: account, post: SearchWorld.post(SearchWorld.id(id, ago: ago), by: author, text))
        )
    }

    @Test func `a hashtag is a trend by how many use it more than usual, each account once`() async throws {
        try await SearchWorld.run { world in
            var events: [Told] = []
            // One who writes a lot is no trend.
            for id in Int64(1)...50 { events.append(Self.write(id, by: 1, "#spam")) }
            for author in Int64(2)...4 { events.append(Self.write(100 + author, by: author, "#new")) }
            // As many as every day.
            for author in Int64(2)...5 {
                for day in 0..<6 {
                    events.append(
                        Self.write(
                            200 + author * 10 + Int64(day),
                            by: author,
                            "#usual",
                            ago: .seconds(86_400 * Int64(day))
                        )
                    )
                }
            }
            for author in Int64(6)...9 {
                events.append(Self.write(400 + author, by: author, "#hidden", indexable: false))
            }
            try await world.tell(events)
            // The last word on each account: who was last seen as hidden hides all.
            for author in Int64(1)...5 {
                try await world.tell(ProfileUpdated(account: SearchWorld.account(author, version: 5, indexable: true)))
            }
            for author in Int64(6)...9 {
                try await world.tell(ProfileUpdated(account: SearchWorld.account(author, version: 5, indexable: false)))
            }
            let names = try await Self.names(world)
            #expect(names.first == "new")
            #expect(!names.contains("spam"))
            #expect(try await Self.list("/api/v1/trends", world).count == names.count)
            #expect(try await Self.list("/api/v1/trends/tags?limit=1&offset=1", world).first?["name"]?.text == names[1])
            let first = try #require(try await Self.list("/api/v1/trends/tags", world).first)
            #expect(first["history"]?[0]?["accounts"] == "3" && first["id"]?.text != nil)
        }
    }

    @Test func `what is deleted, edited away, hidden or old is no trend`() async throws {
        try await SearchWorld.run { world in
            try await world.tell(
                [1, 2, 3].map { Self.write($0, by: $0, "#여행 https://example.com/a?b=1#c https://madang.test/@p1") }
            )
            #expect(try await Self.names(world) == ["여행"])
            let links = try await Self.list("/api/v1/trends/links", world)
            #expect(links.map { $0["url"]?.text } == ["https://example.com/a?b=1"])
            #expect(links.first?["provider_name"] == "example.com" && links.first?["type"] == "link")
            #expect(links.first?["history"]?[0]?["accounts"] == "3")
            try await world.tell(
                PostDeleted(postID: PostID(SearchWorld.id(1)), accountID: AccountID(1), boostIDs: [], subjectVersion: 9)
            )
            #expect(try await Self.names(world) == ["여행"])
            let edited = SearchWorld.post(SearchWorld.id(2), by: 2, "아무 글", version: 5, editedAt: SearchWorld.now)
            try await world.tell(PostEdited(author: SearchWorld.account(2, version: 2), post: edited))
            #expect(try await Self.names(world) == [])
            try await world.tell([Self.write(4, by: 4, "#여행")])
            #expect(try await Self.names(world) == ["여행"])
            try await world.tell(ProfileUpdated(account: SearchWorld.account(4, version: 9, indexable: false)))
            #expect(try await Self.names(world) == [])
            try await world.tell([Self.write(5, by: 5, "#여행")])
            #expect(try await Self.names(world) == ["여행"])
            world.clock.advance(.seconds(3 * 86_400))
            #expect(try await Self.names(world) == [])
            world.clock.advance(.seconds(9 * 86_400))
            for sweep in Sweeps.all(now: { world.clock.now }) { try await sweep.finish(in: world.database) }
            #expect(try await world.database.query("SELECT count(*) FROM uses").number() == 0)
            #expect(try await world.database.query("SELECT count(*) FROM links").number() == 0)
        }
    }

    @Test func `trending posts are public, popular and of several people`() async throws {
        try await SearchWorld.run { world in
            func like(
                _ id: Int64,
                by author: Int64,
                _ count: Int,
                ago: Duration = .zero,
                _ visibility: Visibility = .public
            )
                -> [Told]
            {
                let id = SearchWorld.id(id, ago: ago)
                let account = SearchWorld.account(author)
                let post = SearchWorld.post(id, by: author, "글", visibility: visibility)
                let liked = SearchWorld.post(id, by: author, "글", version: 4, visibility: visibility, favourites: count)
                return [
                    Told(PostLiked(actor: account, post: liked, author: account, likedAt: SearchWorld.now)),
                    Told(PostCreated(author: account, post: post)),
                ]
            }
            try await world.tell((Int64(1)...5).flatMap { like($0, by: 1, 100) })
            try await world.tell(
                like(11, by: 2, 30) + like(12, by: 2, 70, ago: .seconds(2 * 86_400)) + like(13, by: 3, 500, .private)
            )
            try await world.tell(like(14, by: 3, 900, ago: .seconds(5 * 86_400)) + like(15, by: 4, 50))
            func trending(as viewer: Int64? = nil) async throws -> [PostID] {
                let answer = await world.send(.get, "/internal/trends/posts", as: viewer.map { AccountID($0) })
                return try #require(TrendingPosts(answer: ByteBuffer(bytes: answer.body))).ids
            }
            let own = [5, 4, 3, 15, 11].map { PostID(SearchWorld.id($0)) }
            let old = PostID(SearchWorld.id(12, ago: .seconds(2 * 86_400)))
            #expect(try await trending() == own + [old])
            try await world.tell(AccountBlocked(actorID: AccountID(4), targetID: AccountID(7), subjectVersion: 5))
            #expect(try await trending(as: 7).contains(PostID(SearchWorld.id(15))) == false)
            try await world.tell(
                PostDeleted(postID: PostID(SearchWorld.id(5)), accountID: AccountID(1), boostIDs: [], subjectVersion: 9)
            )
            #expect(Array(try await trending().prefix(3)) == [4, 3, 2].map { PostID(SearchWorld.id($0)) })
        }
    }

    @Test
    func `people to follow are friends of friends, then whom most follow, and nobody with whom there is something`()
        async throws
    {
        try await SearchWorld.run { world in
            for id in Int64(1)...20 {
                let account = SearchWorld.account(
                    id,
                    discoverable: id != 19,
                    followers: Int(id) * 10,
                    languages: id == 11 ? ["ko"] : nil
                )
                try await world.tell(ProfileUpdated(account: account))
            }
            try await world.tell(
                AccountRegistered(
                    accountID: AccountID(7),
                    username: SearchWorld.username("p7"),
                    language: .korean,
                    createdAt: SearchWorld.now
                )
            )
            func follow(_ one: Int64, _ other: Int64) async throws {
                try await world.tell(
                    AccountFollowed(
                        actor: SearchWorld.account(one, version: 1, followers: Int(one) * 10),
                        targetID: AccountID(other),
                        followedAt: SearchWorld.now,
                        subjectVersion: 3
                    )
                )
            }
            for friend in Int64(1)...2 {
                try await follow(7, friend)
                try await follow(friend, 3)
                try await follow(friend, 2)
                try await follow(friend, 7)
            }
            try await follow(1, 4)
            try await world.tell(
                AccountBlocked(actorID: AccountID(20), targetID: AccountID(7), subjectVersion: 3),
                AccountMuted(
                    actorID: AccountID(7),
                    targetID: AccountID(18),
                    notifications: true,
                    expires: nil,
                    subjectVersion: 3
                ),
                FollowRequested(
                    actor: SearchWorld.account(7, followers: 70),
                    targetID: AccountID(17),
                    requestedAt: SearchWorld.now,
                    subjectVersion: 4
                )
            )
            func suggested() async throws -> [SuggestedPerson] {
                let answer = await world.send(.get, "/internal/suggestions", as: AccountID(7))
                return try #require(SuggestedPeople(answer: ByteBuffer(bytes: answer.body))).people
            }
            var people = try await suggested()
            #expect(people.prefix(2).map(\.id.rawValue) == [3, 4])
            #expect(people.first?.sources.first == "friends_of_friends")
            // Whoever speaks one's language comes before whom more follow.
            #expect(people.dropFirst(2).prefix(2).map(\.id.rawValue) == [11, 16])
            #expect(Set(people.map(\.id.rawValue)).isDisjoint(with: [1, 2, 7, 17, 18, 19, 20]))
            let answer = await world.send(.delete, "/api/v1/suggestions/3", as: AccountID(7))
            #expect(answer.status == .ok)
            people = try await suggested()
            #expect(!people.contains { $0.id == AccountID(3) })
            let hidden = AccountSnapshot(
                id: AccountID(1),
                username: SearchWorld.username("p1"),
                discoverable: true,
                createdAt: SearchWorld.now,
                version: 9,
                extras: ProfileExtras(hideCollections: true)
            )
            try await world.tell(ProfileUpdated(account: hidden))
            #expect(try await suggested().first { $0.id == AccountID(4) }?.sources == ["most_followed"])
        }
    }

    @Test func `what is typed is completed by names, hashtags, titles and what many have asked`() async throws {
        try await SearchWorld.run { world in
            try await world.tell(
                ProfileUpdated(account: SearchWorld.account(1, "독서왕", username: "reader")),
                PlaygroundCreated(playground: SearchWorld.playground(10, "독서 마당", open: true)),
                PlaygroundCreated(playground: SearchWorld.playground(11, "독서 비밀"))
            )
            try await world.tell([Self.write(1, by: 1, "#독서 독서모임")])
            func suggestions(_ text: String) async throws -> [String?] {
                let path = "/api/v1/search/suggestions?q=\(text.percentEncoded)"
                return try await Self.list(path, world, as: 7).map {
                    "\($0["type"]?.text ?? "") \($0["text"]?.text ?? "")"
                }
            }
            #expect(try await suggestions("독") == ["account @reader", "hashtag #독서", "playground 독서 마당"])
            func ask(_ text: String, as viewer: Int64) async throws {
                let question = SearchQuestion(text, [.post]).json()
                _ = await world.send(
                    .post,
                    "/internal/search",
                    json: String(decoding: question, as: UTF8.self),
                    as: AccountID(viewer)
                )
                try await world.dependencies.queries.write(to: world.database, at: world.clock.now)
            }
            // One person may ask as often as they like; what they asked is nowhere.
            for _ in 0..<10 { try await ask("독서모임", as: 1) }
            for asker in Int64(1)...4 { try await ask("독서모임", as: asker) }
            #expect(try await suggestions("독").count == 3)
            #expect(try await world.database.query("SELECT count(*) FROM popular_queries").number() == 0)
            try await ask(" 독서모임  ", as: 5)
            #expect(
                try await suggestions("독서") == ["account @reader", "hashtag #독서", "playground 독서 마당", "query 독서모임"]
            )
            for asker in Int64(1)...9 { try await ask("없는말", as: asker) }
            #expect(try await suggestions("없") == [], "what finds nothing is not proposed")
            for asker in Int64(1)...9 { try await ask("from:p1 독서", as: asker) }
            #expect(try await world.database.query("SELECT count(*) FROM popular_queries").number() == 1)
            world.clock.advance(.seconds(8 * 86_400))
            for sweep in Sweeps.all(now: { world.clock.now }) { try await sweep.finish(in: world.database) }
            #expect(try await suggestions("독서").count == 3)
            #expect(try await world.database.query("SELECT count(*) FROM askers").number() == 0)
        }
    }

    @Test func `what has ended is forgotten after its time, and what was said in a place that is gone`() async throws {
        try await SearchWorld.run { world in
            let channel = SearchWorld.channel(11, in: 10, "일반")
            try await world.tell(
                ChannelCreated(channel: channel),
                SearchWorld.joined(1, channel: 11, playground: 10),
                SearchWorld.sent(SearchWorld.message(101, by: 1, in: 11, "글"), in: channel),
                AccountUnfollowed(actorID: AccountID(1), targetID: AccountID(2), subjectVersion: 3),
                AccountBlocked(actorID: AccountID(1), targetID: AccountID(3), subjectVersion: 3),
                PostDeleted(postID: PostID(5), accountID: AccountID(1), boostIDs: [], subjectVersion: 9)
            )
            try await world.tell(ChannelDeleted(channelID: ChannelID(11), actorID: AccountID(1), subjectVersion: 9))
            func sweep(_ now: Timestamp) async throws {
                for sweep in Sweeps.all(now: { now }) { try await sweep.finish(in: world.database) }
            }
            func count(_ statement: SQL) async throws -> Int { try await world.database.query(statement).number() }
            try await sweep(.now())
            #expect(try await count("SELECT count(*) FROM documents WHERE kind = 6") == 0)
            #expect(try await count("SELECT count(*) FROM documents WHERE gone") == 2)
            #expect(try await count("SELECT count(*) FROM ties") == 2)
            try await sweep(.now() + .seconds(91 * 86_400))
            #expect(try await count("SELECT count(*) FROM documents WHERE gone") == 0)
            #expect(try await count("SELECT count(*) FROM ties") == 1, "a block stays")
            #expect(try await count("SELECT count(*) FROM places") == 0)
        }
    }
}
