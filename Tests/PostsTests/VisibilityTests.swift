// SPDX-License-Identifier: Apache-2.0
// Who may see what, cell by cell, and who may call which route.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct VisibilityTests {
    enum Reader: String, CaseIterable { case author, follower, mentioned, stranger, blocked, blocking, nobody }

    /// The rule, once more and in words of its own.
    static func mayRead(_ reader: Reader, _ visibility: Visibility) -> Bool {
        switch (reader, visibility) {
        case (.author, _), (.mentioned, _): true
        case (.blocked, _), (.blocking, _): false
        case (_, .public), (_, .unlisted): true
        case (.follower, .private): true
        case (_, .private), (_, .direct): false
        }
    }

    @Test(arguments: Visibility.allCases)
    func everyCell(visibility: Visibility) async throws {
        try await GraphWorld.run { world in
            let author = try await world.person("author")
            let people: [Reader: Person] = [
                .author: author,
                .follower: try await world.person("follower"),
                .mentioned: try await world.person("mentioned"),
                .stranger: try await world.person("stranger"),
                .blocked: try await world.person("blocked"),
                .blocking: try await world.person("blocking"),
            ]
            let follower = try #require(people[.follower])
            try await world.follow(author, as: follower)
            try await world.relate("block", try #require(people[.blocked]), as: author)
            try await world.relate("block", author, as: try #require(people[.blocking]))
            let root = try await world.write("root", as: try #require(people[.stranger]))
            let id = try await world.write(
                "hello @mentioned #yard",
                as: author,
                ["visibility": visibility.rawValue, "in_reply_to_id": root]
            )
            let top = try await world.write("top @mentioned #yard", as: author, ["visibility": visibility.rawValue])
            try await world.fanOut()
            let absent = try await world.get("/api/v1/statuses/1")
            for reader in Reader.allCases {
                let person = people[reader]
                let may = VisibilityTests.mayRead(reader, visibility)
                let cell = "\(reader.rawValue) of \(visibility.rawValue)"
                for path in ["", "/context", "/history", "/favourited_by", "/reblogged_by"] {
                    let answer = try await world.get("/api/v1/statuses/\(id)\(path)", as: person)
                    #expect(answer.code == (may ? 200 : 404), "\(cell) \(path)")
                    if !may { #expect(answer.text == absent.text, "\(cell) \(path)") }
                }
                if reader != .stranger, let person {
                    let thread = try await world.get("/api/v1/statuses/\(root)/context", as: person).object
                    let replies = try #require(thread["descendants"] as? [[String: Any]])
                    #expect(replies.contains { $0["id"] as? String == id } == may, "\(cell) thread")
                }
                let everyone = try await world.ids("/api/v1/timelines/public", as: person)
                #expect(everyone.contains(top) == (may && visibility == .public), "\(cell) public")
                #expect(!everyone.contains(id), "replies to others are not in the public timeline")
                let tagged = try await world.ids("/api/v1/timelines/tag/yard", as: person)
                #expect(tagged.contains(id) == (may && visibility == .public), "\(cell) tag")
                let listed = try await world.ids("/api/v1/accounts/\(author.id)/statuses", as: person)
                #expect(listed.contains(top) == may, "\(cell) account")
                guard let person else { continue }
                let home = try await world.home(person)
                let gets =
                    switch reader {
                    case .author: true
                    case .follower: visibility != .direct
                    // Who does not follow finds it among the conversations.
                    default: false
                    }
                #expect(home.contains(top) == gets, "\(cell) home")
                for action in ["favourite", "bookmark", "mute"] {
                    let answer = try await world.act(action, on: id, as: person)
                    #expect(answer.code == (may ? 200 : 404), "\(cell) \(action)")
                    if !may { #expect(answer.text == absent.text, "\(cell) \(action)") }
                }
                let boost = try await world.act("reblog", on: id, as: person)
                let boostable =
                    visibility == .public || visibility == .unlisted
                    || (visibility == .private && reader == .author)
                #expect(boost.code == (may ? (boostable ? 200 : 403) : 404), "\(cell) reblog")
                let reply = try await world.publish("re", as: person, ["in_reply_to_id": id])
                #expect(reply.code == (may ? 200 : 404), "\(cell) reply")
            }
        }
    }

    @Test func accessThatIsTakenAwayIsGoneAtOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.follow(ann, as: bob)
            try await world.follow(cat, as: bob)
            let secret = try await world.write("for followers", as: ann, ["visibility": "private"])
            let open = try await world.write("for all", as: ann)
            let boost = try #require(try await world.act("reblog", on: open, as: cat).string("id"))
            try await world.fanOut()
            #expect(try await world.home(bob) == [open, secret], "\(boost) is of what is shown")
            try await world.relate("unfollow", ann, as: bob)
            #expect(!(try await world.home(bob).contains(secret)), "before fan-out has heard of it")
            try await world.fanOut()
            #expect(try await world.home(bob) == [boost])
            try await world.relate("mute", ann, as: bob)
            #expect(try await world.home(bob).isEmpty, "a boost of somebody muted")
            #expect(try await world.ids("/api/v1/timelines/public", as: bob).isEmpty)
            try await world.relate("unmute", ann, as: bob)
            #expect(try await world.home(bob) == [boost])
            try await world.relate("block", bob, as: ann)
            #expect(try await world.home(bob).isEmpty, "a boost of somebody who blocks the reader")
            let answer = try await world.post("/api/v1/accounts/\(cat.id)/follow", as: bob, form: "reblogs=false")
            #expect(answer.code == 200)
            try await world.relate("unblock", bob, as: ann)
            #expect(try await world.home(bob).isEmpty, "boosts of cat are not wanted")
        }
    }

    @Test func everyRouteAsksForItsToken() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("hello", as: ann)
            let profile = "/api/v1/accounts/update_credentials"
            let json = #"{"show_favourites":true}"#
            let shown = try await world.send(.patch, profile, as: ann, type: "application/json", body: json)
            #expect(shown.code == 200)
            for route in Routes.posts + Routes.timelines {
                let path = route.path.replacing("accounts/:id", with: "accounts/\(ann.id)").replacing(":id", with: id)
                    .replacing(":hashtag", with: "yard")
                guard case .account(let scope) = route.access else {
                    #expect(try await world.send(route.method, path).code == 200, "\(route.method) \(path)")
                    continue
                }
                #expect(try await world.send(route.method, path).code == 401, "\(route.method) \(path)")
                let scopeless = try await world.send(route.method, path, as: ann, scopes: "push")
                #expect(scopeless.code == 403, "\(route.method) \(path)")
                #expect(scope != nil)
            }
        }
    }

    @Test func nobodyChangesWhatIsNotTheirs() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let eve = try await world.person("eve")
            let id = try await world.write("mine", as: ann)
            let absent = try await world.send(.delete, "/api/v1/statuses/1", as: eve)
            let body = "status=hers"
            let form = "application/x-www-form-urlencoded"
            for (method, status) in [(HTTPRequest.Method.delete, id), (.put, id), (.put, "1")] {
                let answer = try await world.send(method, "/api/v1/statuses/\(status)", as: eve, type: form, body: body)
                #expect(answer.code == 404)
                #expect(answer.text == absent.text)
            }
            #expect(try await world.status(id)["content"] as? String == "<p>mine</p>")
        }
    }
}
