// SPDX-License-Identifier: Apache-2.0
// Direct posts as conversations: who sees them where, what is unread, and what remains.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ConversationTests {
    private static let path = "/api/v1/conversations"

    /// A conversation as most tests look at it: the last post, who else is in it, and whether it is unread.
    private struct Seen: Equatable {
        let last: String
        let people: Set<String>
        let unread: Bool

        init(_ last: String, _ people: Set<String>, unread: Bool) {
            (self.last, self.people, self.unread) = (last, people, unread)
        }

        init(_ object: [String: Any]) throws {
            last = try #require((object["last_status"] as? [String: Any])?["id"] as? String)
            people = Set(try #require(object["accounts"] as? [[String: Any]]).compactMap { $0["username"] as? String })
            unread = try #require(object["unread"] as? Bool)
        }
    }

    private func seen(_ world: GraphWorld, by person: Person) async throws -> [Seen] {
        let answer = try await world.get(ConversationTests.path, as: person)
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.list.map(Seen.init)
    }

    private func direct(
        _ world: GraphWorld,
        _ text: String,
        as author: Person,
        to parent: String? = nil
    ) async throws -> String {
        var more: [String: any Sendable] = ["visibility": "direct"]
        if let parent { more["in_reply_to_id"] = parent }
        let id = try await world.write(text, as: author, more)
        try await world.fanOut()
        return id
    }

    @Test func aDirectPostIsAConversationOfEverybodyInIt() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let first = try await direct(world, "@bob hi", as: ann)
            #expect(try await seen(world, by: ann) == [Seen(first, ["bob"], unread: false)])
            #expect(try await seen(world, by: bob) == [Seen(first, ["ann"], unread: true)])
            #expect(try await seen(world, by: cat) == [])
            // An answer among the same people is the same conversation, and read for who gives it.
            let second = try await direct(world, "@ann hello", as: bob, to: first)
            #expect(try await seen(world, by: ann) == [Seen(second, ["bob"], unread: true)])
            #expect(try await seen(world, by: bob) == [Seen(second, ["ann"], unread: false)])
            // With somebody else it is another one, which that one sees alone.
            let third = try await direct(world, "@ann @cat what about you?", as: bob, to: second)
            #expect(
                try await seen(world, by: ann)
                    == [Seen(third, ["bob", "cat"], unread: true), Seen(second, ["bob"], unread: true)]
            )
            #expect(try await seen(world, by: cat) == [Seen(third, ["ann", "bob"], unread: true)])
            // A note to oneself is a conversation with oneself.
            let note = try await direct(world, "do not forget", as: cat)
            #expect(try await seen(world, by: cat).first == Seen(note, ["cat"], unread: false))
            // Other posts are none.
            try await world.write("@ann openly", as: cat)
            try await world.write("@ann to followers", as: cat, ["visibility": "private"])
            try await world.fanOut()
            #expect(try await seen(world, by: ann).count == 2)
        }
    }

    @Test func whatIsReadUnreadOrPutAwayIsSoForItsOwnerAlone() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let first = try await direct(world, "@bob hi", as: ann)
            let list = try await world.get(ConversationTests.path, as: bob).list
            let id = try #require(list.first?["id"] as? String)
            let one = "\(ConversationTests.path)/\(id)"
            #expect(try await world.post("\(one)/read", as: ann).code == 404)
            #expect(try await world.send(.delete, one, as: ann).code == 404)
            let read = try await world.post("\(one)/read", as: bob)
            #expect(try Seen(read.object) == Seen(first, ["ann"], unread: false))
            #expect(try await seen(world, by: bob) == [Seen(first, ["ann"], unread: false)])
            #expect(try await world.post("\(one)/unread", as: bob).bool("unread") == true)
            #expect(try await world.send(.delete, one, as: bob).text == "{}")
            #expect(try await seen(world, by: bob) == [])
            for (method, path) in [(HTTPRequest.Method.post, "\(one)/read"), (.delete, one)] {
                #expect(try await world.send(method, path, as: bob).code == 404)
            }
            #expect(try await seen(world, by: ann) == [Seen(first, ["bob"], unread: false)])
            // It comes back with what is new, and what was put away does not when that goes.
            let second = try await direct(world, "@bob are you there?", as: ann, to: first)
            #expect(try await seen(world, by: bob) == [Seen(second, ["ann"], unread: true)])
            #expect(try await world.send(.delete, "/api/v1/statuses/\(second)", as: ann).code == 200)
            try await world.fanOut()
            #expect(try await seen(world, by: bob) == [])
            #expect(try await seen(world, by: ann) == [Seen(first, ["bob"], unread: false)])
        }
    }

    @Test func aConversationEndsInTheNewestPostThatIsThere() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let first = try await direct(world, "@bob one", as: ann)
            let second = try await direct(world, "@bob two", as: ann, to: first)
            let third = try await direct(world, "@bob three", as: ann, to: second)
            #expect(try await world.send(.delete, "/api/v1/statuses/\(third)", as: ann).code == 200)
            try await world.fanOut()
            #expect(try await seen(world, by: bob).map(\.last) == [second])
            // What is now said to others leaves this conversation for theirs.
            let form = "application/x-www-form-urlencoded"
            let path = "/api/v1/statuses/\(second)"
            _ = try await world.send(.put, path, as: ann, type: form, body: "status=%40cat%20two")
            try await world.fanOut()
            #expect(try await seen(world, by: bob).map(\.last) == [first])
            #expect(try await seen(world, by: cat) == [Seen(second, ["ann"], unread: true)])
            #expect(try await seen(world, by: ann).map(\.last) == [second, first])
            for id in [first, second] { _ = try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann) }
            try await world.fanOut()
            for person in [ann, bob, cat] { #expect(try await seen(world, by: person) == []) }
            #expect(try await world.number("SELECT count(*) FROM conversations") == 0)
        }
    }

    @Test func nobodyHearsFromWhomTheyBlockOrMute() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.relate("mute", ann, as: bob)
            let muted = try await direct(world, "@bob hi", as: ann)
            #expect(try await seen(world, by: bob) == [])
            #expect(try await seen(world, by: ann).map(\.last) == [muted])
            let all = try await direct(world, "@ann @bob you two", as: cat)
            #expect(try await seen(world, by: bob).map(\.last) == [all])
            try await world.relate("block", cat, as: bob)
            try await world.fanOut()
            #expect(try await seen(world, by: bob) == [])
            #expect(try await seen(world, by: cat) == [])
            #expect(try await seen(world, by: ann).map(\.last) == [all, muted])
        }
    }

    @Test func theListIsPagedByItsLastPosts() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            var posts: [String] = []
            for number in 0..<7 {
                posts.insert(try await world.write("@bob \(number)", as: ann, ["visibility": "direct"]), at: 0)
            }
            try await world.fanOut()
            var pages: [[String]] = []
            var next: String? = "\(ConversationTests.path)?limit=3"
            while let path = next {
                let answer = try await world.get(path, as: bob)
                pages.append(try answer.list.map { try Seen($0).last })
                next = try answer.pageLink("next")
            }
            #expect(pages == [Array(posts[0..<3]), Array(posts[3..<6]), [posts[6]], []])
            let forward = try await world.get("\(ConversationTests.path)?limit=2&min_id=\(posts[6])", as: bob)
            #expect(try forward.list.map { try Seen($0).last } == [posts[4], posts[5]])
            #expect(try forward.pageLink("prev") == "\(ConversationTests.path)?limit=2&min_id=\(posts[4])")
            let since = try await world.get("\(ConversationTests.path)?limit=2&since_id=\(posts[6])", as: bob)
            #expect(try since.list.map { try Seen($0).last } == [posts[0], posts[1]])
        }
    }

    /// Mastodon's rule: a direct post is in the home of who follows its author; the others find it among their conversations.
    @Test func aDirectPostIsInTheHomeOfFollowersOnly() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.follow(ann, as: cat)
            let id = try await direct(world, "@bob @cat hi", as: ann)
            #expect(try await world.home(bob) == [])
            #expect(try await world.home(cat) == [id])
            #expect(try await world.home(ann) == [id])
            let told = try await world.liveUpdates()
            #expect(told.filter { $0.event == "update" }.map(\.streams) == [["user:\(ann.id)", "user:\(cat.id)"]])
            // Each of the three is told what they see.
            let conversations = told.filter { $0.event == "conversation" }
            #expect(Set(conversations.flatMap(\.streams)) == Set([ann, bob, cat].map { "direct:\($0.id)" }))
            for person in [ann, bob, cat] {
                let update = try #require(conversations.first { $0.streams == ["direct:\(person.id)"] })
                let list = try await world.get(ConversationTests.path, as: person).text
                #expect("[\(update.text)]" == list)
            }
            // A row from before this rule does not show either.
            _ = try await world.database.query(
                """
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT \(bob.id), id, account_id FROM posts
                """
            )
            #expect(try await world.home(bob) == [])
            try await world.relate("unfollow", ann, as: cat)
            try await world.fanOut()
            #expect(try await world.home(cat) == [])
            #expect(try await seen(world, by: cat).map(\.last) == [id])
        }
    }

    @Test(arguments: TestSeed.list(31...33)) func onceTwiceReversedAndShuffledEndAlike(seed: UInt64) async throws {
        try await GraphWorld.run { world in
            var random = TestSeed(seed)
            var people: [Person] = []
            for number in 0..<4 { people.append(try await world.person("p\(number)")) }
            var posts: [(id: String, author: Int)] = []
            for _ in 0..<40 {
                let actor = Int.random(in: 0..<4, using: &random)
                if random.chance(1, in: 5), let gone = posts.filter({ $0.author == actor }).last {
                    _ = try await world.send(.delete, "/api/v1/statuses/\(gone.id)", as: people[actor])
                    posts.removeAll { $0.id == gone.id }
                    continue
                }
                let named = (0..<4).filter { $0 != actor && random.chance(1, in: 2) }
                var more: [String: any Sendable] = ["visibility": "direct"]
                if random.chance(2, in: 3), let parent = posts.randomElement(using: &random) {
                    more["in_reply_to_id"] = parent.id
                }
                let answer = try await world.publish(
                    named.map { "@p\($0)" }.joined(separator: " ") + " hi",
                    as: people[actor],
                    more
                )
                if answer.code == 200, let id = try answer.string("id") { posts.append((id, actor)) }
            }
            let events = try await world.fanoutEvents()
            let queue = Fanout.queue(world.dependencies)
            func rows(_ order: [[UInt8]]) async throws -> [String] {
                _ = try await world.database.query("DELETE FROM conversations")
                _ = try await world.database.query("DELETE FROM inbox")
                for event in order { _ = try await queue.apply(event, in: world.database) }
                return try await world.database.query(
                    """
                    SELECT concat_ws(' ', account_id, thread_id, party, last_post_id, cleared_id)
                    FROM conversations
                    ORDER BY 1
                    """
                ).all { try $0.next() }
            }
            let truth = try await rows(events)
            #expect(truth.count > 5)
            #expect(try await rows(events + events) == truth)
            #expect(try await rows(events.reversed()) == truth)
            #expect(try await rows(events.shuffled(using: &random)) == truth, "seed \(seed)")
        }
    }

    @Test func oldConversationsGoWithTheBound() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            var posts: [String] = []
            for number in 0..<5 {
                posts.insert(try await world.write("@bob \(number)", as: ann, ["visibility": "direct"]), at: 0)
            }
            try await world.fanOut()
            let trimmed = try await ConversationStore.trim(after: nil, to: 3, in: world.database)
            #expect(trimmed?.removed == 4 && trimmed?.next == max(ann.id, bob.id))
            #expect(try await seen(world, by: bob).map(\.last) == Array(posts.prefix(3)))
        }
    }
}
