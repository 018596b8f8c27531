// SPDX-License-Identifier: Apache-2.0
// Words that are blocked in messages and in names of places, and what somebody new does less often.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Serving
import Support
import Testing
import Web

@testable import ChatService

@Suite struct RulesTests {
    private static func word(_ text: String, _ action: TermAction) -> BlockedTermChanged {
        BlockedTermChanged(
            termID: BlockedTermID(1),
            text: text,
            action: action,
            seesThroughDigits: true,
            changedAt: ChatWorld.start,
            subjectVersion: 1
        )
    }

    @Test func aMessageWithABlockedWordIsRefused() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let room = try await world.room([ann])
            let id = try await world.said("fine", in: room, as: ann)
            try await world.deliver(Self.word("bad", .refuse))
            for text in ["so bad", "b4d", "ｂａｄ!", "b\u{200B}ad"] {
                let answer = try await world.say(text, in: room, as: ann)
                #expect(answer.code == 422, "\(text)")
                #expect(try answer.string("code") == "blocked-content")
            }
            #expect(try await world.say("badly", in: room, as: ann).code == 201)
            #expect(try await world.patch("/api/v1/messages/\(id)", as: ann, ["text": "bad"]).code == 422)
            #expect(try await world.post("/api/v1/playgrounds", as: ann, ["name": "bad place"]).code == 422)
            let yard = try await world.playground(of: ann)
            #expect(try await world.patch("/api/v1/playgrounds/\(yard)", as: ann, ["description": "bad"]).code == 422)
            let channels = "/api/v1/playgrounds/\(yard)/channels"
            #expect(try await world.post(channels, as: ann, ["name": "bad", "type": "public"]).code == 422)
            #expect(try await world.recorded(ThingFlagged.self).isEmpty)
        }
    }

    @Test func whatIsReportedIsSaidAndTold() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let room = try await world.room([ann])
            try await world.deliver(Self.word("odd", .report))
            let id = try await world.said("how odd", in: room, as: ann)
            let yard = try await world.playground("Odd", of: ann)
            let flags = try await world.recorded(ThingFlagged.self)
            #expect(flags.map(\.thing) == [Thing(kind: .message, id: id), Thing(kind: .playground, id: yard)])
            #expect(flags.allSatisfy { $0.accountID == ann.id && $0.termID == BlockedTermID(1) })
        }
    }

    @Test func somebodyNewWritesToFewStrangers() async throws {
        var limits = Limits()
        limits.newAccounts = NewAccounts(age: .seconds(24 * 3600))
        try await ChatWorld.run(limits: limits) { world in
            let ann = try await world.person("ann")
            for number in 0..<NewAccountAct.conversation.mostInHour {
                _ = try await world.open(ann, [try await world.person("stranger\(number)")])
            }
            let last = try await world.person("last")
            func open() async throws -> Answer {
                try await world.post("/api/v1/direct_channels", as: ann, ["account_ids": [last.id.description]])
            }
            let refused = try await open()
            #expect(refused.code == 429)
            #expect(try refused.string("code") == "new-account-limit")
            world.clock.advance(.seconds(3601))
            #expect(try await open().code == 201)
            let room = try await world.room([ann])
            let links = (0...NewAccountAct.link.mostInHour).map { "https://\($0).example/" }
            #expect(try await world.say(links.joined(separator: " "), in: room, as: ann).code == 429)
            #expect(try await world.say(links[0], in: room, as: ann).code == 201)
        }
    }
}
