// SPDX-License-Identifier: Apache-2.0
// Whole exchanges about playgrounds and channels, as they were agreed on.

import Domain
import Foundation
import HTTPTypes
import Support
import Surface
import Testing
import Web

@testable import ChatService

@Suite struct PlaygroundGoldenTests {
    @Test func playgroundsAndChannels() async throws {
        try await ChatWorld.run { world in
            var record = Record(world: world)
            try await playgrounds(&record)
            let routes = Routes.playgrounds + Routes.channels
            #expect(record.asked == Set(routes.map { "\($0.method) \($0.path)" }))
            try expectGolden("chat/playgrounds", record.text)
        }
    }

    private func playgrounds(_ record: inout Record) async throws {
        let ann = try await record.world.person("ann")
        let bo = try await record.world.person("bo")
        let cy = try await record.world.person("cy")
        let all = "/api/v1/playgrounds"
        let one = "\(all)/:id"
        let made = try await record.ask(
            .post,
            all,
            as: ann,
            #"{"name":"마당","description":"Where we meet","open":false}"#
        )
        let id = ["id": try #require(try made.string("id"))]
        try await record.ask(.post, all, as: ann, #"{"name":" "}"#)
        try await record.ask(.get, all, as: ann)
        try await record.ask(.get, one, id, as: ann)
        try await record.ask(.get, one, id, as: bo)
        try await record.ask(.get, one, id, as: nil)
        try await record.ask(.post, "\(one)/invites", id, as: ann, #"{"expires_in":3600,"max_uses":1}"#)
        try await record.ask(.get, "\(one)/invites", id, as: ann)
        try await record.ask(.get, "/api/v1/invites/:code", ["code": "code1"], as: nil)
        try await record.ask(.post, "/api/v1/invites/:code/accept", ["code": "code1"], as: bo)
        try await record.ask(.post, "/api/v1/invites/:code/accept", ["code": "code1"], as: cy)
        try await record.ask(.delete, "\(one)/invites/:code", id.merging(["code": "code1"]) { $1 }, as: ann)
        try await record.ask(.patch, one, id, as: ann, #"{"name":"Yard","open":true}"#)
        try await record.ask(.post, "\(one)/join", id, as: cy)
        try await record.ask(.get, "\(one)/members", id, query: "limit=2", as: bo)
        let bos = id.merging(["account_id": bo.id.description]) { $1 }
        let cys = id.merging(["account_id": cy.id.description]) { $1 }
        try await record.ask(.put, "\(one)/members/:account_id", bos, as: ann, #"{"role":"admin"}"#)
        try await record.ask(.put, "\(one)/members/:account_id", bos, as: ann, #"{"role":"owner"}"#)
        try await channels(&record, id, ann, bo, cy)
        try await record.ask(.delete, "\(one)/members/:account_id", cys, as: bo)
        try await record.ask(.post, "\(one)/bans", id, as: bo, #"{"account_id":"\#(cy.id)","reason":"spam"}"#)
        try await record.ask(.get, "\(one)/bans", id, as: bo)
        try await record.ask(.post, "\(one)/join", id, as: cy)
        try await record.ask(.delete, "\(one)/bans/:account_id", cys, as: bo)
        try await record.ask(.post, "\(one)/leave", id, as: ann)
        try await record.ask(.post, "\(one)/transfer", id, as: ann, #"{"account_id":"\#(bo.id)"}"#)
        try await record.ask(.delete, one, id, as: ann)
        try await record.ask(.delete, one, id, as: bo)
    }

    private func channels(
        _ record: inout Record,
        _ playground: [String: String],
        _ ann: Somebody,
        _ bo: Somebody,
        _ cy: Somebody
    ) async throws {
        let list = "/api/v1/playgrounds/:id/channels"
        let one = "/api/v1/channels/:id"
        let made = try await record.ask(
            .post,
            list,
            playground,
            as: bo,
            #"{"name":"Plans","description":"What we do next","type":"private"}"#
        )
        let id = ["id": try #require(try made.string("id"))]
        try await record.ask(.post, list, playground, as: bo, #"{"name":"GENERAL"}"#)
        try await record.ask(.get, one, id, as: ann)
        try await record.ask(.patch, one, id, as: bo, #"{"type":"public"}"#)
        try await record.ask(.get, list, playground, as: ann)
        try await record.ask(.post, "\(one)/join", id, as: ann)
        try await record.ask(.post, "\(one)/members", id, as: ann, #"{"account_ids":["\#(cy.id)"]}"#)
        try await record.ask(.get, "\(one)/members", id, as: cy)
        try await record.ask(.put, "\(one)/notifications", id, as: cy, #"{"notify":"mentions","mute_for":60}"#)
        let cys = id.merging(["account_id": cy.id.description]) { $1 }
        try await record.ask(.put, "\(one)/members/:account_id", cys, as: bo, #"{"role":"admin"}"#)
        try await record.ask(.delete, "\(one)/members/:account_id", cys, as: bo)
        try await record.ask(.post, "\(one)/leave", id, as: bo)
        try await record.ask(.post, "\(one)/transfer", id, as: bo, #"{"account_id":"\#(ann.id)"}"#)
        try await record.ask(.post, "\(one)/leave", id, as: bo)
        try await record.ask(.post, "\(one)/archive", id, as: ann)
        try await record.ask(.post, "\(one)/unarchive", id, as: ann)
        try await record.ask(.delete, one, id, as: cy)
        try await record.ask(.delete, one, id, as: ann)
    }
}
