// SPDX-License-Identifier: Apache-2.0
// Whom nobody may see, in chat: no member, not found, not written to; of what they said only the place is left.

import Domain
import Events
import Foundation
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import ChatService

extension ChatWorld {
    /// Delivers what posts tells of an account: what is in force, and how it looks with that.
    func hear(_ restrictions: [Restriction], of person: Somebody, version: Int64) async throws {
        let account = AccountSnapshot(
            id: person.id,
            username: person.username,
            displayName: "Somebody's name",
            createdAt: person.id.timestamp,
            version: version,
            extras: restrictions.isEmpty ? nil : ProfileExtras(restrictions: restrictions)
        )
        let restricted = AccountRestricted(accountID: person.id, restrictions: restrictions, subjectVersion: version)
        _ = try await deliver(restricted)
        _ = try await deliver(ProfileUpdated(account: account))
    }
}

@Suite struct RestrictionTests {
    @Test func `a hidden person leaves the lists and their messages are withheld, until they are back`() async throws {
        try await ChatWorld.run { world in
            let (a, b) = (try await world.person("anna"), try await world.person("bert"))
            try await world.hear([], of: a, version: 1)
            let playground = try await world.playground(of: b)
            try await world.enter(playground, a)
            let channel = try await world.general(of: playground, as: b)
            _ = try await world.say("a secret", in: channel, as: a)
            let people = "/api/v1/playgrounds/\(playground)/members"
            let said = "/api/v1/channels/\(channel)/messages"
            func names() async throws -> [String] {
                try await world.get(people, as: b).list.compactMap { $0["username"] as? String }
            }
            #expect(try await names().sorted() == ["anna", "bert"])
            try await world.hear([.suspended], of: a, version: 2)
            #expect(try await names() == ["bert"])
            let messages = try await world.get(said, as: b)
            let message = try #require(try messages.list.first)
            #expect(!messages.text.contains("a secret") && !messages.text.contains("Somebody's name"))
            #expect(message["withheld"] as? Bool == true)
            #expect((message["account"] as? [String: Any])?["suspended"] as? Bool == true)
            try await world.hear([], of: a, version: 3)
            #expect(try await names().sorted() == ["anna", "bert"])
            #expect(try await world.get(said, as: b).text.contains("a secret"))
        }
    }

    @Test func `open connections are told that somebody is gone, once, and that they are back`() async throws {
        try await ChatWorld.run { world in
            let (a, b) = (try await world.person("anna"), try await world.person("bert"))
            let playground = try await world.playground(of: b)
            try await world.enter(playground, a)
            let direct = try await world.direct(a, b)
            func actions() async throws -> [String] {
                try await recordedEvents(in: world.database).compactMap { message in
                    guard try TestEvent(message).type == ChatUpdated.type else { return nil }
                    let update = try Envelope<ChatUpdated>(message: message).data.update
                    let payload = try JSONSerialization.jsonObject(with: Data(update.payload)) as? [String: Any]
                    guard update.event == "member", let payload,
                        (payload["account"] as? [String: Any])?["id"] as? String == a.id.description
                    else { return nil }
                    return "\(payload["action"] ?? "") \(payload["channel_id"] as? String ?? "")"
                }
            }
            let before = try await actions().count
            try await world.hear([.suspended], of: a, version: 2)
            try await world.hear([.suspended, .limited], of: a, version: 3)
            try await world.hear([], of: a, version: 4)
            #expect(
                try await actions().dropFirst(before) == ["left ", "left \(direct)", "joined ", "joined \(direct)"]
            )
        }
    }

    @Test func `nobody writes to who is hidden, nor is asked by them`() async throws {
        try await ChatWorld.run { world in
            let (a, b, c) = (
                try await world.person("anna"), try await world.person("bert"), try await world.person("cleo")
            )
            let direct = try await world.direct(a, b)
            _ = try await world.open(a, [c])
            #expect(try await world.get("/api/v1/direct_channels/requests", as: c).list.count == 1)
            try await world.hear([.suspended], of: a, version: 2)
            #expect(try await world.get("/api/v1/direct_channels/requests", as: c).list.count == 0)
            let path = "/api/v1/channels/\(direct)/messages"
            #expect(try await world.post(path, as: b, ["text": "hello"]).code == 403)
            let opened = try await world.post("/api/v1/direct_channels", as: b, ["account_ids": [a.id.description]])
            #expect(opened.code == 403)
            try await world.hear([], of: a, version: 3)
            #expect(try await world.get("/api/v1/direct_channels/requests", as: c).list.count == 1)
            #expect(try await world.post(path, as: b, ["text": "hello"]).code == 201)
        }
    }

    @Test func `who is frozen says nothing`() async throws {
        try await ChatWorld.run { world in
            let (a, b) = (try await world.person("anna"), try await world.person("bert"))
            let direct = try await world.direct(a, b)
            let frozen = Somebody(id: a.id, username: a.username, isFrozen: true)
            let answer = try await world.post("/api/v1/channels/\(direct)/messages", as: frozen, ["text": "hello"])
            #expect(answer.code == 403)
            #expect(try answer.string("code") == "account-frozen")
            #expect(try await world.get("/api/v1/channels/\(direct)/messages", as: frozen).code == 200)
        }
    }
}
