// SPDX-License-Identifier: Apache-2.0
// What the tests of reports and decisions do again and again.

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

extension GraphWorld {
    static let powers = "read write admin:read admin:write"

    /// Somebody who moderates, as auth tells posts.
    func moderator(_ name: String, _ role: Role = .moderator) async throws -> Person {
        let person = try await person(name)
        let given = RoleGiven(accountID: person.id, role: role, subjectVersion: 1)
        try await hear(given, on: Accounts.queue)
        return Person(id: person.id, username: person.username, role: role)
    }

    /// An event of others comes to posts.
    func hear(_ event: some Event, on queue: EventQueue) async throws {
        let message = try Envelope(id: EventID.new(), time: clock.now, traceparent: nil, data: event).message()
        try await queue.apply([message], in: database)
    }

    func report(_ more: [String: any Sendable], as reporter: Person) async throws -> Answer {
        try await send(.post, "/api/v1/reports", as: reporter, more)
    }

    /// Files a report; its id.
    func filed(_ more: [String: any Sendable], as reporter: Person) async throws -> String {
        let answer = try await report(more, as: reporter)
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.object.id
    }

    /// A moderator asks.
    func moderate(
        _ method: HTTPRequest.Method,
        _ path: String,
        as moderator: Person,
        _ json: [String: any Sendable]? = nil,
        scopes: String = powers
    ) async throws -> Answer {
        let body = try json.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let type = body == nil ? nil : "application/json"
        return try await send(method, path, as: moderator, scopes: scopes, type: type, body: body ?? "")
    }

    func queued(_ id: String, as moderator: Person) async throws -> [String: Any] {
        try await moderate(.get, "/api/v1/moderation/reports/\(id)", as: moderator).object
    }

    /// Decides; the decisions.
    func decide(_ more: [String: any Sendable], as moderator: Person) async throws -> [[String: Any]] {
        let answer = try await moderate(.post, "/api/v1/moderation/decisions", as: moderator, more)
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.list
    }

    func thing(_ kind: ThingKind, _ id: String) -> [[String: any Sendable]] { [["kind": kind.rawValue, "id": id]] }
}
