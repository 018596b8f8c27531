// SPDX-License-Identifier: Apache-2.0
// Posts in process with a database of its own, for the tests of accounts and the graph.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Postgres
import ServiceKit
import Serving
import Support
import Testing
import Web

@testable import PostsService

/// The service without a socket, and people in it.
struct GraphWorld: Sendable {
    /// 2026-01-02T03:04:05.678Z.
    static let start = Timestamp(milliseconds: 1_767_323_045_678)

    static let secret = "internal secret of the tests"

    let dependencies: Dependencies
    let responder: Responder<Dependencies>
    let clock: SetClock

    /// - Parameters:
    ///   - slot: which copy of the process this is.
    ///   - start: what its clock shows.
    ///   - limits: how much is allowed.
    init(
        _ database: Database,
        slot: Int = 0,
        start: Timestamp = GraphWorld.start,
        limits: Limits = Limits(popularityPatience: .zero),
        appealTokens: PrincipalVerifier? = nil
    ) throws {
        let clock = SetClock(start)
        let site = Site(domain: "madang.example", origin: "https://madang.example").showing(
            .telling("https://madang.example")
        )
        self.clock = clock
        dependencies = Dependencies(
            database: database,
            ids: IDGenerator(slot: slot, now: { clock.now }),
            now: { clock.now },
            site: site,
            limits: limits,
            pages: try PostPages.pages(site: site),
            appealTokens: appealTokens,
            blocks: KeptBlockList(patience: .zero)
        )
        responder = GraphWorld.responder(dependencies)
    }

    private static func responder(_ dependencies: Dependencies) -> Responder<Dependencies> {
        PostsService.service.responder(
            dependencies,
            internalSecret: GraphWorld.secret,
            deadline: .seconds(60),
            logger: Logger(label: "posts")
        )
    }

    /// Runs `body` with a new database.
    static func run(
        limits: Limits = Limits(popularityPatience: .zero),
        _ body: @Sendable (GraphWorld) async throws -> Void
    ) async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            try await body(try GraphWorld(database, limits: limits))
        }
    }

    var database: Database { dependencies.database }

    /// Somebody who is signed in and has acted before.
    func person(_ name: String) async throws -> Principal.Account {
        let person = try stranger(name)
        try await EnsureAccount.run(person, dependencies)
        return person
    }

    /// Somebody who is signed in for the first time.
    func stranger(_ name: String) throws -> Principal.Account {
        Principal.Account(id: try dependencies.ids.next(), username: try #require(Username(name)))
    }

    static func principal(_ account: Principal.Account?, scopes: String = "read write follow") throws -> Principal {
        Principal(
            account: account,
            appID: AppID(7),
            appName: "Test",
            sessionID: SessionID(8),
            scopes: try #require(ScopeSet(scopes)),
            expires: start + .seconds(300)
        )
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as account: Principal.Account? = nil,
        scopes: String = "read write follow",
        type: String? = nil,
        body: String = "",
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        await responder.send(
            method,
            path,
            as: try account.map { try GraphWorld.principal($0, scopes: scopes) },
            type: type,
            body: body,
            headers: headers
        )
    }

    func get(_ path: String, as account: Principal.Account? = nil) async throws -> Answer {
        let request = Request.passedOn(.get, path, as: try account.map { try GraphWorld.principal($0) })
        guard ["/home", "/statuses", "/context"].contains(where: request.path.hasSuffix) else {
            return await responder.respond(to: request)
        }
        return await responder.respond(to: request) {
            var fresh = dependencies
            fresh.answers = Dependencies.answers()
            return GraphWorld.responder(fresh)
        }
    }

    func post(
        _ path: String,
        as account: Principal.Account,
        form: String? = nil,
        json: String? = nil
    ) async throws -> Answer {
        try await send(
            .post,
            path,
            as: account,
            type: json != nil ? "application/json" : form != nil ? "application/x-www-form-urlencoded" : nil,
            body: json ?? form ?? ""
        )
    }

    /// Names, subjects and payloads of the events in the outbox, oldest first.
    func events() async throws -> [TestEvent] { try await recordedEvents(in: database).map(TestEvent.init) }

    func counts(_ account: Principal.Account) async throws -> [Int] {
        let found = try #require(try await AccountStore.account(account.id, in: database))
        return [found.followersCount, found.followingCount]
    }
}

extension Answer {
    var text: String { String(decoding: body, as: UTF8.self) }
    var code: Int { status.code }

    /// The members of an object.
    var object: [String: Any] {
        get throws { try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) }
    }

    /// The objects of an array.
    var list: [[String: Any]] {
        get throws { try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]) }
    }

    func names() throws -> [String] { try list.compactMap { $0["username"] as? String } }

    func string(_ name: String) throws -> String? { try object[name] as? String }
    func bool(_ name: String) throws -> Bool? { try object[name] as? Bool }
}
