// SPDX-License-Identifier: Apache-2.0
// Chat in process with a database of its own, and people in it.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import ServiceKit
import Serving
import Support
import Synchronization
import Testing
import Web

@testable import ChatService

typealias Somebody = Principal.Account

/// The service without a socket, and people in it.
struct ChatWorld: Sendable {
    /// 2026-01-02T03:04:05.678Z.
    static let start = Timestamp(milliseconds: 1_767_323_045_678)
    static let secret = "internal secret of the tests"
    /// Says who asks, as auth does.
    private static let signer = PrincipalSigner(privateKey: Data((0..<32).map { UInt8($0) }).base64EncodedString())

    let dependencies: Dependencies
    let responder: Responder<Dependencies>
    let clock: SetClock

    /// - Parameter slot: of the process that it is, among those that use one database.
    init(_ database: Database, slot: Int = 0, limits: Limits = Limits()) {
        let clock = SetClock(ChatWorld.start)
        self.clock = clock
        let codes = Mutex(0)
        var dependencies = Dependencies(
            database: database,
            ids: IDGenerator(slot: slot, now: { clock.now }),
            now: { clock.now },
            site: Site(domain: "madang.example", origin: "https://madang.example").showing(
                .telling("https://madang.example")
            ),
            limits: limits,
            principals: ChatWorld.signer.flatMap { signer in
                PrincipalVerifier(publicKey: signer.publicKey, audience: "chat", now: { clock.now })
            },
            blocks: KeptBlockList(patience: .zero)
        )
        dependencies.inviteCode = {
            codes.withLock { number in
                number += 1
                return "code\(number)"
            }
        }
        self.dependencies = dependencies
        responder = ChatWorld.responder(dependencies)
    }

    private static func responder(_ dependencies: Dependencies) -> Responder<Dependencies> {
        ChatService.service.responder(
            dependencies,
            internalSecret: ChatWorld.secret,
            deadline: .seconds(60),
            logger: Logger(label: "chat")
        )
    }

    /// Runs `body` with a new database.
    static func run(
        limits: Limits = Limits(),
        _ body: @Sendable (ChatWorld) async throws -> Void
    ) async throws {
        try await withDatabase(migrations: ChatService.migrations, schema: "chat") { database, _ in
            try await body(ChatWorld(database, limits: limits))
        }
    }

    var database: Database { dependencies.database }

    /// Somebody who is signed in and has acted before.
    func person(_ name: String) async throws -> Somebody {
        let person = try stranger(name)
        try await EnsureAccount.run(person, dependencies)
        return person
    }

