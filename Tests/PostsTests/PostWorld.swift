// SPDX-License-Identifier: Apache-2.0
// What the tests of posts and timelines do again and again.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

typealias Person = Principal.Account

extension GraphWorld {
    /// Posts and gives the id.
    @discardableResult
    func write(_ text: String, as author: Person, _ more: [String: any Sendable] = [:]) async throws -> String {
        let answer = try await publish(text, as: author, more)
        try #require(answer.code == 200, "\(answer.text)")
        return try #require(try answer.string("id"))
    }

    func publish(
        _ text: String,
        as author: Person,
        _ more: [String: any Sendable] = [:],
        key: String? = nil
    ) async throws -> Answer {
        var body: [String: any Sendable] = more
        body["status"] = text
        var headers: HTTPFields = [:]
        if let key { headers[try #require(HTTPField.Name("Idempotency-Key"))] = key }
        let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try await send(
            .post,
            "/api/v1/statuses",
            as: author,
            type: "application/json",
            body: json,
            headers: headers
        )
    }

    func act(_ action: String, on id: String, as account: Person, form: String? = nil) async throws -> Answer {
        try await post("/api/v1/statuses/\(id)/\(action)", as: account, form: form)
    }

    func follow(_ followee: Person, as follower: Person) async throws {
        let answer = try await post("/api/v1/accounts/\(followee.id)/follow", as: follower)
        try #require(answer.code == 200, "\(answer.text)")
    }

    func relate(_ action: String, _ target: Person, as account: Person) async throws {
        let answer = try await post("/api/v1/accounts/\(target.id)/\(action)", as: account)
        try #require(answer.code == 200, "\(answer.text)")
    }

    /// Ids of a list, in its order.
    func ids(_ path: String, as account: Person? = nil) async throws -> [String] {
        let answer = try await get(path, as: account)
        try #require(answer.code == 200, "\(answer.text)")
        return try answer.list.compactMap { $0["id"] as? String }
    }

    /// Follows a link until there is none; the ids of each page.
    func walk(_ path: String, _ relation: String, as account: Person? = nil) async throws -> [[String]] {
        var pages: [[String]] = []
        var next: String? = path
        while let page = next {
            let answer = try await get(page, as: account)
            try #require(answer.code == 200, "\(answer.text)")
            pages.append(try answer.list.compactMap { $0["id"] as? String })
            next = try answer.pageLink(relation)
        }
        return pages
    }

    /// Writes many public posts past the routes, as time would.
    func fill(_ count: Int, of author: Person, tags: [String], intoHomeOf reader: Person? = nil) async throws {
        let ids = try (0..<count).map { _ in try dependencies.ids.next(PostID.self).rawValue }
        _ = try await database.query(
            """
            INSERT INTO posts (id, account_id, text, visibility, conversation_id, tags, created_at)
            SELECT id, \(author.id), '', 'public', id, \(tags), now() FROM unnest(\(ids)) id
            """
        )
        _ = try await database.query(
            "INSERT INTO post_tags (tag, post_id) SELECT tag, id FROM unnest(\(ids)) id, unnest(\(tags)) tag"
        )
        guard let reader else { return }
        _ = try await database.query(
            """
            INSERT INTO timeline (account_id, post_id, author_id)
            SELECT \(reader.id), id, \(author.id) FROM unnest(\(ids)) id
            """
        )
    }

    func home(_ account: Person, _ query: String = "") async throws -> [String] {
        try await ids("/api/v1/timelines/home\(query)", as: account)
    }

    func status(_ id: String, as account: Person? = nil) async throws -> [String: Any] {
        try await get("/api/v1/statuses/\(id)", as: account).object
    }

    /// The events in the outbox that fan-out hears.
    func fanoutEvents() async throws -> [[UInt8]] {
        try await fanoutEvents(to: Fanout.queue(dependencies).audiences)
    }

    /// The same with those of posts that were in timelines already when they were told.
    func allFanoutEvents() async throws -> [[UInt8]] { try await fanoutEvents(to: Set(Audience.allCases)) }

    private func fanoutEvents(to audiences: Set<Audience>) async throws -> [[UInt8]] {
        let types = Set(Fanout.queue(dependencies).reactions.map(\.type))
        return try await recordedEvents(to: audiences, in: database).filter { types.contains(try TestEvent($0).type) }
    }

    /// Delivers to fan-out whatever it has not seen, and goes on with what takes several steps.
    func fanOut(largeAccount: Int? = nil, finish: Bool = true) async throws {
        let dependencies = largeAccount.map(with(largeAccount:)) ?? dependencies
        let queue = Fanout.queue(dependencies)
        for event in try await fanoutEvents() { _ = try await queue.apply(event, in: database) }
        while finish, try await FanoutWorker.step(dependencies, logger: logger) {}
    }

    /// One step of what takes several.
    func goOn(largeAccount: Int? = nil) async throws -> Bool {
        try await FanoutWorker.step(largeAccount.map(with(largeAccount:)) ?? dependencies, logger: logger)
    }

    /// The same with what fan-out itself tells, until nothing is new.
    func fanOutUntilQuiet() async throws {
        var seen = -1
        while try await fanoutEvents().count != seen {
            seen = try await fanoutEvents().count
            try await fanOut()
        }
    }

    private var logger: Logger { Logger(label: "posts") }

    private func with(largeAccount: Int) -> Dependencies {
        var limits = dependencies.limits
        limits.largeAccount = largeAccount
        return Dependencies(
            database: database,
            ids: dependencies.ids,
            now: dependencies.now,
            site: dependencies.site,
            limits: limits,
            pages: dependencies.pages
        )
    }

    /// The rows of every home timeline.
    func timelineRows() async throws -> [[Int64]] {
        try await database.query(
            "SELECT account_id, post_id, author_id FROM timeline ORDER BY account_id, post_id"
        ).map { row in
            var columns = row.columns
            return [try columns.next(), try columns.next(), try columns.next()]
        }
    }

    /// What open connections are told, oldest first.
    func liveUpdates() async throws -> [LiveUpdate] {
        try await recordedEvents(in: database).compactMap { event in
            guard try TestEvent(event).type == TimelineUpdated.type else { return nil }
            return try Envelope<TimelineUpdated>(message: event).data.update
        }
    }

    func number(_ sql: SQL) async throws -> Int {
        let row = try #require(try await database.query(sql).first)
        var columns = row.columns
        return try columns.next()
    }
}

extension Answer {
    /// The query of the `Link` header's next or previous page.
    func pageLink(_ relation: String) throws -> String? {
        guard let header = headers[.link] else { return nil }
        for part in header.split(separator: ", ") where part.hasSuffix("rel=\"\(relation)\"") {
            let address = try #require(part.split(separator: ">").first?.dropFirst())
            return String(address.dropFirst("https://madang.example".count))
        }
        return nil
    }
}
