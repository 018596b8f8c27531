// SPDX-License-Identifier: Apache-2.0
// Whole exchanges about projects and applications, as they were agreed on.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct ProjectGoldenTests {
    @Test func projectsAndApplications() async throws {
        try await GraphWorld.run { world in
            var record = Record(world: world)
            try await exchange(&record)
            #expect(record.asked == Set(Routes.projects.map { "\($0.method) \($0.path)" }))
            try expectGolden("posts/projects", record.text)
        }
    }

    private func exchange(_ record: inout Record) async throws {
        let world = record.world
        let (mina, jun) = (try await world.person("mina"), try await world.person("jun"))
        let all = "/api/v1/projects"
        let one = "\(all)/:id"
        let applications = "/api/v1/applications"
        let draft = #"{"title":"마당 앱","text":"@jun 함께 만들어요 #swift https://madang.example","place":"online"}"#
        let id = try await record.ask(.post, all, as: mina, draft).object.id
        try await record.ask(.post, all, as: mina, #"{"title":" ","roles":[{"name":"iOS"}]}"#)
        try await record.ask(.post, "\(one)/publish", id, as: mina)
        let roles = #"{"roles":[{"name":"iOS","wanted":2}],"deadline":"2026-02-01T00:00:00Z","starts_on":"2026-02-03"}"#
        let project = try await record.ask(.patch, one, id, as: mina, roles).object
        try await record.ask(.get, one, id, as: jun)
        try await record.ask(.post, "\(one)/publish", id, as: mina)
        try await record.ask(.get, all, query: "tag=swift&sort=deadline&limit=1", as: nil)
        try await record.ask(.get, all, query: "sort=best", as: nil)
        let wish = #"{"role_id":"\#(try world.role("iOS", of: project))","message":"저요!"}"#
        let first = try await record.ask(.post, "\(one)/applications", id, as: jun, wish).object.id
        try await record.ask(.post, "\(one)/applications", id, as: jun, wish)
        try await record.ask(.post, "\(applications)/:id/withdraw", first, as: jun)
        let second = try await record.ask(.post, "\(one)/applications", id, as: jun, wish).object.id
        try await record.ask(.post, "\(applications)/:id/decline", second, as: mina, #"{"note":"다음에요"}"#)
        let third = try await record.ask(.post, "\(one)/applications", id, as: jun, wish).object.id
        try await record.ask(.get, "\(one)/applications", id, query: "state=open", as: mina)
        try await record.ask(.post, "\(applications)/:id/accept", third, as: jun)
        try await record.ask(.post, "\(applications)/:id/accept", third, as: mina, #"{"note":"환영해요"}"#)
        try await record.ask(.get, "\(applications)/:id", third, as: jun)
        try await record.ask(.get, applications, query: "limit=2", as: jun)
        try await record.ask(.get, "\(one)/members", id, as: nil)
        try await record.ask(.post, "\(one)/bookmark", id, as: jun)
        try await record.ask(.get, "\(all)/bookmarks", as: jun)
        try await record.ask(.post, "\(one)/unbookmark", id, as: jun)
        world.clock.advance(.seconds(60))
        try await record.ask(.patch, one, id, as: mina, #"{"summary":"한 줄"}"#)
        try await record.ask(.patch, one, id, as: jun, #"{"summary":"내 것"}"#)
        try await record.ask(.get, "\(one)/history", id, as: nil)
        try await record.ask(.post, "\(one)/close", id, as: mina)
        try await record.ask(.post, "\(one)/reopen", id, as: mina)
        try await record.ask(.post, "\(one)/transfer", id, as: mina, #"{"account_id":"\#(jun.id)"}"#)
        try await record.ask(.delete, "\(one)/members/:account_id", "\(id) \(mina.id)", as: jun)
        try await record.ask(.post, "\(one)/leave", id, as: jun)
        try await record.ask(.post, "\(one)/finish", id, as: jun)
        try await record.ask(.get, "/api/v1/accounts/:id/projects", jun.id.description, as: nil)
        try await record.ask(.delete, one, id, as: jun)
        try await record.ask(.get, one, id, as: jun)
    }
}
