// SPDX-License-Identifier: Apache-2.0
// A projection is rebuilt through a real broker from what its owner tells again.

import Domain
import Events
import Foundation
import Messaging
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Outbox

/// An owner with follows of one account, and an asker that keeps whom it follows.
struct Rebuilt: Sendable {
    static let queue = "notifications.activity"

    let owner: Database
    let yard: Yard

    var asker: Database { yard.database }

    /// Keeps follows by their target, the version and how often each was told again.
    static let follows = EventQueue(
        queue,
        rebuild: Rebuild(
            seen: { ($0 as? AccountFollowed).map { [Seen("follow", $0.targetID.rawValue)] } ?? [] },
            withdrawals: [UntoldRows(from: "kept", kind: "'follow'", "id")]
        ),
        [
            Reaction(to: AccountFollowed.self) { envelope, transaction in
                transaction.enqueue(
                    """
                    INSERT INTO kept (id, version, again)
                    VALUES (\(envelope.data.targetID), \(envelope.version), \(envelope.isRetold ? 1 : 0))
                    ON CONFLICT (id) DO UPDATE SET version = excluded.version, again = kept.again + excluded.again
                    WHERE excluded.version >= kept.version
                    """
                )
            },
            Reaction(to: AccountUnfollowed.self) { envelope, transaction in
                transaction.enqueue(
                    "DELETE FROM kept WHERE id = \(envelope.data.targetID) AND version <= \(envelope.version)"
                )
            },
        ]
    )

    static let teller = Teller("follows", tells: [AccountFollowed.self]) { place, transaction in
        let rows = try await transaction.query(
            "SELECT id, version FROM follows WHERE id > \(place[0]) ORDER BY id LIMIT \(place.limit)"
        ).all { (id: try $0.next(Int64.self), version: try $0.next(Int64.self)) }
        return Teller.Step(rows, limit: place.limit, key: { [$0.id] }) {
            [Teller.Fact(Rebuilt.followed($0.id, $0.version), at: Timestamp(milliseconds: 1000))]
        }
    }

    static func followed(_ target: Int64, _ version: Int64) -> AccountFollowed {
        let username = Username("somebody").unsafelyUnwrapped
        let actor = AccountSnapshot(
            id: AccountID(1),
            username: username,
            createdAt: Timestamp(milliseconds: 0),
            version: 1
        )
        return AccountFollowed(
            actor: actor,
            targetID: AccountID(target),
            followedAt: Timestamp(milliseconds: 1000),
            subjectVersion: version
        )
    }

    func exchange(owner broker: BrokerConfiguration? = nil) -> EventExchange {
        EventExchange(
            service: "posts",
            database: owner,
            broker: broker ?? yard.broker.configuration,
            queues: [],
            tellers: [Rebuilt.teller],
            metrics: .init(),
            logger: quiet
        )
    }

    /// Whom the owner follows, as it would without a rebuild.
    func follow(_ ids: ClosedRange<Int>) async throws {
        _ = try await owner.query(
            "INSERT INTO follows (id, version) SELECT id, 5 FROM generate_series(\(ids.lowerBound), \(ids.upperBound)) id"
        )
    }

    func command(_ say: @escaping @Sendable (String) -> Void = { _ in }) -> RebuildCommand {
        RebuildCommand(service: "notifications", queues: [], database: yard.reader, say: say)
    }

    func kept() async throws -> [[Int]] {
        try await yard.reader.query("SELECT id, version, again FROM kept ORDER BY id").all {
            [try $0.next(), try $0.next(), try $0.next()]
        }
    }

    func state() async throws -> RebuildRow? {
        try await RebuildStore.all(in: yard.reader).first { $0.queue == Rebuilt.queue }
    }

    static func run(_ body: @escaping @Sendable (Rebuilt) async throws -> Void) async throws {
        try await withYard { yard in
            _ = try await yard.database.query(
                "CREATE TABLE kept (id bigint PRIMARY KEY, version bigint NOT NULL, again bigint NOT NULL)"
            )
            var configuration = yard.configuration
            configuration.schema = "posts"
            _ = try await Migrator(configuration, sources: [outboxMigrations], logger: quiet).migrate()
            try await running(configuration) { owner, _ in
                _ = try await owner.query("CREATE TABLE follows (id bigint PRIMARY KEY, version bigint NOT NULL)")
                try await body(Rebuilt(owner: owner, yard: yard))
            }
        }
    }
}

