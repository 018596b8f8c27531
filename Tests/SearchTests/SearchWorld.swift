// SPDX-License-Identifier: Apache-2.0
// search in process: a schema of its own, its queue and its routes.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Outbox
import Postgres
import Serving
import Support
import Views
import Web

@testable import SearchService

/// An event in its envelope, as the broker brings it.
struct Told: Sendable {
    let envelope: [UInt8]

    init(_ event: some Event, at time: Timestamp = SearchWorld.now) {
        let envelope = Envelope(id: EventID.new(), time: time, traceparent: nil, data: event)
        // Events of tests are made of what can be encoded.
        self.envelope = (try? JSONEncoder().encode(envelope)).map { Array($0) } ?? []
    }
}

/// A search service without sockets, on a schema that is gone afterwards.
struct SearchWorld: Sendable {
    static let site = Site(domain: "madang.test", origin: "https://madang.test")
        .showing(.telling("https://madang.test"))
    static let now = Timestamp(rfc3339: "2026-03-01T12:00:00Z") ?? Timestamp(milliseconds: 0)

    let database: Database
    let clock: SetClock
    let dependencies: Dependencies
    let queue: EventQueue
    private let responder: Responder<Dependencies>

    static func run<Value: Sendable>(
        segmentSize: Int = 16,
        _ body: @Sendable (SearchWorld) async throws -> Value
    ) async throws -> Value {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            try await body(try SearchWorld(database, segmentSize: segmentSize))
        }
    }

    init(_ database: Database, segmentSize: Int = 16) throws {
        let clock = SetClock(Self.now)
        let dependencies = Dependencies(
            database: database,
            // What a question may take is measured by the benchmark; here other tests keep the machine busy.
            index: PostgresIndex(database, segmentSize: segmentSize, patience: .seconds(60)),
            patience: .seconds(60),
            now: { clock.now },
            site: Self.site
        )
        try self.init(dependencies, clock)
    }

    private init(_ dependencies: Dependencies, _ clock: SetClock) throws {
        guard let queue = SearchService.queues(dependencies).first else { throw CancellationError() }
        var logger = Logger(label: "search-tests")
        logger.logLevel = .critical
        database = dependencies.database
        self.clock = clock
        self.dependencies = dependencies
        self.queue = queue
        responder = SearchService.service.responder(
            dependencies,
            internalSecret: "",
            deadline: .seconds(60),
            logger: logger
        )
    }

    /// The same as another process, with something else set.
    func with(_ change: (inout Dependencies) -> Void) throws -> SearchWorld {
        var dependencies = dependencies
        change(&dependencies)
        return try SearchWorld(dependencies, clock)
    }

    /// Hands events over as one batch.
    func tell(_ events: [Told]) async throws { try await queue.apply(events.map(\.envelope), in: database) }
    func tell(_ events: any Event...) async throws { try await tell(events.map { Self.told($0) }) }

    static func told(_ event: any Event) -> Told {
        func open(_ event: some Event) -> Told { Told(event) }
        return open(event)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ target: String,
        json: String? = nil,
        as account: AccountID? = nil
    ) async -> Answer {
        let principal = account.map { id in
            Principal(
                account: .init(id: id, username: Self.username("p\(id)")),
                appID: AppID(1),
                appName: "tests",
                sessionID: SessionID(1),
                scopes: ScopeSet(["read", "write"]),
                expires: clock.now + .seconds(60)
            )
        }
        return await responder.send(
            method,
            target,
            as: principal,
            type: json.map { _ in "application/json" },
            body: json ?? ""
        )
    }

    // MARK: What is told

    /// An id made so long before the world's moment.
    static func id(_ number: Int64, ago: Duration = .zero) -> Int64 {
        ((now - ago).milliseconds << 16) + number
    }

    static func account(
        _ id: Int64,
        _ name: String = "",
        version: Int64 = 1,
        username: String? = nil,
        note: String = "",
        discoverable: Bool = true,
        indexable: Bool? = nil,
        followers: Int = 0,
        languages: [String]? = nil
    ) -> AccountSnapshot {
        AccountSnapshot(
            id: AccountID(id),
            username: Self.username(username ?? "p\(id)"),
            displayName: name,
            note: note,
            discoverable: discoverable,
            createdAt: now,
            followersCount: followers,
            version: version,
            extras: ProfileExtras(indexable: indexable, nativeLanguages: languages)
        )
    }

    static func username(_ text: String) -> Username { Username(text) ?? username("nobody") }

    static func post(
        _ id: Int64,
        by author: Int64,
        _ text: String,
        version: Int64 = 1,
        visibility: Visibility = .public,
        mentions: [Int64] = [],
        language: String? = nil,
        editedAt: Timestamp? = nil,
        favourites: Int = 0,
        boosts: Int = 0
    ) -> PostSnapshot {
        PostSnapshot(
            id: PostID(id),
            accountID: AccountID(author),
            text: text,
            visibility: visibility,
            language: language,
            mentions: mentions.map { MentionSnapshot(id: AccountID($0), username: account($0).username) },
            tags: PostText.tags(in: text),
            createdAt: PostID(id).timestamp,
            editedAt: editedAt,
            boostsCount: boosts,
            favouritesCount: favourites,
            version: version
        )
    }

    static func channel(
        _ id: Int64,
        in playground: Int64?,
        _ name: String,
        type: ChannelType = .public,
        version: Int64 = 1
    ) -> ChannelSnapshot {
        ChannelSnapshot(
            id: ChannelID(id),
            type: type,
            playgroundID: playground.map { PlaygroundID($0) },
            name: name,
            ownerID: nil,
            createdAt: now,
            version: version
        )
    }

    static func playground(_ id: Int64, _ name: String, version: Int64 = 1, open: Bool = false) -> PlaygroundSnapshot {
        PlaygroundSnapshot(
            id: PlaygroundID(id),
            name: name,
            ownerID: AccountID(1),
            createdAt: now,
            version: version,
            open: open
        )
    }

    static func message(_ id: Int64, by author: Int64, in channel: Int64, _ text: String, change: Int64 = 1)
        -> MessageSnapshot
    {
        MessageSnapshot(
            id: MessageID(id),
            channelID: ChannelID(channel),
            seq: 1,
            authorID: AccountID(author),
            text: text,
            createdAt: now,
            change: change
        )
    }

    static func project(
        _ id: Int64,
        by leader: Int64,
        _ title: String,
        text: String = "",
        state: ProjectState = .recruiting,
        tags: [String] = [],
        roles: [String] = [],
        place: String? = nil,
        version: Int64 = 1
    ) -> ProjectSnapshot {
        ProjectSnapshot(
            id: ProjectID(id),
            leaderID: AccountID(leader),
            state: state,
            title: title,
            text: text,
            tags: tags,
            roles: roles.enumerated().map { ProjectRole(id: ID(Int64($0.offset) + 1), name: $0.element, wanted: 1) },
            place: place,
            createdAt: now,
            version: version
        )
    }

    /// As posts tells of it, by how far it is.
    static func told(_ project: ProjectSnapshot) -> any Event {
        let leader = account(project.leaderID.rawValue)
        return switch project.state {
        case .draft: ProjectDrafted(leader: leader, project: project)
        case .recruiting: ProjectUpdated(leader: leader, project: project)
        case .closed: ProjectClosed(leader: leader, project: project)
        case .finished: ProjectFinished(leader: leader, project: project)
        }
    }

    static func record(
        _ id: Int64,
        by reader: Int64,
        of title: String,
        authors: [String] = [],
        isbn: String? = nil,
        review: String? = nil,
        visibility: RecordVisibility = .public,
        version: Int64 = 1
    ) -> RecordSnapshot {
        RecordSnapshot(
            id: RecordID(id),
            accountID: AccountID(reader),
            book: ShelfBookSnapshot(
                id: ShelfBookID(1),
                title: title,
                authors: authors,
                isbn: isbn.flatMap { ISBN($0) }
            ),
            state: .finished,
            review: review,
            visibility: visibility,
            version: version
        )
    }

    static func joined(_ account: Int64, channel: Int64?, playground: Int64? = nil, version: Int64 = 2) -> MemberJoined
    {
        MemberJoined(
            playgroundID: playground.map { PlaygroundID($0) },
            channelID: channel.map { ChannelID($0) },
            account: Self.account(account),
            role: .member,
            joinedAt: now,
            subjectVersion: version
        )
    }

    static func sent(_ message: MessageSnapshot, in channel: ChannelSnapshot) -> MessageSent {
        MessageSent(message: message, author: account(message.authorID.rawValue), channel: channel, recipientIDs: [])
    }
}
