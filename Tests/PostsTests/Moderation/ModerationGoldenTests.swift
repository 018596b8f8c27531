// SPDX-License-Identifier: Apache-2.0
// Whole exchanges about reports, decisions and appeals, as they were agreed on.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ModerationGoldenTests {
    @Test func fromAReportToAnAppeal() async throws {
        try await GraphWorld.run { world in
            var record = Record(world: world)
            try await exchange(&record)
            try expectGolden("posts/moderation", record.text)
        }
    }

    private func exchange(_ record: inout Record) async throws {
        let world = record.world
        let (mina, jun) = (try await world.person("mina"), try await world.person("jun"))
        let mod = try await world.moderator("mod")
        let powers = GraphWorld.powers
        let post = try await world.write("욕설", as: jun)
        let reports = "/api/v1/reports"
        let complaint = #"{"account_id":"\#(jun.id)","status_ids":["\#(post)"],"comment":"보세요","category":"spam"}"#
        let report = try await record.ask(.post, reports, as: mina, complaint).object.id
        try await record.ask(.post, reports, as: mina, #"{"account_id":"\#(mina.id)"}"#)
        try await record.ask(.post, reports, as: mina, #"{"account_id":"7"}"#)
        let queue = "/api/v1/moderation/reports"
        try await record.ask(.get, queue, as: mod, scopes: powers)
        try await record.ask(.get, queue, as: mina, scopes: powers)
        try await record.ask(.post, "\(queue)/:id/claim", report, as: mod, scopes: powers)
        try await record.ask(.post, "\(queue)/:id/notes", report, as: mod, #"{"text":"처음"}"#, scopes: powers)
        try await record.ask(.get, "/api/v1/admin/reports/:id", report, as: mod, scopes: powers)
        let removal =
            #"{"action":"remove","things":[{"kind":"post","id":"\#(post)"}],"report_id":"\#(report)","reason":"욕설"}"#
        let decisions = "/api/v1/moderation/decisions"
        let decided = try await record.ask(.post, decisions, as: mod, removal, scopes: powers).list
        let id = try #require(decided.first).id
        try await record.ask(.post, decisions, as: mod, #"{"action":"suspend"}"#, scopes: powers)
        try await record.ask(.get, "/api/v1/decisions", as: jun)
        let appeal = #"{"text":"인용이었습니다"}"#
        try await record.ask(.post, "/api/v1/decisions/:id/appeal", id, as: jun, appeal, scopes: "write:reports")
        try await record.ask(.post, "/api/v1/decisions/:id/appeal", id, as: jun, appeal, scopes: "write:reports")
        try await record.ask(.get, "/api/v1/moderation/appeals", as: mod, scopes: powers)
        try await record.ask(.post, "/api/v1/moderation/appeals/:id/accept", id, as: mod, scopes: powers)
        try await record.ask(.get, "/api/v1/moderation/log", as: mod, scopes: powers)
        let account = "/api/v1/admin/accounts/:id"
        let silence = #"{"type":"silence","text":"조용히"}"#
        try await record.ask(.post, "\(account)/action", "\(jun.id)", as: mod, silence, scopes: powers)
        try await record.ask(.get, account, "\(jun.id)", as: mod, scopes: powers)
        try await record.ask(.post, "\(account)/unsilence", "\(jun.id)", as: mod, scopes: powers)
    }
}