    /// Somebody who is signed in for the first time.
    func stranger(_ name: String) throws -> Somebody {
        Somebody(id: try dependencies.ids.next(), username: try #require(Username(name)))
    }

    static func principal(_ account: Somebody?, scopes: String = "read write") throws -> Principal {
        Principal(
            account: account,
            appID: AppID(7),
            appName: "Test",
            sessionID: SessionID(8),
            scopes: try #require(ScopeSet(scopes)),
            expires: start + .seconds(300)
        )
    }

    // MARK: Asking

    /// A principal as auth signs it.
    static func statement(
        _ account: Somebody?,
        scopes: String = "read write",
        for audience: String = "chat"
    ) throws -> String {
        try #require(signer).sign(try principal(account, scopes: scopes), for: audience)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as account: Somebody? = nil,
        scopes: String = "read write",
        type: String? = nil,
        body: String = "",
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        await responder.send(
            method,
            path,
            as: try account.map { try ChatWorld.principal($0, scopes: scopes) },
            type: type,
            body: body,
            headers: headers
        )
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as account: Somebody,
        _ json: [String: any Sendable]
    ) async throws -> Answer {
        let body = String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        return try await send(method, path, as: account, type: "application/json", body: body)
    }

    func get(_ path: String, as account: Somebody? = nil) async throws -> Answer {
        let request = Request.passedOn(.get, path, as: try account.map { try ChatWorld.principal($0) })
        guard request.path.hasSuffix("-overview") else { return await responder.respond(to: request) }
        return await responder.respond(to: request) {
            var fresh = dependencies
            fresh.kept = Kept()
            return ChatWorld.responder(fresh)
        }
    }

    func post(_ path: String, as account: Somebody, _ json: [String: any Sendable] = [:]) async throws -> Answer {
        try await send(.post, path, as: account, json)
    }

    func put(_ path: String, as account: Somebody, _ json: [String: any Sendable] = [:]) async throws -> Answer {
        try await send(.put, path, as: account, json)
    }

    func patch(_ path: String, as account: Somebody, _ json: [String: any Sendable]) async throws -> Answer {
        try await send(.patch, path, as: account, json)
    }

    func delete(_ path: String, as account: Somebody) async throws -> Answer {
        try await send(.delete, path, as: account)
    }

    // MARK: Places

    /// A playground of this owner that anybody may join; its id.
    func playground(_ name: String = "Yard", of owner: Somebody, isOpen: Bool = true) async throws -> String {
        let answer = try await post("/api/v1/playgrounds", as: owner, ["name": name, "open": isOpen])
        try #require(answer.code == 201, "\(answer.text)")
        return try #require(try answer.string("id"))
    }

    /// The channel that every member is in.
    func general(of playground: String, as member: Somebody) async throws -> String {
        try #require(try await get("/api/v1/playgrounds/\(playground)", as: member).string("default_channel_id"))
    }

    func enter(_ playground: String, _ people: Somebody...) async throws {
        for person in people {
            let answer = try await post("/api/v1/playgrounds/\(playground)/join", as: person)
            try #require(answer.code == 200, "\(answer.text)")
        }
    }

    /// A channel made by this person; its id.
    func channel(
        _ name: String,
        in playground: String,
        by owner: Somebody,
        type: String = "public"
    ) async throws -> String {
        let path = "/api/v1/playgrounds/\(playground)/channels"
        let answer = try await post(path, as: owner, ["name": name, "type": type])
        try #require(answer.code == 201, "\(answer.text)")
        return try #require(try answer.string("id"))
    }

    func join(_ channel: String, _ people: Somebody...) async throws {
        for person in people {
            let answer = try await post("/api/v1/channels/\(channel)/join", as: person)
            try #require(answer.code == 200, "\(answer.text)")
        }
    }

    // MARK: What was told

    /// The events for services in the outbox, oldest first.
    func events() async throws -> [TestEvent] {
        try await recordedEvents(in: database).map(TestEvent.init).filter { $0.type != ChatUpdated.type }
    }

    /// The same, from the given number on, by name without `chat.` and version.
    func news(after count: Int) async throws -> [String] {
        try await events().dropFirst(count).map { event in
            String(event.type.split(separator: ".").dropFirst().first ?? "")
        }
    }

    /// What open connections are told, oldest first.
    func updates() async throws -> [ChatUpdate] {
        try await recordedEvents(in: database).compactMap { event in
            guard try TestEvent(event).type == ChatUpdated.type else { return nil }
            return try Envelope<ChatUpdated>(message: event).data.update
        }
    }

    /// Runs `body` many times at the same time; results in the order of the numbers.
    func atOnce<Value: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for index in 0..<count { group.addTask { (index, try await body(index)) } }
            var results: [(Int, Value)] = []
            for try await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Forgets all that has served, as time would.
    func sweep() async throws {
        for sweep in Sweeps.all(now: { clock.now }) { try await sweep.finish(in: database) }
    }

    func number(_ sql: SQL) async throws -> Int { try await database.query(sql).number() }
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

    func string(_ name: String) throws -> String? { try object[name] as? String }
    func bool(_ name: String) throws -> Bool? { try object[name] as? Bool }
    func int(_ name: String) throws -> Int? { try object[name] as? Int }
    /// The members `name` of the objects of an array.
    func strings(_ name: String) throws -> [String] { try list.compactMap { $0[name] as? String } }

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
