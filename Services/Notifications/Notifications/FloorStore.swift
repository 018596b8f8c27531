// SPDX-License-Identifier: Apache-2.0
// What keeps lists of notifications finite: their age, and how many a person has.

import Domain
import Postgres

enum FloorStore {
    /// The next people with a list, in the order of their ids.
    static func people(after account: AccountID, most: Int, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            """
            WITH RECURSIVE people AS (
                (
                    SELECT account_id, 1 AS place
                    FROM notifications
                    WHERE NOT dismissed AND account_id > \(account)
                    ORDER BY account_id
                    LIMIT 1
                )
                UNION ALL
                SELECT
                    (
                        SELECT n.account_id
                        FROM notifications n
                        WHERE NOT n.dismissed AND n.account_id > p.account_id
                        ORDER BY n.account_id
                        LIMIT 1
                    ),
                    p.place + 1
                FROM people p
                WHERE p.account_id IS NOT NULL AND p.place < \(most)
            )
            SELECT account_id FROM people WHERE account_id IS NOT NULL ORDER BY account_id
            """
        ).all { try $0.next() }
    }

    /// Removes some entries below floors that everybody has seen: no statement that began before a floor was laid, and
    /// could put an entry back, runs for a minute.
    ///
    /// - Returns: how many.
    static func forgetEntries(
        of people: [AccountID],
        at now: Timestamp,
        in database: some Querying
    ) async throws -> Int {
        try await database.query(
            """
            DELETE FROM notifications
            WHERE id IN (
                SELECT n.id
                FROM floors f
                JOIN notifications n ON n.account_id = f.account_id AND NOT n.dismissed AND n.id <= f.entry_id
                WHERE f.account_id = ANY (\(people)) AND f.raised_at < \(now + .seconds(-60))
                    AND n.created_at <= f.moment
                LIMIT 5000
                FOR UPDATE OF n SKIP LOCKED
            )
            """
        ).affected
    }

    /// Lays a floor below the newest entries of each of these people who has more.
    static func raise(
        of people: [AccountID],
        keeping most: Int,
        at now: Timestamp,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            INSERT INTO floors (account_id, entry_id, moment, raised_at)
            SELECT p.account_id, e.id, m.moment, \(now)
            FROM unnest(\(people)) AS p (account_id)
            CROSS JOIN LATERAL (
                SELECT n.id
                FROM notifications n
                WHERE n.account_id = p.account_id AND NOT n.dismissed
                ORDER BY n.id DESC
                OFFSET \(most)
                LIMIT 1
            ) e
            CROSS JOIN LATERAL (
                SELECT max(o.created_at) AS moment
                FROM (
                    SELECT n.created_at
                    FROM notifications n
                    WHERE n.account_id = p.account_id AND NOT n.dismissed AND n.id <= e.id
                    ORDER BY n.id DESC
                    LIMIT 5000
                ) o
            ) m
            ON CONFLICT (account_id) DO UPDATE
            SET entry_id = excluded.entry_id, moment = greatest(floors.moment, excluded.moment),
                raised_at = excluded.raised_at
            WHERE excluded.entry_id > floors.entry_id
            """
        )
    }
}