private final class Lines: Sendable {
    private let lines = Mutex([String]())
    var all: [String] { lines.withLock { $0 } }
    func say(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite(.serialized) struct RebuildTests {
    @Test func `missing rows come, damaged ones are mended, and what nobody told of goes`() async throws {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.follow(1...3000)
            _ = try await rebuilt.asker.query(
                """
                INSERT INTO kept SELECT id, CASE WHEN id % 2 = 0 THEN 5 ELSE 1 END, 0
                FROM generate_series(2000, 7000) id
                """
            )
            let lines = Lines()
            let services = rebuilt.exchange().services + rebuilt.yard.exchange([Rebuilt.follows]).services
            try await whileRunning(services) {
                try await eventually("the queue is known") { try await rebuilt.state() != nil }
                try await rebuilt.command(lines.say).run()
            }
            #expect(try await rebuilt.kept() == (1...3000).map { [$0, 5, 1] })
            #expect(try await rebuilt.state()?.removed == 4000)
            #expect(lines.all.last == "notifications.activity: done, applied of posts 3000 of 3000; removed 4000")
            while try await RebuildStore.forgetSeen(in: rebuilt.asker) > 0 {}
            #expect(try await rebuilt.yard.count("SELECT count(*) FROM rebuild_seen") == 0)
            #expect(try await rebuilt.yard.count("SELECT count(*) FROM dead_letters") == 0)
        }
    }

    @Test func `an owner that is down when it is asked tells when it is back`() async throws {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.follow(1...300)
            _ = try await rebuilt.asker.query("INSERT INTO kept VALUES (900, 5, 0)")
            try await whileRunning(rebuilt.yard.exchange([Rebuilt.follows]).services) {
                try await eventually("the queue is known") { try await rebuilt.state() != nil }
                try await RebuildStore.ask([], in: rebuilt.yard.reader)
                try await eventually("it is asked") { try await rebuilt.state()?.state == .retelling }
                // Stale, and never empty.
                #expect(try await rebuilt.kept() == [[900, 5, 0]])
                try await whileRunning(rebuilt.exchange().services) { try await rebuilt.command().run() }
            }
            #expect(try await rebuilt.kept() == (1...300).map { [$0, 5, 1] })
        }
    }

