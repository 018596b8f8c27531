// SPDX-License-Identifier: Apache-2.0
// Services and what travels between them, without a broker.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Postgres
import ServiceKit
import Support
import Testing
import Web

@testable import Outbox

enum Part {
    static let site = Site(domain: "madang.example", origin: "https://madang.example")
}

/// Posts, chat, notifications, search and media with a schema each. What one records reaches the others' queues when it is carried there.
struct Neighbourhood: Sendable {
    let posts: PostsPart
    let chat: ChatPart
    let notifications: NotificationsPart
    let search: SearchPart
    let media: MediaPart
    let people: [Principal.Account]

    static func run(people: Int = 10, _ body: @escaping @Sendable (Neighbourhood) async throws -> Void) async throws {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withDatabase(migrations: PostsPart.migrations, schema: "posts") { posts, configuration in
            var chat = configuration
            chat.schema = "chat"
            var notifications = configuration
            notifications.schema = "notifications"
            _ = try await Migrator(chat, sources: ChatPart.migrations, logger: quiet).migrate()
            _ = try await Migrator(notifications, sources: NotificationsPart.migrations, logger: quiet).migrate()
            var search = configuration
            search.schema = "search"
            _ = try await Migrator(search, sources: SearchPart.migrations, logger: quiet).migrate()
            var media = configuration
            media.schema = "media"
            _ = try await Migrator(media, sources: MediaPart.migrations, logger: quiet).migrate()
            let (others, finding, keeping) = (notifications, search, media)
            try await running(chat) { chat, _ in
                try await running(others) { notifications, _ in
                    try await running(finding) { search, _ in
                        try await running(keeping) { media, _ in
                            let all = try Neighbourhood(posts, chat, notifications, search, media, people: people)
                            for account in all.people {
                                _ = try await all.get("posts", "/api/v1/accounts/verify_credentials", as: account)
                                _ = try await all.get("chat", "/api/v1/playgrounds", as: account)
                            }
                            try await body(all)
                        }
                    }
                }
            }
        }
    }

