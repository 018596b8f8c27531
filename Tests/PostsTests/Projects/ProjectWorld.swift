// SPDX-License-Identifier: Apache-2.0
// What the tests of projects do again and again.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

extension GraphWorld {
    /// What a project says of itself where the test does not care.
    static let idea: [String: any Sendable] = [
        "title": "마당 앱", "summary": "같이 만들어요", "text": "a body #yard", "publish": true,
        "roles": [["name": "iOS", "wanted": 2], ["name": "디자이너"]] as [[String: any Sendable]],
    ]

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as account: Person,
        _ json: [String: any Sendable]
    ) async throws -> Answer {
        let body = String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        return try await send(method, path, as: account, type: "application/json", body: body)
    }

    /// Begins a project, which looks for people unless the test says otherwise.
    func project(by leader: Person, _ more: [String: any Sendable] = [:]) async throws -> [String: Any] {
        let answer = try await send(.post, "/api/v1/projects", as: leader, Self.idea.merging(more) { $1 })
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.object
    }

    func project(_ id: String, as viewer: Person? = nil) async throws -> [String: Any] {
        try await get("/api/v1/projects/\(id)", as: viewer).object
    }

    func step(_ action: String, _ id: String, as account: Person) async throws -> Answer {
        try await send(.post, "/api/v1/projects/\(id)/\(action)", as: account)
    }

    /// The id of a role of a project, by its name.
    func role(_ name: String, of project: [String: Any]) throws -> String {
        let roles = try #require(project["roles"] as? [[String: Any]])
        return try #require(roles.first { $0["name"] as? String == name }?["id"] as? String)
    }

    /// Applies for the first role; the answer.
    func apply(
        to project: [String: Any],
        as account: Person,
        role: String = "iOS",
        _ message: String = "hi"
    ) async throws -> Answer {
        let id = try #require(project["id"] as? String)
        return try await send(
            .post,
            "/api/v1/projects/\(id)/applications",
            as: account,
            ["role_id": try self.role(role, of: project), "message": message]
        )
    }

    /// Applies, and is taken in.
    func join(_ project: [String: Any], as account: Person, leader: Person, role: String = "iOS") async throws {
        let applied = try await apply(to: project, as: account, role: role)
        try #require(applied.code == 200, "\(applied.text)")
        let id = try #require(try applied.string("id"))
        let accepted = try await decide("accept", id, as: leader)
        try #require(accepted.code == 200, "\(accepted.text)")
    }

    func decide(_ action: String, _ application: String, as account: Person, _ note: String = "") async throws -> Answer
    {
        try await send(.post, "/api/v1/applications/\(application)/\(action)", as: account, ["note": note])
    }

    /// The ids of the members of a project.
    func members(of id: String) async throws -> Set<String> {
        let list = try await get("/api/v1/projects/\(id)/members").list
        return Set(list.compactMap { ($0["account"] as? [String: Any])?["id"] as? String })
    }

    /// The events of one type, oldest first.
    func told<E: Event>(_: E.Type) async throws -> [E] {
        try await recordedEvents(in: database).compactMap { event in
            try TestEvent(event).type == E.type
                ? try JSONDecoder().decode(Envelope<E>.self, from: Data(event)).data : nil
        }
    }

    /// Sees to all that is due by now.
    func seeToDuties() async throws {
        for duty in ProjectDuty.allCases {
            try await DutyWorker.see(to: duty, dependencies, Logger(label: "posts"))
        }
    }

    /// What chat tells comes to posts.
    func hear(room event: some Event) async throws {
        let message = try Envelope(id: EventID.new(), time: clock.now, traceparent: nil, data: event).message()
        try await ProjectRooms.queue(dependencies).apply([message], in: database)
    }
}

extension [String: Any] {
    var id: String { get throws { try #require(self["id"] as? String) } }
    var state: String? { self["state"] as? String }
}
