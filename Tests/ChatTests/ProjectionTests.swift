// SPDX-License-Identifier: Apache-2.0
// What chat must know of accounts ends the same in whatever order it is told, and however often.

import Domain
import Events
import Foundation
import Outbox
import Postgres
import Support
import Testing

@testable import ChatService

@Suite struct ProjectionTests {
    private static func told<E: Event>(_ event: E) throws -> [UInt8] {
        let envelope = Envelope(id: UUID().uuidString, time: ChatWorld.start, traceparent: nil, data: event)
        return Array(try JSONEncoder().encode(envelope))
    }

    private static func history(of person: Somebody) throws -> [[UInt8]] {
        var events = [
            try told(
                AccountRegistered(
                    accountID: person.id,
                    username: person.username,
                    language: .english,
                    createdAt: person.id.timestamp
                )
            )
        ]
        for version in 1...4 {
            let snapshot = AccountSnapshot(
                id: person.id,
                username: person.username,
                displayName: "Name \(version)",
                createdAt: person.id.timestamp,
                version: Int64(version)
            )
            events.append(try told(ProfileUpdated(account: snapshot)))
        }
        return events
    }

    @Test func theNewestProfileIsKept() async throws {
        try await ChatWorld.run { world in
            var random = TestSeed()
            for round in 0..<12 {
                let person = try world.stranger("p\(round)")
                var events = try ProjectionTests.history(of: person)
                events += events
                events.shuffle(using: &random)
                for event in events {
                    // An act of the person may come between any two of them.
                    if Bool.random(using: &random) { try await EnsureAccount.run(person, world.dependencies) }
                    try await world.deliver(event)
                }
                let found = try await world.database.transaction { transaction in
                    try await AccountStore.snapshot(person.id, in: transaction)
                }
                #expect(found?.displayName == "Name 4")
                #expect(found?.version == 4)
                #expect(found?.createdAt == person.id.timestamp)
            }
            #expect(try await world.number("SELECT count(*) FROM accounts") == 12)
        }
    }

    @Test func aRegisteredAccountCanBeActedUpon() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let new = try world.stranger("new")
            let path = "/api/v1/playgrounds/\(id)/bans"
            // Told while the request waits for it.
            let events = try ProjectionTests.history(of: new)
            async let answer = world.post(path, as: ann, ["account_id": new.id.description])
            try await world.deliver(try #require(events.first))
            #expect(try await answer.code == 200)
            // What is old enough to have been heard of is not waited for.
            let old = AccountID(7)
            #expect(try await world.post(path, as: ann, ["account_id": old.description]).code == 422)
        }
    }

    @Test func aProfileShowsInMembersAtOnce() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            for event in try ProjectionTests.history(of: ann).reversed() { try await world.deliver(event) }
            let members = try await world.get("/api/v1/playgrounds/\(id)/members", as: ann)
            #expect(try members.strings("display_name") == ["Name 4"])
            #expect(try members.list.first?["email"] == nil)
        }
    }
}

extension ChatWorld {
    fileprivate func deliver(_ event: [UInt8]) async throws {
        _ = try await Projections.queue(dependencies).apply(event, in: database)
    }
}
