// SPDX-License-Identifier: Apache-2.0
// The SQL of rebuilds: of which queues, how far they are, and who was told of.

import Events
import Postgres

/// How a rebuild stands.
enum RebuildState: String, Sendable {
    case idle
    /// An operator wants it.
    case asked
    case retelling
    /// Everything that was told again is applied: what nobody told of goes.
    case withdrawing
    case finished
    /// An operator wants it no more.
    case abandoning
    case abandoned

    var isUnderWay: Bool { self != .idle && self != .finished && self != .abandoned }
}

/// A queue and its newest rebuild.
struct RebuildRow: Sendable {
    let queue: String
    let id: String?
    /// A `RebuildState`, perhaps one of a later release.
    let word: String
    let version: Int64
    let withdrawn: Int
    let removed: Int64

    var state: RebuildState { RebuildState(rawValue: word) ?? .idle }

    static let columns: SQL = "queue, CAST(rebuild_id AS text), state, version, withdrawn::bigint, removed"
}

/// What an owner has told for a rebuild.
struct RebuildOwner: Sendable {
    let queue: String
    let owner: String
    /// Nil until it has told everything.
    let told: Int64?
    let applied: Int64
    let announced: Int64

    var isDone: Bool { told.map { applied >= $0 } ?? false }

    static let columns: SQL = "queue, owner, told, applied, announced"
}

enum RebuildStore {
    // MARK: As a consumer

    /// The rebuild of a queue that is under way, as a value.
    static func underWay(_ queue: String) -> SQL {
        """
        (
            SELECT CAST(rebuild_id AS text) FROM rebuilds
            WHERE queue = \(queue) AND state IN ('retelling', 'withdrawing')
        )
        """
    }

    /// Holds back whoever withdraws what nobody told of, until this transaction ends.
    static func holdWithdrawals(from queue: String, in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock_shared(\(lockKey("rebuild/" + queue)))")
    }

    /// Notes rows of which somebody told.
    static func keep(_ seen: Set<Seen>, for rebuildID: String, in transaction: some Transacting) {
        if seen.isEmpty { return }
        let rows = Array(seen)
        transaction.enqueue(
            """
            INSERT INTO rebuild_seen (rebuild_id, kind, a, b, c)
            SELECT CAST(\(rebuildID) AS uuid), kind, a, b, c
            FROM unnest(\(rows.map(\.kind)), \(rows.map(\.a)), \(rows.map(\.b)), \(rows.map(\.c))) AS seen (kind, a, b, c)
            ORDER BY kind, a, b, c
            ON CONFLICT DO NOTHING
            """
        )
    }

    static func count(_ applied: Int, of owner: String, to queue: String, in transaction: some Transacting) {
        transaction.enqueue(
            "UPDATE rebuild_owners SET applied = applied + \(applied) WHERE queue = \(queue) AND owner = \(owner)"
        )
    }

