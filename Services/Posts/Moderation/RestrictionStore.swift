// SPDX-License-Identifier: Apache-2.0
// The SQL on restrictions and on what of them is in force.

import Domain
import Events
import Outbox
import Postgres
import Serving

enum RestrictionStore {
    /// Nobody else changes what an account is kept from until the transaction ends.
    static func lock(_ account: AccountID, in transaction: some Transacting) {
        transaction.enqueue("SELECT FROM accounts WHERE id = \(account) FOR NO KEY UPDATE")
    }

    /// In place of what the same decision, or an operator, said before, which keeps the moment since when it holds.
    static func put(
        _ kind: Restriction,
        on account: AccountID,
        until: Timestamp?,
        _ cause: Restrict.Cause,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO restrictions (account_id, kind, since, until, decision_id, by_whom)
            VALUES (\(account), \(kind), \(now), \(until), coalesce(\(cause.decision), 0), \(cause.actor))
            ON CONFLICT (account_id, kind, decision_id) DO UPDATE
            SET until = excluded.until, by_whom = excluded.by_whom
            """
        )
    }

    /// - Parameter decision: only what follows from it; nil for all.
    static func remove(
        _ kinds: [Restriction],
        from account: AccountID,
        decision: DecisionID?,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            DELETE FROM restrictions
            WHERE account_id = \(account) AND kind = ANY (\(kinds)) AND decision_id = coalesce(\(decision), decision_id)
            """
        )
    }

    /// Notes the newest word on whether somebody is about to leave.
    ///
    /// - Returns: whether it is.
    static func hear(_ event: AccountLeaving, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO restricted_accounts AS told (account_id, restrictions, version, leaving_version)
            VALUES (\(event.accountID), '{}', 0, \(event.subjectVersion))
            ON CONFLICT (account_id) DO UPDATE SET leaving_version = excluded.leaving_version
            WHERE told.leaving_version < excluded.leaving_version
            """
        ).affected > 0
    }

    /// Counts anew what of an account's restrictions is in force; the caller holds its lock.
    ///
    /// - Returns: what is to be told; nil where it is as it was told last.
    static func recount(
        _ account: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> AccountRestricted? {
        try await transaction.query(
            """
            WITH in_force AS (
                SELECT coalesce(array_agg(k.kind ORDER BY k.place), '{}') AS kinds
                FROM unnest(\(Restriction.allCases)) WITH ORDINALITY k (kind, place)
                WHERE EXISTS (
                    SELECT FROM restrictions r
                    WHERE r.account_id = \(account) AND r.kind = k.kind AND (r.until IS NULL OR r.until > \(now))
                )
            )
            INSERT INTO restricted_accounts AS told (account_id, restrictions, version)
            SELECT \(account), f.kinds, 1
            FROM in_force f
            WHERE f.kinds <> '{}' OR EXISTS (SELECT FROM restricted_accounts t WHERE t.account_id = \(account))
            ON CONFLICT (account_id) DO UPDATE
            SET restrictions = excluded.restrictions, version = told.version + 1
            WHERE told.restrictions <> excluded.restrictions
            RETURNING told.account_id, told.restrictions, told.version
            """
        ).one(as: AccountRestricted.init)
    }

    /// Writes what is in force to the account itself, where every list that shows it reads it with the rest.
    static func show(_ event: AccountRestricted, in transaction: some Transacting) async throws -> AccountSnapshot? {
        let shown: SQL =
            event.restrictions.isEmpty
            ? "nullif(a.extras - 'restrictions', '{}')"
            : "coalesce(a.extras, '{}') || jsonb_build_object('restrictions', to_jsonb(\(event.restrictions)))"
        return try await transaction.query(
            """
            UPDATE accounts a
            SET extras = \(shown), version = a.version + 1
            WHERE a.id = \(event.accountID)
            RETURNING \(AccountSnapshot.columns)
            """
        ).one(AccountSnapshot.init(columns:))
    }

    /// Some of the accounts of which a restriction has run out.
    static func ended(before now: Timestamp, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            """
            SELECT DISTINCT e.account_id
            FROM (SELECT r.account_id FROM restrictions r WHERE r.until <= \(now) ORDER BY r.until LIMIT 100) e
            ORDER BY e.account_id
            """
        ).all { try $0.next() }
    }

    /// When the next of those that are in force ends.
    static func nextEnd(in database: some Querying) async throws -> Timestamp? {
        try await database.query("SELECT min(until) FROM restrictions").one { try $0.next(Timestamp?.self) } ?? nil
    }

    static func removeEnded(of account: AccountID, before now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM restrictions WHERE account_id = \(account) AND until <= \(now)")
    }

    static func told(after place: Teller.Place, in database: some Querying) async throws -> [AccountRestricted] {
        try await database.query(
            """
            SELECT account_id, restrictions, version
            FROM restricted_accounts
            WHERE account_id > \(place[0]) AND version > 0
            ORDER BY account_id
            LIMIT \(place.limit)
            """
        ).all(as: AccountRestricted.init)
    }
}
