// SPDX-License-Identifier: Apache-2.0
// Makes an event's effect happen once, however often it is delivered.

import Events
import Postgres
import ServiceKit
import Synchronization

/// The events that one consumer has handled.
struct Inbox: Sendable {
    struct History: Sendable {
        struct Noted: Sendable {
            let attempts: Int
            let reason: String
        }

        var handled: Set<String> = []
        /// Those that went to the dead letters.
        var dead: Set<String> = []
        var noted: [String: Noted] = [:]
    }

    /// What is remembered from one batch to the next.
    private final class Memory: Sendable {
        /// Attempts noted beforehand that came to nothing by no event's fault, and that could not be taken back then.
        let debts = Mutex<Set<String>>([])
        /// Whether a rebuild was under way when last looked.
        let isRebuilt = Atomic(false)
    }

    let consumer: String
    let database: Database
    private let prepare: EventQueue.Prepare?
    private let rebuild: Rebuild?
    private let memory = Memory()

    init(_ queue: EventQueue, database: Database) {
        consumer = queue.name
        prepare = queue.prepare
        rebuild = queue.rebuild
        self.database = database
    }

    /// Claims the events and applies those that are new, in their order, all in one transaction, which also forgets
    /// what was noted of their attempts.
    ///
    /// Nearly always all of them are new and nothing is rebuilt. So they are applied before it is known, and what they do travels
    /// with the claim; when it turns out otherwise, or they fail, nothing of it has happened, and the claim goes first.
    ///
    /// - Returns: the ids of the new ones.
    func apply(_ arrivals: [Arrival], within deadline: Duration? = nil) async throws -> Set<String> {
        if !memory.isRebuilt.load(ordering: .relaxed) {
            do {
                return try await applyAsNew(arrivals, within: deadline)
            } catch {
                guard Inbox.mayBeOfHaste(error) else { throw error }
            }
        }
        return try await database.transaction(deadline: deadline) { transaction in
            let (new, rebuildID) = try Inbox.claimed(await transaction.query(claim(arrivals.map(\.id))))
            memory.isRebuilt.store(rebuildID != nil, ordering: .relaxed)
            Failpoint.reach("consumer.claimed")
            var waiting = new
            let fresh = arrivals.filter { waiting.remove($0.id) != nil }
            try await react(to: fresh, during: rebuildID, in: transaction)
            return new
        }
    }

    /// Applies events that are claimed in the same round trip. Throws `NotAsTaken` unless all of them are new and nothing is rebuilt.
    private func applyAsNew(_ arrivals: [Arrival], within deadline: Duration?) async throws -> Set<String> {
        try await database.transaction(deadline: deadline) { transaction in
            let claim = transaction.ask(claim(arrivals.map(\.id)))
            try await react(to: arrivals, during: nil, in: transaction)
            let (new, rebuildID) = try Inbox.claimed(await transaction.answer(to: claim))
            guard rebuildID == nil, new.count == arrivals.count else { throw NotAsTaken() }
            Failpoint.reach("consumer.claimed")
            return new
        }
    }

    /// Events were applied that had been handled, or without what a rebuild needs.
    private struct NotAsTaken: Error {}

    /// Whether events may have failed because they had been handled. Who was in the way, or away, would be so again.
    private static func mayBeOfHaste(_ error: any Error) -> Bool {
        if error is CancellationError || Task.isCancelled { return false }
        return switch (error as? PostgresError)?.kind {
        case .own, nil: true
        case .away, .slow, .conflict: false
        }
    }

