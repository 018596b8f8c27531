// SPDX-License-Identifier: Apache-2.0
// What keeps accounts from something: told where it changes, and obeyed by every list and route of posts.

import Domain
import Events
import Foundation
import Logging
import Outbox
import Postgres
import Support
import Surface
import Testing
import Web

@testable import PostsService

extension GraphWorld {
    func restrict(_ kind: Restriction, _ person: Person, until: Timestamp? = nil) async throws {
        try await database.transaction { transaction in
            try await Restrict.apply(
                kind,
                to: person.id,
                until: until,
                by: Restrict.Cause(actor: "a test"),
                at: clock.now,
                in: transaction
            )
        }
    }

    func lift(_ kind: Restriction, _ person: Person) async throws {
        try await database.transaction { try await Restrict.lift(kind, from: person.id, at: clock.now, in: $0) }
    }

    /// What was told of restrictions, oldest first.
    func restricted() async throws -> [AccountRestricted] {
        try await recordedEvents(in: database).compactMap { message in
            guard try TestEvent(message).type == AccountRestricted.type else { return nil }
            return try JSONDecoder().decode(Envelope<AccountRestricted>.self, from: Data(message)).data
        }
    }

    /// Delivers word of auth on whether somebody is about to leave.
    func tell(_ event: AccountLeaving, number: Int) async throws {
        let id = "01900000-0000-7000-8000-0000000001\(10 + number)"
        let envelope = Envelope(id: id, time: clock.now, traceparent: nil, data: event)
        _ = try await Accounts.queue.apply(Array(try JSONEncoder().encode(envelope)), in: database)
    }
}

