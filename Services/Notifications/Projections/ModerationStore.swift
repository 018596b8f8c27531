// SPDX-License-Identifier: Apache-2.0
// The projections of roles, reports and decisions.

import Domain
import Events
import Postgres
import Serving

enum ModerationStore {
    /// Keeps what somebody may do to others, unless something newer is known.
    static func keep(_ given: RoleGiven, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO moderators AS m (account_id, moderates, version)
            VALUES (\(given.accountID), \(given.role.moderates), \(given.subjectVersion))
            ON CONFLICT (account_id) DO UPDATE SET moderates = excluded.moderates, version = excluded.version
            WHERE m.version < excluded.version
            """
        )
    }

    /// Those who moderate, the first of many.
    static func moderators(most: Int, in transaction: some Transacting) async throws -> [AccountID] {
        try await transaction.query(
            "SELECT account_id FROM moderators WHERE moderates ORDER BY account_id LIMIT \(most)"
        ).all { try $0.next() }
    }

    static func keep(_ filed: ReportFiled, at now: Timestamp, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO reports (id, snapshot, touched_at)
            VALUES (\(filed.report.id), \(try JSONB(snapshot: filed)), \(now))
            ON CONFLICT (id) DO NOTHING
            """
        )
    }

    /// Keeps the newest word on a decision.
    static func keep(_ decision: DecisionMade, at now: Timestamp, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO decisions AS d (id, version, snapshot, touched_at)
            VALUES (
                \(decision.decisionID), \(decision.subjectVersion), \(try JSONB(snapshot: decision)), \(now)
            )
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, snapshot = excluded.snapshot, touched_at = excluded.touched_at
            WHERE d.version < excluded.version
            """
        )
    }
}