    /// Applies events that are claimed.
    ///
    /// - Parameter rebuildID: the rebuild of this queue that is under way. What it withdraws in the end is what nobody told
    ///   of meanwhile, and it waits for whoever is telling.
    private func react(to arrivals: [Arrival], during rebuildID: String?, in transaction: Transaction) async throws {
        if arrivals.isEmpty { return }
        if rebuildID != nil { RebuildStore.holdWithdrawals(from: consumer, in: transaction) }
        if let prepare { try await prepare(arrivals, transaction) }
        for arrival in arrivals {
            Failpoint.reach("consumer.applying", with: arrival.id)
            try await TraceContext.$current.withValue(arrival.trace) { try await arrival.apply(transaction) }
        }
        guard let rebuild, let rebuildID else { return }
        // Last, in the order of their keys: whoever waits for these holds nothing that others wait for but these.
        RebuildStore.keep(Set(arrivals.flatMap { rebuild.seen($0.event) }), for: rebuildID, in: transaction)
        let counted = arrivals.filter { $0.retelling == rebuildID && !($0.event is any RetellingEnd) }
        let owners = Dictionary(grouping: counted) { type(of: $0.event).owner }
        for (owner, told) in owners.sorted(by: { $0.key < $1.key }) {
            RebuildStore.count(told.count, of: owner, to: consumer, in: transaction)
        }
    }

    private func claim(_ ids: [String]) -> SQL {
        let underWay: SQL = rebuild == nil ? "NULL::text" : RebuildStore.underWay(consumer)
        return """
            WITH claimed AS (
                INSERT INTO inbox (consumer, event_id)
                SELECT \(consumer), CAST(id AS uuid) FROM unnest(\(ids)) AS id
                ON CONFLICT DO NOTHING
                RETURNING event_id
            ), forgotten AS (
                DELETE FROM delivery_attempts WHERE queue = \(consumer) AND event_id = ANY(\(ids))
            )
            SELECT id, \(underWay) FROM unnest(\(ids)) AS id WHERE CAST(id AS uuid) IN (SELECT event_id FROM claimed)
            """
    }

    /// - Returns: the ids of the new ones and, if any is, the rebuild that is under way.
    private static func claimed(_ rows: Rows) throws -> (Set<String>, String?) {
        let claimed = try rows.all { (id: try $0.next(String.self), rebuild: try $0.next(String?.self)) }
        return (Set(claimed.map(\.id)), claimed.first?.rebuild)
    }

    // MARK: Attempts

    /// What is known of events that were delivered before.
    func history(of ids: [String]) async throws -> History {
        let owed = memory.debts.withLock { owed in
            let mine = owed.intersection(ids)
            owed.subtract(mine)
            return mine
        }
        if !owed.isEmpty {
            do {
                try await takeBack(Array(owed))
            } catch {
                owe(Array(owed))
                throw error
            }
        }
        let rows = try await database.query(
            """
            SELECT id, handled.event_id IS NOT NULL, dead.event_id IS NOT NULL, coalesce(noted.attempts, 0),
                coalesce(noted.reason, '')
            FROM unnest(\(ids)) AS id
            LEFT JOIN inbox AS handled ON handled.consumer = \(consumer) AND handled.event_id = CAST(id AS uuid)
            LEFT JOIN delivery_attempts AS noted ON noted.queue = \(consumer) AND noted.event_id = id
            LEFT JOIN dead_letters AS dead ON dead.queue = \(consumer) AND dead.event_id = id
            WHERE handled.event_id IS NOT NULL OR noted.event_id IS NOT NULL OR dead.event_id IS NOT NULL
            """
        )
        var history = History()
        _ = try rows.all { columns in
            let id: String = try columns.next()
            if try columns.next(Bool.self) { history.handled.insert(id) }
            if try columns.next(Bool.self) { history.dead.insert(id) }
            let noted = History.Noted(attempts: try columns.next(), reason: try columns.next())
            if noted.attempts > 0 { history.noted[id] = noted }
        }
        return history
    }

    /// Notes that events are about to be tried although one of them may end the process.
    func noteAttempts(_ ids: [String], reason: String) async throws {
        _ = try await database.query(
            """
            INSERT INTO delivery_attempts AS noted (queue, event_id, attempts, reason)
            SELECT \(consumer), id, 1, \(reason) FROM unnest(\(ids)) AS id GROUP BY id ORDER BY id
            ON CONFLICT (queue, event_id) DO UPDATE
            SET attempts = noted.attempts + 1, reason = excluded.reason, last_at = now()
            """
        )
    }

