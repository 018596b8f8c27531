// SPDX-License-Identifier: Apache-2.0
// The SQL of `erasures`.

public import Domain
public import Postgres

/// How far the erasing of an account is.
struct Erasure: Sendable {
    let accountID: AccountID
    /// Which step comes next.
    var step: Int
    /// Things that this round has erased.
    var erased: Int64
    /// Rounds that are done.
    var rounds: Int
    /// Failed tries of the next step.
    let attempts: Int
    let isTold: Bool

    static let columns: SQL = "account_id, step, erased, rounds, attempts, told_at IS NOT NULL"
}

/// Statements on `erasures`.
public enum ErasingStore {
    /// Whether an account was deleted: what is told of it late changes nothing.
    public static func isGone(_ account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.query("SELECT FROM erasures WHERE account_id = \(account)").count > 0
    }

    static func note(_ account: AccountID, in transaction: some Transacting) {
        transaction.enqueue("INSERT INTO erasures (account_id) VALUES (\(account)) ON CONFLICT DO NOTHING")
    }

    /// Takes up what waits longest and no other process is at.
    static func next(in transaction: some Transacting) async throws -> Erasure? {
        try await transaction.query(
            """
            SELECT \(Erasure.columns)
            FROM erasures
            WHERE due_at <= statement_timestamp()
            ORDER BY due_at
            LIMIT 1
            FOR UPDATE SKIP LOCKED
            """
        ).one(as: Erasure.init)
    }

    /// - Parameter pause: seconds until the next step; nil after the last one.
    static func keep(_ erasure: Erasure, pause: Int64?, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE erasures
            SET step = \(erasure.step), erased = \(erasure.erased), rounds = \(erasure.rounds), attempts = 0, reason = NULL,
                told_at = CASE WHEN \(erasure.isTold) THEN coalesce(told_at, statement_timestamp()) END,
                due_at = statement_timestamp() + CAST(\(pause) AS bigint) * interval '1 second'
            WHERE account_id = \(erasure.accountID)
            """
        )
    }

    /// Puts off what failed, for longer each time, ten minutes at most. It begins anew: what came meanwhile may be the reason.
    static func putOff(_ erasure: Erasure, reason: String, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE erasures
            SET attempts = attempts + 1, step = 0,
                due_at = statement_timestamp() + least(power(2, least(attempts, 20)), 600) * interval '1 second',
                reason = \(reason)
            WHERE account_id = \(erasure.accountID)
            """
        )
    }

    /// How many accounts are not known to be erased, and for how many seconds the oldest waits.
    static func backlog(in database: some Querying) async throws -> (waiting: Int64, age: Int64, isDue: Bool) {
        try await database.query(
            """
            SELECT
                count(*), coalesce(extract(epoch FROM now() - min(heard_at)), 0)::bigint,
                EXISTS (SELECT FROM erasures WHERE due_at <= statement_timestamp())
            FROM erasures
            WHERE told_at IS NULL
            """
        ).one { (try $0.next(), try $0.next(), try $0.next()) } ?? (0, 0, false)
    }
}