    private init(
        _ posts: Database,
        _ chat: Database,
        _ notifications: Database,
        _ search: Database,
        _ media: Database,
        people: Int
    ) throws {
        let ids = IDGenerator(slot: 0, now: Timestamp.now)
        self.posts = try PostsPart(posts, ids: ids)
        self.chat = try ChatPart(chat, ids: IDGenerator(slot: 1, now: Timestamp.now))
        self.notifications = NotificationsPart(notifications, ids: IDGenerator(slot: 2, now: Timestamp.now))
        self.search = SearchPart(search)
        self.media = try MediaPart(media, ids: IDGenerator(slot: 3, now: Timestamp.now))
        self.people = try (0..<people).map { number in
            Principal.Account(id: try ids.next(), username: try #require(Username("person\(number)")))
        }
    }

    /// Where a service keeps what is told to it, and its queues.
    private func keeper(_ service: String) -> (database: Database, queues: [EventQueue]) {
        switch service {
        case "posts": (posts.database, posts.queues)
        case "chat": (chat.database, chat.queues)
        case "search": (search.database, search.queues)
        default: (notifications.database, notifications.queues)
        }
    }

    func database(of service: String) -> Database { keeper(service).database }

    // MARK: Acting

    private static func principal(_ account: Principal.Account) throws -> Principal {
        Principal(
            account: account,
            appID: AppID(7),
            appName: "Test",
            sessionID: SessionID(8),
            scopes: try #require(ScopeSet("read write follow")),
            expires: Timestamp.now() + .seconds(3600)
        )
    }

    func get(_ service: String, _ path: String, as account: Principal.Account) async throws -> Answer {
        try await send(service, .get, path, as: account)
    }

    /// What a client sends; that something is refused is part of a random history.
    @discardableResult
    func send(
        _ service: String,
        _ method: HTTPRequest.Method,
        _ path: String,
        as account: Principal.Account,
        _ json: [String: any Sendable]? = nil
    ) async throws -> Answer {
        let body = try json.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let principal = try Neighbourhood.principal(account)
        let type = body == nil ? nil : "application/json"
        let answer =
            switch service {
            case "posts":
                await posts.responder.send(method, path, as: principal, type: type, body: body ?? "")
            case "chat":
                await chat.responder.send(method, path, as: principal, type: type, body: body ?? "")
            case "media":
                await media.responder.send(method, path, as: principal, type: type, body: body ?? "")
            default:
                await notifications.responder.send(method, path, as: principal, type: type, body: body ?? "")
            }
        #expect(answer.status.code < 500, "\(method) \(path): \(String(decoding: answer.body, as: UTF8.self))")
        return answer
    }

    /// A member of an answer in JSON.
    func text(_ answer: Answer, _ member: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return object?[member] as? String
    }

    // MARK: Carrying

    private struct Letter: Sendable {
        let type: String
        let audience: String
        let envelope: [UInt8]
    }

    private func takeOutbox(of database: Database) async throws -> [Letter] {
        try await database.query(
            """
            WITH taken AS (DELETE FROM outbox RETURNING id, type, audience, envelope)
            SELECT type, audience, envelope FROM taken ORDER BY id
            """
        ).all { Letter(type: try $0.next(), audience: try $0.next(), envelope: try $0.next()) }
    }

    /// Brings what was recorded to the queues, as the broker would, until nothing is left.
    ///
    /// - Returns: how many live messages notifications told.
    @discardableResult
    func carry() async throws -> (events: Int, told: Int) {
        var (events, told) = (0, 0)
        let keepers = ["posts", "chat", "notifications", "search"].map(keeper) + [(media.database, media.queues)]
        let owners = [
            (posts.database, EventQueue.retelling(of: "posts", posts.tellers)),
            (chat.database, EventQueue.retelling(of: "chat", chat.tellers)),
            (media.database, EventQueue.retelling(of: "media", media.tellers)),
        ]
        let queues = keepers.flatMap { database, queues in queues.map { (database, $0) } } + owners
        while true {
            var letters = try await takeOutbox(of: posts.database) + takeOutbox(of: chat.database)
            let own = try await takeOutbox(of: notifications.database)
            told += own.count { $0.audience == "live" }
            letters += own
            letters += try await takeOutbox(of: search.database) + takeOutbox(of: media.database)
            if letters.isEmpty { return (events, told) }
            events += letters.count
            for (database, queue) in queues {
                let wanted = Set(queue.reactions.map(\.type))
                let mine = letters.filter { letter in
                    if letter.audience == "retold" { return letter.type.hasPrefix("\(queue.name).") }
                    let isSent = Audience(rawValue: letter.audience).map(queue.audiences.contains) ?? false
                    return isSent && wanted.contains(letter.type)
                }
                for start in stride(from: 0, to: mine.count, by: 64) {
                    try await queue.apply(mine[start..<min(start + 64, mine.count)].map(\.envelope), in: database)
                }
            }
        }
    }

    /// Has the projections of services rebuilt, at once, to the end.
    ///
    /// - Returns: how many live messages notifications told meanwhile.
    @discardableResult
    func rebuild(_ services: String...) async throws -> Int {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let askers = services.map { service in
            let (database, queues) = keeper(service)
            return (service: service, database: database, queues: queues.filter { $0.rebuild != nil })
        }
        let retellings = [
            ("posts", posts.database, posts.tellers), ("chat", chat.database, chat.tellers),
            ("media", media.database, media.tellers),
        ].map { Retelling(service: $0, tellers: $2, database: $1, metrics: Metrics(), logger: quiet) }
        for (_, database, queues) in askers {
            try await RebuildStore.register(queues.map(\.name), in: database)
            try await RebuildStore.ask([], in: database)
        }
        var told = 0
        for _ in 0..<100_000 {
            var isUnderWay = false
            for (service, database, queues) in askers {
                let keeper = RebuildKeeper(
                    service: service,
                    queues: queues,
                    database: database,
                    metrics: Metrics(),
                    logger: quiet
                )
                for queue in queues { while try await keeper.step(queue) {} }
                // Auth is not among these: of it nothing is told again.
                _ = try await database.query("UPDATE rebuild_owners SET told = 0 WHERE owner = 'auth'")
                isUnderWay = try await RebuildStore.all(in: database).contains(where: \.state.isUnderWay) || isUnderWay
            }
            if !isUnderWay { return told }
            told += try await carry().told
            for retelling in retellings { while try await retelling.step() {} }
            told += try await carry().told
        }
        Issue.record("the rebuild of \(services) does not end")
        return told
    }
}
