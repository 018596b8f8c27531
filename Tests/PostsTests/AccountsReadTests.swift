// SPDX-License-Identifier: Apache-2.0
// Finding and reading accounts, and the consumer that makes them.

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

@Suite struct AccountsReadTests {
    @Test func anAccountIsReadByAnyone() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let answer = try await world.get("/api/v1/accounts/\(minji.id)")
            #expect(answer.code == 200)
            #expect(try answer.string("username") == "minji")
            #expect(try answer.object["source"] == nil)
            for unknown in ["1", "9223372036854775807", "9223372036854775808", "-1", "abc", "%00", "1%2F2"] {
                let answer = try await world.get("/api/v1/accounts/\(unknown)")
                #expect(answer.code == 404, "\(unknown): \(answer.text)")
            }
        }
    }

    @Test func anAccountWhoseEventIsOnTheWayIsWaitedFor() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let sora = try world.stranger("sora")
            async let follow = world.post("/api/v1/accounts/\(sora.id)/follow", as: minji)
            async let read = world.get("/api/v1/accounts/\(sora.id)")
            try await EnsureAccount.run(sora, world.dependencies)
            #expect(try await follow.code == 200)
            #expect(try await read.code == 200)
        }
    }

    @Test func severalAccountsComeInTheOrderAskedFor() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            let answer = try await world.get("/api/v1/accounts?id[]=\(b.id)&id[]=5&id[]=\(a.id)&id[]=\(b.id)")
            #expect(try answer.names() == ["b", "a"])
            #expect(try await world.get("/api/v1/accounts").text == "[]")
        }
    }

    @Test(arguments: [
        ("minji", 200), ("@Minji", 200), ("minji@madang.example", 200), ("@MINJI@Madang.Example", 200),
        ("minji@elsewhere.example", 404), ("nobody", 404), ("", 404), ("a b", 404), ("minji%00", 404),
    ])
    func aNameIsLookedUp(acct: String, code: Int) async throws {
        try await GraphWorld.run { world in
            _ = try await world.person("minji")
            let answer = try await world.get("/api/v1/accounts/lookup?acct=\(acct)")
            #expect(answer.code == code || (code == 404 && answer.code == 400), "\(answer.text)")
        }
    }

    @Test func foundAccountsAreShownInTheirOrder() async throws {
        try await GraphWorld.run { world in
            let minji = try await world.person("minji")
            let minho = try await world.person("minho")
            let sora = try await world.person("sora")
            _ = try await world.post("/api/v1/accounts/\(minho.id)/follow", as: sora)
            func shown(_ members: String, as viewer: Principal.Account? = sora) async throws -> [String] {
                let answer = try await world.send(
                    .post,
                    "/internal/found/accounts",
                    as: viewer,
                    type: "application/json",
                    body: "{\(members)}"
                )
                #expect(answer.code == 200, "\(answer.text)")
                return try answer.names()
            }
            let ids = #""ids":["\#(sora.id)","5","\#(minji.id)","\#(minho.id)","\#(minji.id)"]"#
            #expect(try await shown(ids) == ["sora", "minji", "minho"])
            #expect(try await shown(ids, as: nil) == ["sora", "minji", "minho"])
            #expect(try await shown(ids + #","limit":2"#) == ["sora", "minji"])
            // Whoever is called so comes first, found or not.
            #expect(try await shown(ids + #","name":"MINHO""#) == ["minho", "sora", "minji"])
            #expect(try await shown(#""name":"minji""#) == ["minji"])
            #expect(try await shown(#""name":"nobody""#) == [])
            #expect(try await shown(#""name":"no name""#) == [])
            #expect(try await shown(ids + #","name":"minji","followed":true"#) == ["minho"])
            #expect(try await shown(ids + #","followed":true"#, as: nil) == [])
        }
    }

    @Test func theConsumerMakesTheSameRowsHoweverItsEventsArrive() async throws {
        try await GraphWorld.run { world in
            let people = try ["a", "b", "c"].map(world.stranger)
            let envelopes = try people.enumerated().map { index, person in
                let event = AccountRegistered(
                    accountID: person.id,
                    username: person.username,
                    language: .korean,
                    createdAt: person.id.timestamp
                )
                let envelope = Envelope(
                    id: "01900000-0000-7000-8000-00000000000\(index)",
                    time: GraphWorld.start,
                    traceparent: nil,
                    data: event
                )
                return Array(try JSONEncoder().encode(envelope))
            }
            // The second acts before its event.
            try await EnsureAccount.run(people[1], world.dependencies)
            for envelope in [envelopes[2], envelopes[0], envelopes[2], envelopes[1], envelopes[0]] {
                _ = try await Accounts.queue.apply(envelope, in: world.database)
            }
            for person in people {
                let account = try #require(try await AccountStore.account(person.id, in: world.database))
                #expect(account.username == person.username)
                #expect(account.createdAt == person.id.timestamp)
                #expect(account.version == 1)
            }
            #expect(try await world.events().count == 3)
        }
    }

    @Test func aNameThatIsTakenIsADeadLetter() async throws {
        try await GraphWorld.run { world in
            let first = try await world.person("a")
            let event = AccountRegistered(
                accountID: try world.dependencies.ids.next(),
                username: first.username,
                language: .english,
                createdAt: GraphWorld.start
            )
            let envelope = Envelope(
                id: "01900000-0000-7000-8000-000000000000",
                time: GraphWorld.start,
                traceparent: nil,
                data: event
            )
            let bytes = Array(try JSONEncoder().encode(envelope))
            await #expect(throws: Unacceptable.self) { try await Accounts.queue.apply(bytes, in: world.database) }
        }
    }

    @Test func statisticsAreForTheGatewayOnly() async throws {
        try await GraphWorld.run { world in
            _ = try await world.person("a")
            let path = "/internal/statistics"
            let name = try #require(HTTPField.Name("X-Madang-Internal"))
            #expect(try await world.get(path).code == 404)
            #expect(try await world.send(.get, path, headers: [name: "internal secret of the test"]).code == 404)
            let answer = try await world.send(.get, path, headers: [name: "internal secret of the tests"])
            #expect(answer.text == #"{"accounts":1,"posts":0,"active_month":0}"#)
        }
    }
}