    /// Notes why an event failed.
    ///
    /// - Parameter isNoted: whether the attempt itself is noted already.
    /// - Returns: how many attempts have been noted.
    func noteFailure(_ id: String, reason: String, isNoted: Bool) async throws -> Int {
        let reason = storable(reason)
        return try await database.query(
            """
            INSERT INTO delivery_attempts AS noted (queue, event_id, attempts, reason)
            VALUES (\(consumer), \(id), 1, \(reason))
            ON CONFLICT (queue, event_id) DO UPDATE
            SET attempts = noted.attempts + \(isNoted ? 0 : 1), reason = excluded.reason, last_at = now()
            RETURNING attempts
            """
        ).one { try $0.next() } ?? 1
    }

    /// Takes back an attempt of each that was noted beforehand.
    func takeBack(_ ids: [String]) async throws {
        _ = try await database.query(
            """
            WITH less AS (
                UPDATE delivery_attempts SET attempts = attempts - 1
                WHERE queue = \(consumer) AND event_id = ANY(\(ids)) AND attempts > 1
            )
            DELETE FROM delivery_attempts WHERE queue = \(consumer) AND event_id = ANY(\(ids)) AND attempts <= 1
            """
        )
    }

    /// Takes back an attempt of each as soon as they come again; until then the database may be away.
    func owe(_ ids: [String]) { memory.debts.withLock { $0.formUnion(ids) } }

    /// Notes why an event goes to the dead letters; if it is replayed, its attempts begin anew.
    ///
    /// - Parameter attempted: the id by which its attempts were noted.
    func noteDeath(_ key: String, attempted: String, type: String, reason: String) async throws {
        _ = try await database.query(
            """
            WITH forgotten AS (DELETE FROM delivery_attempts WHERE queue = \(consumer) AND event_id = \(attempted))
            INSERT INTO dead_letters (queue, event_id, type, reason)
            VALUES (\(consumer), \(key), \(type), \(reason))
            ON CONFLICT (queue, event_id) DO UPDATE
            SET type = excluded.type, reason = excluded.reason, died_at = now()
            """
        )
    }

    // MARK: Events of types that nobody here knows

    func keepWaiting(_ id: String, type: String, envelope: [UInt8]) async throws {
        _ = try await database.query(
            """
            INSERT INTO waiting_events (queue, event_id, type, envelope)
            VALUES (\(consumer), \(id), \(type), \(envelope))
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Events that wait although their type is known now, the oldest first.
    func waiting(of types: [String], limit: Int) async throws -> [(id: String, type: String, envelope: [UInt8])] {
        try await database.query(
            """
            SELECT event_id, type, envelope
            FROM waiting_events
            WHERE queue = \(consumer) AND type = ANY(\(types)) AND attempts < \(EventConsumer.attempts)
            ORDER BY arrived_at, event_id
            LIMIT \(limit)
            """
        ).all { (id: try $0.next(), type: try $0.next(), envelope: try $0.next()) }
    }

    /// Applies an event that waited, and forgets it.
    func applyWaiting(_ id: String, _ arrival: Arrival) async throws {
        _ = try await database.transaction { transaction in
            let held = try await transaction.query(
                """
                DELETE FROM waiting_events WHERE queue = \(consumer) AND event_id = \(id)
                RETURNING event_id
                """
            )
            // Another copy of this process may have been faster.
            guard !held.isEmpty else { return }
            let (new, rebuildID) = try Inbox.claimed(await transaction.query(claim([arrival.id])))
            if !new.isEmpty { try await react(to: [arrival], during: rebuildID, in: transaction) }
        }
    }

    /// Notes that an event that waited failed; when it has failed often enough it waits for the operator.
    func waitOn(_ id: String, reason: String) async throws {
        _ = try await database.query(
            """
            UPDATE waiting_events SET attempts = attempts + 1, reason = \(storable(reason))
            WHERE queue = \(consumer) AND event_id = \(id)
            """
        )
    }

    /// How many events wait, by their queues.
    static func countWaiting(in database: Database) async throws -> [String: Int] {
        let counts = try await database.query("SELECT queue, count(*) FROM waiting_events GROUP BY queue").all { row in
            (try row.next(String.self), try row.next(Int.self))
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }
}