    @Test func `whatever stops in the middle goes on where it was`() async throws {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.follow(1...4000)
            _ = try await rebuilt.asker.query("INSERT INTO kept SELECT id, 1, 0 FROM generate_series(3990, 4500) id")
            var rounds = 0
            while try await rebuilt.state()?.state != .finished {
                rounds += 1
                try #require(rounds < 60)
                let services = rebuilt.exchange().services + rebuilt.yard.exchange([Rebuilt.follows]).services
                let before = try await rebuilt.kept().count { $0[2] > 0 }
                let isFirst = rounds == 1
                try await whileRunning(services) {
                    if isFirst {
                        try await eventually("the queue is known") { try await rebuilt.state() != nil }
                        try await RebuildStore.ask([], in: rebuilt.yard.reader)
                    }
                    try await eventually("it has come further") {
                        let now = try await rebuilt.kept().count { $0[2] > 0 }
                        if now > before + 300 || now == 4000 && before < 4000 { return true }
                        return try await rebuilt.state()?.state == .finished
                    }
                }
            }
            #expect(rounds > 2)
            let kept = try await rebuilt.kept()
            #expect(kept.map { [$0[0], $0[1]] } == (1...4000).map { [$0, 5] })
            let owners = try await RebuildStore.owners(of: [Rebuilt.queue], in: rebuilt.yard.reader)
            #expect(owners.map(\.applied) == [4000] && owners.map(\.told) == [4000])
        }
    }

    @Test func `what happens meanwhile stays, and what was told before it is over does not end it`() async throws {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.follow(1...10)
            let keeper = RebuildKeeper(
                service: "notifications",
                queues: [Rebuilt.follows],
                database: rebuilt.asker,
                metrics: .init(),
                logger: quiet
            )
            try await RebuildStore.register([Rebuilt.queue], in: rebuilt.asker)
            try await RebuildStore.ask([], in: rebuilt.asker)
            #expect(try await !keeper.step(Rebuilt.follows))
            let id = try #require(try await rebuilt.state()?.id)
            func apply(_ event: some Event, for rebuildID: String?) async throws {
                let envelope = Envelope(
                    id: EventID.new(),
                    time: .now(),
                    traceparent: nil,
                    retelling: rebuildID,
                    data: event
                )
                _ = try await Rebuilt.follows.apply(try envelope.message(), in: rebuilt.asker)
            }
            _ = try await rebuilt.asker.query("INSERT INTO kept VALUES (1, 5, 0), (2, 5, 0), (70, 5, 0)")
            // Live, of a row that no owner will tell of in this rebuild; and again, for another one.
            try await apply(Rebuilt.followed(500, 6), for: nil)
            try await apply(Rebuilt.followed(2, 5), for: EventID.new())
            // The end comes before what it counts.
            let end = RetellingFinished<RetellingOwners.Posts>(queue: Rebuilt.queue, rebuildID: id, told: 1)
            let older = RetellingFinished<RetellingOwners.Posts>(
                queue: Rebuilt.queue,
                rebuildID: EventID.new(at: Timestamp(milliseconds: 1)),
                told: 0
            )
            try await apply(older, for: older.rebuildID)
            try await apply(end, for: id)
            #expect(try await !keeper.step(Rebuilt.follows))
            #expect(try await rebuilt.state()?.state == .retelling)
            try await apply(Rebuilt.followed(1, 5), for: id)
            while try await keeper.step(Rebuilt.follows) {}
            #expect(try await rebuilt.state()?.state == .finished)
            #expect(try await rebuilt.kept() == [[1, 5, 1], [2, 5, 1], [500, 6, 0]])
        }
    }

    @Test func `a rebuild is given up, and the next begins anew`() async throws {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.follow(1...2000)
            try await whileRunning(rebuilt.yard.exchange([Rebuilt.follows]).services) {
                try await eventually("the queue is known") { try await rebuilt.state() != nil }
                try await RebuildStore.ask([], in: rebuilt.yard.reader)
                try await eventually("it is asked") { try await rebuilt.state()?.state == .retelling }
                let first = try await rebuilt.state()?.id
                let lines = Lines()
                try await rebuilt.command(lines.say).abandon()
                // The queue may have noticed before the command looks.
                #expect(
                    ["abandoning", "abandoned"].map { ["notifications.activity: \($0)"] }.contains(lines.all),
                    "\(lines.all)"
                )
                try await eventually("it is given up") { try await rebuilt.state()?.state == .abandoned }
                try await whileRunning(rebuilt.exchange().services) { try await rebuilt.command().run() }
                #expect(try await rebuilt.state()?.id != first)
            }
            #expect(try await rebuilt.kept() == (1...2000).map { [$0, 5, 1] })
            await #expect(throws: RebuildCommand.Nothing.self) {
                try await RebuildCommand(
                    service: "notifications",
                    queues: ["posts.accounts"],
                    database: rebuilt.yard.reader,
                    say: { _ in }
                ).run()
            }
        }
    }

    @Test func `what a relay of the release before publishes arrives all the same`() async throws {
        try await Rebuilt.run { rebuilt in
            try await rebuilt.owner.transaction { transaction in
                try transaction.retell(Rebuilt.followed(4, 5), at: .now(), to: Rebuilt.queue, for: EventID.new())
            }
            // As it reads and publishes a row: the exchange is the audience, the key the type.
            let row = try #require(
                try await rebuilt.owner.query("SELECT event_id::text, type, audience, envelope FROM outbox").one {
                    (
                        id: try $0.next(String.self), type: try $0.next(String.self),
                        audience: try $0.next(String.self), envelope: try $0.next([UInt8].self)
                    )
                }
            )
            var message = Message(exchange: row.audience, routingKey: row.type, id: row.id, body: row.envelope)
            (message.persistent, message.mandatory) = (false, false)
            let told = message
            let publisher = Publisher(try await rebuilt.yard.broker.user("posts"), logger: quiet)
            try await whileRunning(rebuilt.yard.exchange([Rebuilt.follows]).services + [publisher]) {
                #expect(try await publisher.publish([told]) == [.confirmed])
                try await eventually("it is applied") { try await rebuilt.kept() == [[4, 5, 1]] }
            }
        }
    }

    @Test func `nobody retells what another owns, nor asks for another's queue`() async throws {
        try await Rebuilt.run { rebuilt in
            // By the broker: the key says whose event it is, in whatever queue.
            let publisher = Publisher(try await rebuilt.yard.broker.user("chat"), window: 1, logger: quiet)
            try await whileRunning([publisher]) {
                for (key, may) in [
                    ("notifications.activity.chat.MessageSent.v1", true),
                    ("notifications.activity.posts.AccountFollowed.v1", false),
                    ("chat.projections.auth.AccountRegistered.v1", false), ("posts.AccountFollowed.v1", false),
                ] {
                    let outcome = try await publisher.publish([
                        Message(exchange: "retold", routingKey: key, id: "1", body: [])
                    ])[0]
                    #expect((outcome == .confirmed) == may, "\(key): \(outcome)")
                }
            }
            // By what the body says.
            let id = EventID.new()
            let delivery = { (key: String, exchange: String, body: [UInt8]) in
                Delivery(exchange: exchange, routingKey: key, messageID: id, body: body, redelivered: false)
            }
            let body = try Envelope(
                id: id,
                time: .now(),
                traceparent: nil,
                retelling: EventID.new(),
                data: Rebuilt.followed(4, 5)
            ).message()
            let type = AccountFollowed.type
            #expect(throws: Unacceptable.self) { try Rebuilt.follows.read(delivery(type, "events", body)) }
            #expect(throws: Unacceptable.self) {
                try Rebuilt.follows.read(delivery("\(Rebuilt.queue).chat.MessageSent.v1", "retold", body))
            }
            guard case .known = try Rebuilt.follows.read(delivery("\(Rebuilt.queue).\(type)", "retold", body)) else {
                Issue.record("not known")
                return
            }
            // An asker asks for queues of its own.
            let foreign = RebuildAdvanced<RebuildAskers.Chat>(
                queue: Rebuilt.queue,
                rebuildID: id,
                types: [type],
                applied: [],
                subjectVersion: 1
            )
            await #expect(throws: Unacceptable.self) {
                try await EventQueue.retelling(of: "posts", [Rebuilt.teller]).apply(
                    try envelope(foreign),
                    in: rebuilt.owner
                )
            }
        }
    }
}
