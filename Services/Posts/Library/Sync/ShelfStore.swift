// SPDX-License-Identifier: Apache-2.0
// The SQL on shelves as a whole: their numbers, what has changed since one, and what is gone.

import Domain
import Postgres

/// What can change on a shelf.
enum ShelfItem: String, ColumnWord {
    case book, record, goal
}

/// One line of what has changed on a shelf.
struct ShelfChange: Sendable {
    let version: Int64
    let kind: ShelfItem
    /// Of a goal, `GoalPeriod.number`.
    let id: Int64
    /// Of a record that is gone.
    let clientID: ClientID?
    let isGone: Bool
}

/// Statements about shelves.
enum ShelfStore {
    /// Makes the shelf if it is not there, and keeps others from changing it until the transaction ends.
    ///
    /// - Returns: the number of its newest change.
    static func hold(_ owner: AccountID, in transaction: some Transacting) async throws -> Int64 {
        try await transaction.query(
            """
            INSERT INTO shelves (account_id) VALUES (\(owner))
            ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id
            RETURNING version
            """
        ).one { try $0.next() } ?? 0
    }

    /// Says which number is the newest; the caller holds the shelf.
    static func advance(_ owner: AccountID, to version: Int64, in transaction: some Transacting) {
        transaction.enqueue("UPDATE shelves SET version = \(version) WHERE account_id = \(owner)")
    }

    /// What a device reads that knows a shelf as it was.
    struct Changes: Sendable {
        /// The number of the newest change.
        let version: Int64
        /// Of the newest deletion that is remembered no more.
        let forgotten: Int64
        let changes: [ShelfChange]
    }

    /// What has changed after a number, in the order of numbers, seen at one moment.
    ///
    /// - Parameter start: deletions up to this one the device need not hear of; nil for the shelf's newest change.
    static func changes(
        of owner: AccountID,
        after position: Int64,
        start: Int64?,
        limit: Int,
        in database: some Querying
    ) async throws -> Changes {
        let since: SQL = "account_id = \(owner) AND version > \(position)"
        let first: SQL = "ORDER BY version LIMIT \(limit)"
        let rows = try await database.query(
            """
            SELECT s.version, s.forgotten, c.version, c.kind, c.id, c.client_id, c.is_gone
            FROM shelves s
            LEFT JOIN LATERAL (
                SELECT *
                FROM (
                    (
                        SELECT version, 'book' AS kind, id, NULL::uuid AS client_id, false AS is_gone
                        FROM shelf_books WHERE \(since) \(first)
                    )
                    UNION ALL
                    (SELECT version, 'record', id, NULL, false FROM reading_records WHERE \(since) \(first))
                    UNION ALL
                    (
                        SELECT version, 'goal', year::bigint * 100 + month, NULL, false
                        FROM reading_goals WHERE \(since) \(first)
                    )
                    UNION ALL
                    (
                        SELECT version, kind, item_id, client_id, true
                        FROM shelf_tombstones WHERE \(since) AND version > coalesce(\(start), s.version) \(first)
                    )
                ) every
                \(first)
            ) c ON true
            WHERE s.account_id = \(owner)
            ORDER BY c.version
            """
        ).all { columns in
            let shelf: (Int64, Int64) = (try columns.next(), try columns.next())
            guard let version = try columns.next(Int64?.self) else { return (shelf, ShelfChange?.none) }
            let change = ShelfChange(
                version: version,
                kind: try columns.next(),
                id: try columns.next(),
                clientID: try columns.next(),
                isGone: try columns.next()
            )
            return (shelf, change)
        }
        let shelf = rows.first?.0 ?? (0, 0)
        return Changes(version: shelf.0, forgotten: shelf.1, changes: rows.compactMap(\.1))
    }

    /// Remembers that something is gone; the caller holds the shelf.
    static func bury(
        _ kind: ShelfItem,
        _ id: Int64,
        client: ClientID? = nil,
        of owner: AccountID,
        version: Int64,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO shelf_tombstones (account_id, version, kind, item_id, client_id, deleted_at)
            VALUES (\(owner), \(version), \(kind), \(id), \(client), \(now))
            """
        )
    }

    /// Whether a record of that name was deleted, as far as that is remembered.
    static func isGone(_ client: ClientID, of owner: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query(
            "SELECT 1 FROM shelf_tombstones WHERE account_id = \(owner) AND client_id = \(client) LIMIT 1"
        ).isEmpty
    }

    /// Forgets the oldest deletions of a shelf beyond those that are kept; the caller holds the shelf.
    static func trim(_ owner: AccountID, keeping most: Int, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH last AS (
                SELECT version FROM shelf_tombstones WHERE account_id = \(owner)
                ORDER BY version DESC
                LIMIT 1 OFFSET \(most)
            ),
            gone AS (
                DELETE FROM shelf_tombstones t USING last WHERE t.account_id = \(owner) AND t.version <= last.version
            )
            UPDATE shelves s SET forgotten = greatest(s.forgotten, last.version) FROM last WHERE s.account_id = \(owner)
            """
        )
    }

    /// Forgets some of the deletions that every device has had time to hear of.
    ///
    /// - Returns: how many.
    static func forget(before moment: Timestamp, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH old AS MATERIALIZED (
                SELECT account_id, version FROM shelf_tombstones WHERE deleted_at < \(moment)
                ORDER BY deleted_at
                LIMIT 1000
            ),
            -- In the order in which everybody would hold them.
            held AS MATERIALIZED (
                SELECT s.account_id
                FROM shelves s
                WHERE s.account_id IN (SELECT account_id FROM old)
                ORDER BY s.account_id
                FOR UPDATE
            ),
            newest AS (
                UPDATE shelves s
                SET forgotten = greatest(s.forgotten, o.version)
                FROM (SELECT account_id, max(version) AS version FROM old GROUP BY account_id) o
                JOIN held h ON h.account_id = o.account_id
                WHERE s.account_id = o.account_id
            )
            DELETE FROM shelf_tombstones t USING old o WHERE t.account_id = o.account_id AND t.version = o.version
            """
        ).affected
    }
}
