// SPDX-License-Identifier: Apache-2.0
// The SQL of `departures` and of what services answer.

import Domain
import Postgres
import Serving

/// Accounts that are asked to be deleted, and those that were.
enum DepartureStore {
    struct Departure: Sendable {
        let accountID: AccountID
        /// When the grace ends.
        let deletion: Timestamp
        /// Since when nobody can come back.
        let begun: Timestamp?
        /// Failed tries of the next step.
        let attempts: Int

        static let columns: SQL = "account_id, deletion_at, begun_at, attempts"
    }

    /// Of two that ask, the earlier moment holds.
    ///
    /// - Returns: when the account will be deleted.
    static func ask(
        _ account: AccountID,
        deletion: Timestamp,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Timestamp {
        try await transaction.query(
            """
            INSERT INTO departures AS d (account_id, asked_at, deletion_at, due_at)
            VALUES (\(account), \(now), \(deletion), \(deletion))
            ON CONFLICT (account_id) DO UPDATE
            SET deletion_at = least(d.deletion_at, excluded.deletion_at), due_at = least(d.due_at, excluded.due_at)
            RETURNING d.deletion_at
            """
        ).one { try $0.next() } ?? deletion
    }

    /// - Returns: whether there was one that could be stopped.
    static func stop(_ account: AccountID, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query("DELETE FROM departures WHERE account_id = \(account) AND begun_at IS NULL")
            .affected == 1
    }

    /// Whether the grace of an account is over.
    static func hasBegun(_ account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.query(
            "SELECT FROM departures WHERE account_id = \(account) AND begun_at IS NOT NULL"
        ).count > 0
    }

    /// The one that is due longest, which nobody else takes until the transaction ends.
    static func next(at now: Timestamp, in transaction: some Transacting) async throws -> Departure? {
        try await transaction.query(
            """
            SELECT \(Departure.columns)
            FROM departures
            WHERE due_at <= \(now)
            ORDER BY due_at
            LIMIT 1
            FOR UPDATE SKIP LOCKED
            """
        ).one(as: Departure.init)
    }

    static func begin(_ account: AccountID, now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            "UPDATE departures SET begun_at = \(now), due_at = \(now), attempts = 0 WHERE account_id = \(account)"
        )
    }

    static func finish(_ account: AccountID, now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE departures SET deleted_at = \(now), due_at = NULL, attempts = 0, reason = NULL
            WHERE account_id = \(account)
            """
        )
    }

    static func wait(_ account: AccountID, until due: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            "UPDATE departures SET due_at = \(due), attempts = 0, reason = NULL WHERE account_id = \(account)"
        )
    }

    /// Puts off a step that failed, for longer each time, an hour at most.
    static func putOff(
        _ account: AccountID,
        reason: String,
        now: Timestamp,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            UPDATE departures
            SET attempts = attempts + 1, reason = \(reason),
                due_at = \(now) + least(power(2, least(attempts, 20)), 3600) * interval '1 second'
            WHERE account_id = \(account)
            """
        )
    }

    /// Notes that a service has nothing left; one that says so of somebody unknown is not noted.
    static func note(answerOf service: String, for account: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO departure_answers (account_id, service)
            SELECT account_id, \(service) FROM departures WHERE account_id = \(account)
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// - Parameter services: those that are waited for.
    static func close(
        _ account: AccountID,
        onceAnswered services: [String],
        now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE departures
            SET erased_at = \(now)
            WHERE account_id = \(account) AND deleted_at IS NOT NULL AND erased_at IS NULL
                AND (
                    SELECT count(*) FROM departure_answers a
                    WHERE a.account_id = \(account) AND a.service = ANY (\(services))
                ) = \(services.count)
            """
        )
    }

    /// How many deleted accounts some service has not answered for, and for how many seconds the oldest waits.
    static func backlog(now: Timestamp, in database: some Querying) async throws -> (waiting: Int64, age: Int64) {
        try await database.query(
            """
            SELECT count(*), coalesce(extract(epoch FROM \(now) - min(deletion_at)), 0)::bigint
            FROM departures
            WHERE erased_at IS NULL AND deletion_at <= \(now)
            """
        ).one { (try $0.next(), try $0.next()) } ?? (0, 0)
    }

    static let aged = AgedRows(of: "departures", by: "account_id", since: "erased_at")
}
