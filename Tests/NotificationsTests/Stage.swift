// SPDX-License-Identifier: Apache-2.0
// notifications in process: a schema of its own, its routes and its queue.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import Serving
import Support
import Surface
import Testing
import Views
import Web

@testable import NotificationsService

/// A notifications service without sockets, on a database schema that is gone afterwards.
struct Stage: Sendable {
    static let site = Site(domain: "localhost:3000", origin: "http://localhost:3000")
    /// The moment at which the service's clock stands unless a test moves it.
    static let now = Timestamp(rfc3339: "2026-03-01T12:00:00Z") ?? Timestamp(milliseconds: 0)

    let database: Database
    let responder: Responder<Dependencies>
    let queue: EventQueue
    let chat: EventQueue
    let projects: EventQueue
    let sessions: EventQueue
    let dependencies: Dependencies
    /// Who has a live connection.
    let connected: Box<Set<AccountID>>
    let clock: Box<Timestamp>

    /// Runs `body` on a fresh stage.
    ///
    /// - Parameter senders: who takes pushes; nobody unless a test is about them.
    static func run(senders: [Platform: any PushSender] = [:], _ body: @Sendable (Stage) async throws -> Void)
        async throws
    {
        try await withDatabase(migrations: NotificationsService.migrations, schema: "notifications") { database, _ in
            let connected = Box<Set<AccountID>>([])
            let clock = Box(now)
            let ids = IDGenerator(slot: 0, now: { clock.value })
            let dependencies = Dependencies(
                database: database,
                now: { clock.value },
                site: site,
                ids: ids,
                senders: senders,
                serverKey: "BKey",
                topic: "app.madang",
                chance: { 0 }
            )
            let queues = NotificationsService.queues(
                ids: ids,
                site: site,
                now: { clock.value },
                isConnected: { connected.value.contains($0) },
                deliveries: dependencies.deliveries
            )
            try await body(
                Stage(
                    database: database,
                    responder: responder(dependencies),
                    queue: try #require(queues.first { $0.name == "notifications.activity" }),
                    chat: try #require(queues.first { $0.name == "notifications.chat" }),
                    projects: try #require(queues.first { $0.name == "notifications.projects" }),
                    sessions: try #require(queues.first { $0.name == "notifications.sessions" }),
                    dependencies: dependencies,
                    connected: connected,
                    clock: clock
                )
            )
        }
    }

    private static func responder(_ dependencies: Dependencies) -> Responder<Dependencies> {
        var logger = Logger(label: "notifications-tests")
        logger.logLevel = .error
        return Responder(routes: Routes.all, dependencies: dependencies, deadline: .seconds(60), logger: logger)
    }

    /// Hands events to the service, in this order.
    func apply(_ happenings: [Happening]) async throws {
        for happening in happenings {
            let queue =
                switch happening.place {
                case .posts: self.queue
                case .chat: chat
                case .projects: projects
                case .sessions: sessions
                }
            _ = try await queue.apply(happening.envelope, in: database)
        }
    }

    func apply(_ happenings: Happening...) async throws { try await apply(happenings) }

    /// Hands events of posts to the service in one batch.
    func apply(together happenings: [Happening]) async throws {
        try await queue.apply(happenings.map(\.envelope), in: database)
    }

    func respond(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: String = "",
        form: String? = nil,
        as account: AccountID?,
        session: SessionID = SessionID(8),
        scopes: String = "read write push",
        app: AppID = AppID(7),
        isOwnApp: Bool = true,
        language: Language = .english
    ) async throws -> Answer {
        var request = Request(method: method, path: path, query: query, requestID: "a-request", language: language)
        if let form {
            request.headers[.contentType] = "application/x-www-form-urlencoded"
            request.body = Array(form.utf8)
        }
        if let account {
            request.principal = Stage.principal(
                Principal.Account(id: account, username: World.username(account)),
                scopes: try #require(ScopeSet(scopes)),
                session: session,
                app: app,
                isOwnApp: isOwnApp
            )
        }
        guard method == .get, path == "/api/v1/notifications" else { return await responder.respond(to: request) }
        return await responder.respond(to: request) {
            var fresh = dependencies
            fresh.answers = KeptAnswers()
            return Stage.responder(fresh)
        }
    }

    static func principal(
        _ account: Principal.Account?,
        scopes: ScopeSet,
        session: SessionID = SessionID(8),
        app: AppID = AppID(7),
        isOwnApp: Bool = true
    ) -> Principal {
        Principal(
            account: account,
            appID: app,
            appName: "a test",
            sessionID: session,
            scopes: scopes,
            isOwnApp: isOwnApp,
            expires: now + .seconds(300)
        )
    }

    /// Forgets what has served by the clock, as the running service would; how many rows went.
    @discardableResult
    func sweep(keeping most: Int = 2000) async throws -> Int {
        let clock = clock
        var removed = 0
        // What changed goes by the time of the database, however long a test takes.
        for sweep in Sweeps.all(now: { clock.value }, keeping: most) where sweep.table != ChangeStore.sweep.table {
            removed += try await sweep.finish(in: database)
        }
        return removed
    }