    /// Notes how much an owner told, unless it is for another rebuild.
    static func end<End: RetellingEnd>(_ end: End, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE rebuild_owners SET told = \(end.told)
            WHERE queue = \(end.queue) AND owner = \(End.owner)
                AND EXISTS (
                    SELECT FROM rebuilds WHERE queue = \(end.queue) AND rebuild_id = CAST(\(end.rebuildID) AS uuid)
                )
            """
        )
    }

    // MARK: As an operator

    /// Asks for a rebuild of these queues, or of all, where none is under way.
    static func ask(_ queues: [String], in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE rebuilds SET state = 'asked'
            WHERE state IN ('idle', 'finished', 'abandoned') AND (\(queues.isEmpty) OR queue = ANY (\(queues)))
            """
        )
    }

    static func abandon(_ queues: [String], in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE rebuilds SET state = CASE state WHEN 'asked' THEN 'abandoned' ELSE 'abandoning' END
            WHERE state IN ('asked', 'retelling') AND (\(queues.isEmpty) OR queue = ANY (\(queues)))
            """
        )
    }

    static func all(in database: some Querying) async throws -> [RebuildRow] {
        try await database.query("SELECT \(RebuildRow.columns) FROM rebuilds ORDER BY queue").all(as: RebuildRow.init)
    }

    static func owners(of queues: [String], in database: some Querying) async throws -> [RebuildOwner] {
        try await database.query(
            "SELECT \(RebuildOwner.columns) FROM rebuild_owners WHERE queue = ANY (\(queues)) ORDER BY queue, owner"
        ).all(as: RebuildOwner.init)
    }

    // MARK: As who carries it out

    /// Makes the rows of queues that can be rebuilt.
    static func register(_ queues: [String], in database: some Querying) async throws {
        _ = try await database.query(
            "INSERT INTO rebuilds (queue) SELECT unnest(\(queues)) ON CONFLICT DO NOTHING"
        )
    }

    /// Holds a queue's row until the end of the transaction; nil when another process does.
    static func take(_ queue: String, in transaction: some Transacting) async throws -> RebuildRow? {
        try await transaction.query(
            "SELECT \(RebuildRow.columns) FROM rebuilds WHERE queue = \(queue) FOR UPDATE SKIP LOCKED"
        ).one(as: RebuildRow.init)
    }

    static func start(_ queue: String, as id: String, owners: [String], in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM rebuild_owners WHERE queue = \(queue)")
        transaction.enqueue(
            "INSERT INTO rebuild_owners (queue, owner) SELECT \(queue), owner FROM unnest(\(owners)) AS o (owner)"
        )
        transaction.enqueue(
            """
            UPDATE rebuilds
            SET rebuild_id = CAST(\(id) AS uuid), state = 'retelling', version = version + 1, withdrawn = 0, removed = 0,
                started_at = now(), ended_at = NULL
            WHERE queue = \(queue)
            """
        )
    }

    /// Notes that owners were told how much of theirs is applied.
    static func announce(_ owners: [RebuildOwner], in transaction: some Transacting) {
        guard let queue = owners.first?.queue else { return }
        transaction.enqueue("UPDATE rebuilds SET version = version + 1 WHERE queue = \(queue)")
        transaction.enqueue(
            """
            UPDATE rebuild_owners o SET announced = a.applied
            FROM unnest(\(owners.map(\.owner)), \(owners.map(\.applied))) AS a (owner, applied)
            WHERE o.queue = \(queue) AND o.owner = a.owner
            """
        )
    }

    static func set(_ state: RebuildState, of queue: String, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE rebuilds
            SET state = \(state.rawValue), version = version + 1,
                ended_at = CASE WHEN \(state.isUnderWay) THEN NULL ELSE now() END
            WHERE queue = \(queue)
            """
        )
    }

    /// Waits for every consumer of the queue, and holds them back until the end of the transaction.
    static func holdConsumers(of queue: String, in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(\(lockKey("rebuild/" + queue)))")
    }

    /// Some rows of which nobody has told so far, by where they lie.
    static func untold(_ withdrawal: UntoldRows, in id: String, _ database: some Querying) async throws -> [String] {
        try await database.query(
            "SELECT CAST(ctid AS text) FROM \(withdrawal.table) WHERE \(withdrawal.isUntold(id)) LIMIT 5000"
        ).all { try $0.next() }
    }

    /// Removes those of the rows of which nobody has told by now.
    static func remove(
        _ rows: [String],
        _ withdrawal: UntoldRows,
        in id: String,
        _ transaction: some Transacting
    ) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM \(withdrawal.table)
            WHERE ctid = ANY (CAST(\(rows) AS tid[])) AND \(withdrawal.isUntold(id))
            """
        ).affected
    }

    /// Notes that rows went, and whether the table is done.
    static func withdrew(_ rows: Int, isLast: Bool, from queue: String, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE rebuilds SET removed = removed + \(rows), withdrawn = withdrawn + \(isLast ? 1 : 0)
            WHERE queue = \(queue)
            """
        )
    }

    /// Forgets some of what was told of during rebuilds that are over.
    ///
    /// - Returns: how much.
    static func forgetSeen(in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM rebuild_seen
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM rebuild_seen
                WHERE rebuild_id NOT IN (
                    SELECT rebuild_id FROM rebuilds WHERE state IN ('retelling', 'withdrawing', 'abandoning')
                )
                LIMIT 5000
            ))
            """
        ).affected
    }
}