@Suite struct RestrictionTests {
    @Test func `what is in force is told where it changes, all of it, and not twice`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            try await world.restrict(.frozen, a)
            try await world.restrict(.frozen, a, until: world.clock.now + .seconds(60))
            try await world.restrict(.limited, a)
            try await world.lift(.suspended, a)
            try await world.lift(.frozen, a)
            try await world.lift(.frozen, a)
            try await world.lift(.limited, a)
            let told = try await world.restricted()
            #expect(told.map(\.restrictions) == [[.frozen], [.limited, .frozen], [.limited], []])
            #expect(told.map(\.subjectVersion) == [1, 2, 3, 4])
            let account = try #require(try await AccountStore.account(a.id, in: world.database))
            #expect(account.restrictions == [])
            #expect(account.version == 5)
        }
    }

    @Test func `what runs out is lifted and told`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            #expect(try await RestrictionStore.nextEnd(in: world.database) == nil)
            let end = world.clock.now + .seconds(3600)
            try await world.restrict(.suspended, a, until: end)
            try await world.restrict(.sensitive, a)
            #expect(try await RestrictionStore.nextEnd(in: world.database) == end)
            let sweep = Sweeps.restrictions(world.dependencies)
            #expect(try await sweep.finish(in: world.database) == 0)
            world.clock.advance(.seconds(3600))
            #expect(try await sweep.finish(in: world.database) == 1)
            #expect(try await sweep.finish(in: world.database) == 0)
            #expect(try await world.restricted().last?.restrictions == [.sensitive])
            #expect(try await world.number("SELECT count(*) FROM restrictions") == 1)
            // What stays has no end.
            #expect(try await RestrictionStore.nextEnd(in: world.database) == nil)
        }
    }

    @Test func `two decisions at once are both in force`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for kind in Restriction.allCases { group.addTask { try await world.restrict(kind, a) } }
                try await group.waitForAll()
            }
            let told = try await world.restricted()
            #expect(told.map(\.subjectVersion) == [1, 2, 3, 4, 5])
            #expect(told.last?.restrictions == Restriction.allCases)
        }
    }

    @Test func `what two decisions say holds until both have ended`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            for (number, until) in [(1, nil), (2, world.clock.now + .seconds(60))] as [(Int64, Timestamp?)] {
                try await world.database.transaction { transaction in
                    try await Restrict.apply(
                        .suspended,
                        to: a.id,
                        until: until,
                        decision: DecisionID(number),
                        at: world.clock.now,
                        in: transaction
                    )
                }
            }
            world.clock.advance(.seconds(61))
            #expect(try await Sweeps.restrictions(world.dependencies).finish(in: world.database) == 1)
            #expect(try await world.restricted().map(\.restrictions) == [[.suspended]])
            for (number, expected) in [(2, 1), (1, 2)] as [(Int64, Int)] {
                try await world.database.transaction { transaction in
                    try await Restrict.lift(
                        [.suspended],
                        from: a.id,
                        decision: DecisionID(number),
                        at: world.clock.now,
                        in: transaction
                    )
                }
                #expect(try await world.restricted().count == expected)
            }
            #expect(try await world.restricted().last?.restrictions == [])
        }
    }

    @Test func `what is in force is told again to whoever rebuilds`() async throws {
        try await GraphWorld.run { world in
            let (a, b) = (try await world.person("a"), try await world.person("b"))
            try await world.restrict(.suspended, a)
            try await world.restrict(.limited, b)
            try await world.lift(.limited, b)
            let told = try await RestrictionStore.told(after: Teller.Place(limit: 10), in: world.database)
            #expect(told.map(\.accountID) == [a.id, b.id])
            #expect(told.map(\.restrictions) == [[.suspended], []])
            #expect(told.map(\.subjectVersion) == [1, 2])
        }
    }

    @Test func `who is about to leave is hidden until they come back, in whatever order that is heard`() async throws {
        try await GraphWorld.run { world in
            let (a, b) = (try await world.person("a"), try await world.person("b"))
            let gone = AccountLeaving(accountID: a.id, deletion: world.clock.now, subjectVersion: 2)
            try await world.tell(gone, number: 0)
            try await world.tell(gone, number: 0)
            #expect(try await world.restricted().map(\.restrictions) == [[.leaving]])
            #expect(try await world.get("/api/v1/accounts/\(a.id)", as: b).object["suspended"] as? Bool == true)
            #expect(try await world.get("/api/v1/accounts/\(a.id)", as: a).object["suspended"] == nil)
            try await world.tell(AccountLeaving(accountID: a.id, deletion: nil, subjectVersion: 3), number: 1)
            #expect(try await world.restricted().last?.restrictions == [])
            // They were back before it was heard that they had left.
            try await world.tell(AccountLeaving(accountID: b.id, deletion: nil, subjectVersion: 9), number: 2)
            let late = AccountLeaving(accountID: b.id, deletion: world.clock.now, subjectVersion: 8)
            try await world.tell(late, number: 3)
            #expect(try await world.restricted().count == 2)
        }
    }

    // MARK: Hidden

    /// Somebody in every place where they can be seen.
    private struct Town {
        let a: Person
        let b: Person
        let c: Person
        let lists: [String]
        let things: [String]

        init(_ world: GraphWorld) async throws {
            a = try await world.person("anna")
            b = try await world.person("bert")
            c = try await world.person("cleo")
            try await world.follow(a, as: b)
            try await world.follow(b, as: a)
            try await world.follow(c, as: b)
            let post = try await world.write("hello #yard", as: a)
            let kept = try await world.write("on top", as: a)
            let other = try await world.write("of bert #yard", as: b)
            let answer = try await world.write("an answer", as: a, ["in_reply_to_id": other])
            let word = try await world.write("between us @bert", as: a, ["visibility": "direct"])
            let boost = try #require(try await world.act("reblog", on: other, as: a).string("id"))
            for action in ["favourite", "bookmark", "reblog"] { _ = try await world.act(action, on: post, as: b) }
            _ = try await world.act("favourite", on: other, as: a)
            _ = try await world.act("pin", on: kept, as: a)
            try await world.fanOut()
            lists = [
                "/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/timelines/tag/yard", "/api/v1/bookmarks",
                "/api/v1/favourites", "/api/v1/conversations", "/api/v1/accounts/\(b.id)/followers",
                "/api/v1/accounts/\(b.id)/following", "/api/v1/accounts/\(b.id)/statuses",
                "/api/v1/statuses/\(other)/context", "/api/v1/statuses/\(other)/favourited_by",
                "/api/v1/statuses/\(other)/reblogged_by", "/api/v1/accounts/\(a.id)/statuses",
                "/api/v1/accounts/\(a.id)/statuses?pinned=true", "/api/v1/accounts/\(a.id)/followers",
                "/api/v1/accounts/\(a.id)/following", "/api/v1/accounts/\(a.id)/projects",
                "/api/v1/accounts/\(a.id)/records", "/api/v1/statuses?id[]=\(post)&id[]=\(boost)",
            ]
            things = [post, kept, answer, word, boost].map { "/api/v1/statuses/\($0)" }
        }
    }

    @Test(arguments: [Restriction.suspended, .leaving])
    func `a hidden person is in no list, and comes back as they were`(kind: Restriction) async throws {
        try await GraphWorld.run { world in
            let town = try await Town(world)
            let readers: [Person?] = [town.b, town.c, nil]
            func seen() async throws -> [String: String] {
                var seen: [String: String] = [:]
                for (number, reader) in readers.enumerated() {
                    for path in town.lists {
                        let answer = try await world.get(path, as: reader)
                        if answer.code == 200 { seen["\(number) \(path)"] = answer.text }
                    }
                }
                return seen
            }
            let before = try await seen()
            #expect(before.values.filter { $0.contains("anna") }.count > 15)
            try await world.restrict(kind, town.a)
            for (place, text) in try await seen() {
                #expect(!text.contains("anna"), "\(place): \(text)")
            }
            for reader in readers {
                for path in town.things { #expect(try await world.get(path, as: reader).code == 404, "\(path)") }
                let account = try await world.get("/api/v1/accounts/\(town.a.id)", as: reader).object
                #expect(account["suspended"] as? Bool == true)
                #expect(account["note"] as? String == "")
            }
            #expect(try await world.get("/@anna").code == 404)
            #expect(try await world.post("/api/v1/accounts/\(town.a.id)/follow", as: town.c).code == 404)
            // Themselves they see.
            #expect(try await world.get(town.things[0], as: town.a).code == 200)
            #expect(try await world.ids("/api/v1/accounts/\(town.a.id)/statuses", as: town.a).count == 5)
            try await world.lift(kind, town.a)
            let after = try await seen()
            #expect(after == before)
        }
    }

    @Test func `a page of lists is filled with what may be seen`() async throws {
        try await GraphWorld.run { world in
            let (a, b) = (try await world.person("a"), try await world.person("b"))
            try await world.fill(5, of: b, tags: ["yard"])
            try await world.fill(50, of: a, tags: ["yard"])
            try await world.restrict(.suspended, a)
            #expect(try await world.ids("/api/v1/timelines/public").count == 5)
            #expect(try await world.ids("/api/v1/timelines/tag/yard").count == 5)
        }
    }

    @Test func `what a hidden person wrote just before is told to nobody`() async throws {
        try await GraphWorld.run { world in
            let (a, b) = (try await world.person("a"), try await world.person("b"))
            try await world.follow(a, as: b)
            try await world.write("late https://late.example #yard", as: a)
            try await world.restrict(.suspended, a)
            try await world.fanOut()
            let streams = Set(try await world.liveUpdates().flatMap(\.streams))
            #expect(streams == [LiveUpdate.user(a.id)])
        }
    }

    // MARK: Limited and sensitive

    @Test func `of a limited person only followers hear`() async throws {
        try await GraphWorld.run { world in
            let (a, b, c) = (try await world.person("a"), try await world.person("b"), try await world.person("c"))
            try await world.follow(a, as: b)
            try await world.restrict(.limited, a)
            let id = try await world.write("hello #yard", as: a)
            try await world.fanOut()
            for path in ["/api/v1/timelines/public", "/api/v1/timelines/tag/yard"] {
                #expect(try await world.ids(path, as: b) == [id])
                #expect(try await world.ids(path, as: a) == [id])
                #expect(try await world.ids(path, as: c) == [])
                #expect(try await world.ids(path) == [])
            }
            #expect(try await world.home(b) == [id])
            let status = try await world.status(id, as: c)
            #expect((status["account"] as? [String: Any])?["limited"] as? Bool == true)
            let streams = Set(try await world.liveUpdates().flatMap(\.streams))
            #expect(streams == [LiveUpdate.user(a.id), LiveUpdate.user(b.id)])
        }
    }

    @Test func `posts of somebody whose pictures are covered are sensitive`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let id = try await world.write("hello", as: a)
            #expect(try await world.status(id)["sensitive"] as? Bool == false)
            try await world.restrict(.sensitive, a)
            #expect(try await world.status(id)["sensitive"] as? Bool == true)
            try await world.lift(.sensitive, a)
            #expect(try await world.status(id)["sensitive"] as? Bool == false)
        }
    }

    // MARK: Frozen

    @Test func `who is frozen changes nothing, by whichever route, and reads`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let frozen = Person(id: a.id, username: a.username, isFrozen: true)
            for route in Routes.all {
                guard case .account(let scope?) = route.access, scope.text.hasPrefix("write"), scope != "write:reports"
                else { continue }
                let path =
                    "/"
                    + route.path.split(separator: "/").map { $0.hasPrefix(":") ? "1" : String($0) }
                    .joined(separator: "/")
                let answer = try await world.send(route.method, path, as: frozen)
                #expect(answer.code == 403, "\(route.method) \(path)")
                #expect(try answer.string("code") == "account-frozen", "\(route.method) \(path)")
            }
            #expect(try await world.get("/api/v1/timelines/home", as: frozen).code == 200)
        }
    }

    // MARK: The operator

    @Test func `an operator suspends for some days, and lifts what is no person's own wish`() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let admin = OperatorRestrictions(
                database: world.database,
                ids: world.dependencies.ids,
                now: { world.clock.now },
                logger: Logger(label: "posts")
            )
            func order(_ words: String...) async throws -> [Restriction] {
                try await admin.carryOut(try #require(OperatorRestrictions.Order(words)))
            }
            #expect(try await order("suspend", "@a", "--days", "3") == [.suspended])
            #expect(try await order("limit", "a") == [.limited, .suspended])
            try await world.restrict(.leaving, a)
            #expect(try await order("lift", "a") == [.leaving])
            await #expect(throws: OperatorRestrictions.Failure.self) { _ = try await order("freeze", "nobody") }
        }
        for words in [
            [], ["suspend"], ["lift"], ["lift", "a", "--days", "3"], ["suspend", "a", "--days", "0"],
            ["suspend", "a", "--days", "x"], ["suspend", "a", "--weeks", "3"], ["hide", "a"],
            ["suspend", "a", "--reason"], ["suspend", "a", "--reason", " "], ["lift", "a", "--reason", "so"],
            ["suspend", "a", "--days", "3", "--days", "3"],
            ["limit", "a", "--reason", String(repeating: "a", count: 2001)],
        ] {
            #expect(OperatorRestrictions.Order(words) == nil, "\(words)")
        }
    }
}