    /// The account's notifications, newest first.
    func list(_ account: AccountID, query: String = "") async throws -> [Listed] {
        let answer = try await respond(.get, "/api/v1/notifications", query: query, as: account)
        #expect(answer.status == .ok)
        return try JSONDecoder().decode([Listed].self, from: Data(answer.body))
    }

    /// What open connections were told, oldest first.
    func notified() async throws -> [NotificationCreated] {
        try await recordedEvents(in: database).map { try Envelope<NotificationCreated>(message: $0).data }
    }

    /// What of every table does not depend on when it was written, as text.
    func dump() async throws -> [String] {
        var dump: [String] = []
        for statement in Stage.dumps {
            for row in try await database.query(statement) {
                var columns = row.columns
                dump.append(try columns.next())
            }
        }
        return dump
    }

    private static let dumps: [SQL] = [
        "SELECT 'account ' || to_jsonb(t)::text FROM accounts t ORDER BY id",
        "SELECT 'post ' || (to_jsonb(t) - 'touched_at')::text FROM posts t ORDER BY id",
        "SELECT 'card ' || (to_jsonb(t) - 'touched_at')::text FROM cards t ORDER BY url",
        "SELECT 'act ' || to_jsonb(t)::text FROM acts t ORDER BY kind, subject_id, actor_id",
        "SELECT 'silence ' || to_jsonb(t)::text FROM silences t ORDER BY account_id, target_id, kind, version",
        "SELECT 'channel ' || to_jsonb(t)::text FROM channels t ORDER BY id",
        "SELECT 'message ' || (to_jsonb(t) - 'touched_at')::text FROM messages t ORDER BY id",
        "SELECT 'read ' || (to_jsonb(t) - 'touched_at')::text FROM reads t ORDER BY channel_id, account_id",
        "SELECT 'departure ' || to_jsonb(t)::text FROM departures t ORDER BY place_id, account_id",
        "SELECT 'gone ' || to_jsonb(t)::text FROM gone_places t ORDER BY id",
        "SELECT 'project ' || (to_jsonb(t) - 'touched_at')::text FROM projects t ORDER BY id",
        "SELECT 'application ' || (to_jsonb(t) - 'touched_at')::text FROM applications t ORDER BY id",
        "SELECT 'named ' || to_jsonb(t)::text FROM project_mentions t ORDER BY project_id, account_id",
        """
        SELECT 'notification ' || (to_jsonb(t) - 'id' - 'quiet_until')::text FROM notifications t
        ORDER BY type, subject_id, actor_id, account_id
        """,
    ]
}

/// The part of a notification that most tests look at.
struct Listed: Decodable, Equatable {
    struct Account: Decodable, Equatable { let id: String }
    struct Status: Decodable, Equatable {
        let id: String
        let content: String
        let favourited: Bool?
        let reblogged: Bool?
        let card: Card?
    }

    struct Card: Decodable, Equatable { let title: String }

    struct Message: Decodable, Equatable {
        let id: String
        let channel_id: String
        let seq: Int64
        let text: String
    }

    struct Project: Decodable, Equatable {
        let id: String
        let title: String
        let state: String
        let deadline: String?
    }

    struct Application: Decodable, Equatable {
        struct Role: Decodable, Equatable { let name: String }

        let id: String
        let role: Role
        let state: String
        let message: String
        let note: String
    }

    let id: String
    let type: String
    let account: Account
    let status: Status?
    let message: Message?
    let project: Project?
    let application: Application?

    /// Such as `favourite 2 901`: type, actor, post; or `chat_mention 2 81/3`: type, author, channel and number.
    var summary: String {
        ([type, account.id] + (status.map { [$0.id] } ?? []) + (message.map { ["\($0.channel_id)/\($0.seq)"] } ?? []))
            .joined(separator: " ")
    }
}

/// One event as it would be delivered.
struct Happening: Sendable {
    /// By which queue it comes.
    enum Place: Sendable { case posts, chat, projects, sessions }

    let envelope: [UInt8]
    let place: Place

    init(_ event: some Event, at time: Timestamp, number: Int) {
        let tail = String(number, radix: 16)
        let envelope = Envelope(
            id: "01900000-0000-7000-8000-" + String(repeating: "0", count: max(0, 12 - tail.count)) + tail,
            time: time,
            traceparent: nil,
            data: event
        )
        let name = type(of: event).name
        let isOfProjects = name.hasPrefix("posts.Project") || name.hasPrefix("posts.Application")
        place =
            switch name {
            case _ where name.hasPrefix("chat."): .chat
            case _ where name.hasPrefix("auth."): .sessions
            case _ where isOfProjects: .projects
            default: .posts
            }
        self.envelope = (try? JSONEncoder().encode(envelope)).map(Array.init) ?? []
    }
}
