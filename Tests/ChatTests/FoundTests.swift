// SPDX-License-Identifier: Apache-2.0
// What search found, as chat shows it: to those who may see it now, and to nobody else.

import Domain
import Foundation
import HTTPTypes
import Testing

@testable import ChatService

@Suite struct FoundTests {
    /// What of all of this somebody is shown: ids of playgrounds, channels, members and messages.
    private func shown(
        _ found: [String: any Sendable],
        to viewer: Somebody,
        in world: ChatWorld
    ) async throws -> [[String]] {
        let answer = try await world.post("/internal/found", as: viewer, found)
        try #require(answer.code == 200, "\(answer.text)")
        return try ["playgrounds", "channels", "members", "messages"].map { name in
            let list = try #require(try answer.object[name] as? [[String: Any]], "\(answer.text)")
            return list.compactMap { $0["id"] as? String }
        }
    }

    @Test func onlyWhatOneMaySeeIsShown() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let cy = try await world.person("cy")
            let shut = try await world.playground("Shut", of: ann)
            let open = try await world.playground("Open", of: ann)
            let general = try await world.general(of: shut, as: ann)
            let hidden = try await world.channel("hidden", in: shut, by: ann, type: "private")
            try await world.enter(shut, bo)
            #expect(try await world.patch("/api/v1/playgrounds/\(shut)", as: ann, ["open": false]).code == 200)
            let direct = try await world.direct(ann, bo)
            let said = try await world.said("in general", in: general, as: ann)
            let secret = try await world.said("in hidden", in: hidden, as: ann)
            let whispered = try await world.said("to bo", in: direct, as: ann)
            let deleted = try await world.said("gone", in: general, as: ann)
            #expect(try await world.delete("/api/v1/messages/\(deleted)", as: ann).code == 200)
            let all: [String: any Sendable] = [
                "playgrounds": [open, "1", shut], "channels": [direct, hidden, general, "1"],
                "members": [ann.id.description], "messages": [whispered, deleted, secret, said, "1", whispered],
            ]
            #expect(
                try await shown(all, to: ann, in: world)
                    == [[open, shut], [direct, hidden, general], [], [whispered, secret, said, whispered]]
            )
            #expect(
                try await shown(all, to: bo, in: world) == [
                    [open, shut], [direct, general], [], [whispered, said, whispered],
                ]
            )
            #expect(try await shown(all, to: cy, in: world) == [[open], [], [], []])
            // And not any more once one has left.
            #expect(try await world.post("/api/v1/playgrounds/\(shut)/leave", as: bo).code == 200)
            #expect(try await shown(all, to: bo, in: world) == [[open], [direct], [], [whispered, whispered]])
        }
    }

    @Test func inAPlaygroundOnlyWhatIsThere() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let bo = try await world.person("bo")
            let cy = try await world.person("cy")
            let one = try await world.playground(of: ann)
            let other = try await world.playground(of: ann)
            try await world.enter(one, bo)
            let general = try await world.general(of: one, as: ann)
            let elsewhere = try await world.general(of: other, as: ann)
            let tea = try await world.channel("Tea", in: one, by: ann)
            let direct = try await world.direct(ann, bo)
            let here = try await world.said("here", in: general, as: ann)
            let there = try await world.said("there", in: elsewhere, as: ann)
            let apart = try await world.said("apart", in: direct, as: ann)
            var found: [String: any Sendable] = [
                "playground_id": one, "channels": [elsewhere, general, direct],
                "members": [cy.id.description, bo.id.description, ann.id.description],
                "messages": [there, apart, here],
            ]
            let people = [bo.id.description, ann.id.description]
            #expect(try await shown(found, to: ann, in: world) == [[], [general], people, [here]])
            // Whoever and whatever is called so comes first, found or not.
            found["name"] = "tEA"
            #expect(try await shown(found, to: ann, in: world) == [[], [tea, general], people, [here]])
            found["name"] = "@ANN"
            #expect(try await shown(found, to: ann, in: world) == [[], [general], people.reversed(), [here]])
            found["name"] = "cy"
            #expect(try await shown(found, to: ann, in: world) == [[], [general], people, [here]])
            #expect(try await world.post("/internal/found", as: cy, found).code == 403)
            found["playground_id"] = "1"
            #expect(try await world.post("/internal/found", as: ann, found).code == 404)
        }
    }

    @Test func nobodyElseAndNothingElse() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            #expect(try await world.send(.post, "/internal/found").code == 401)
            let many = Array(repeating: "1", count: 101)
            let wrong: [[String: any Sendable]] = [
                ["channels": ["x"]], ["messages": many], ["playground_id": "x"], ["members": ["a": 1]], ["name": ["a"]],
            ]
            for body in wrong {
                let code = try await world.post("/internal/found", as: ann, body).code
                #expect(code == 400 || code == 422, "\(body)")
            }
        }
    }
}
