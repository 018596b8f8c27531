// SPDX-License-Identifier: Apache-2.0
// The SQL on what is told to many followers in steps.

import Domain
import Postgres

/// A post, an edit or a withdrawal that not everybody has been told of yet.
struct LargeFanout: Sendable {
    enum Kind: String, CaseIterable, ColumnWord {
        case spread, refresh, withdraw
        /// Telling those who boosted a post that it was edited.
        case boosters
    }

    let id: PostID
    let author: AccountID
    let kind: Kind
    /// The follow, or the boost, after which the next step goes on.
    let after: Int64
    let version: Int64
    /// Failed tries of the next step.
    let attempts: Int

    static let columns: SQL = "post_id, author_id, kind, after_id, version, attempts"
}

/// Statements on `fanouts`.
enum LargeFanoutStore {
    /// Notes that a fan-out goes on after a follow. One of the same kind begins anew there: it tells the newest anyway.
    static func goOn(
        _ kind: LargeFanout.Kind,
        _ id: PostID,
        by author: AccountID,
        after: Int64,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO fanouts (post_id, author_id, kind, after_id)
            VALUES (\(id), \(author), \(kind), \(after))
            ON CONFLICT (post_id, kind) DO UPDATE SET after_id = excluded.after_id, attempts = 0, due_at = now()
            """
        )
    }

    /// Notes which of some withdrawn posts and boosts are still to be taken out of timelines, or to be told to the followers
    /// of a popular author.
    ///
    /// - Returns: who wrote each.
    static func withdrawRest(
        of ids: [PostID],
        version: Int64,
        in transaction: some Transacting
    ) async throws -> [PostID: AccountID] {
        let rows = try await transaction.query(
            """
            WITH entry AS MATERIALIZED (
                SELECT p.id, p.account_id, p.visibility FROM posts p WHERE p.id = ANY (\(ids))
            ),
            rest AS (
                INSERT INTO fanouts (post_id, author_id, kind, after_id, version)
                SELECT p.id, p.account_id, 'withdraw', 0, \(version)
                FROM entry p
                WHERE EXISTS (SELECT FROM timeline t WHERE t.post_id = p.id)
                    OR p.visibility <> 'direct'
                        AND EXISTS (SELECT FROM popular_accounts l WHERE l.account_id = p.account_id)
                ON CONFLICT (post_id, kind) DO NOTHING
            )
            SELECT id, account_id FROM entry
            """
        )
        let authors = try rows.all { (try $0.next(PostID.self), try $0.next(AccountID.self)) }
        return Dictionary(authors) { first, _ in first }
    }

    /// Some of those who boosted a post, other than its author.
    static func boosters(
        of id: PostID,
        _ step: FanoutStore.Step,
        in transaction: some Transacting
    ) async throws -> FanoutStore.Reached {
        let rows = try await transaction.query(
            """
            WITH looked AS MATERIALIZED (
                SELECT b.id, b.account_id, p.account_id AS author_id
                FROM posts b
                JOIN posts p ON p.id = b.boost_of_id
                WHERE b.boost_of_id = \(id) AND b.id > \(step.after) AND b.deleted_at IS NULL AND p.deleted_at IS NULL
                ORDER BY b.id
                LIMIT \(step.limit)
            )
            SELECT \(FanoutStore.Reached.columns(
                readers: "SELECT array_agg(account_id) FROM looked WHERE account_id <> author_id",
                last: "0",
                isMore: "(SELECT count(*) FROM looked) >= \(step.limit)"
            ))
            """
        )
        return try FanoutStore.Reached(rows)
    }

    /// Takes up what waits longest and no other process is at; kinds of a later release are left to it.
    static func next(in transaction: some Transacting) async throws -> LargeFanout? {
        try await transaction.query(
            """
            SELECT \(LargeFanout.columns)
            FROM fanouts
            WHERE due_at <= statement_timestamp() AND kind = ANY (\(LargeFanout.Kind.allCases.map(\.rawValue)))
            ORDER BY due_at, post_id
            LIMIT 1
            FOR UPDATE SKIP LOCKED
            """
        ).one(as: LargeFanout.init)
    }

    static func advance(_ fanout: LargeFanout, to after: Int64, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE fanouts SET after_id = \(after), attempts = 0, reason = NULL
            WHERE post_id = \(fanout.id) AND kind = \(fanout.kind.rawValue)
            """
        )
    }

    static func finish(_ fanout: LargeFanout, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM fanouts WHERE post_id = \(fanout.id) AND kind = \(fanout.kind.rawValue)")
    }

    /// Puts off a step that failed, for longer each time, ten minutes at most.
    static func putOff(_ fanout: LargeFanout, reason: String, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE fanouts
            SET attempts = attempts + 1,
                due_at = statement_timestamp() + least(power(2, least(attempts, 20)), 600) * interval '1 second',
                reason = \(reason)
            WHERE post_id = \(fanout.id) AND kind = \(fanout.kind.rawValue)
            """
        )
    }

    /// How many wait, for how many seconds the oldest does, and how many have failed again and again.
    static func backlog(
        failures: Int,
        in database: some Querying
    ) async throws -> (waiting: Int64, age: Int64, failing: Int64) {
        let rows = try await database.query(
            """
            SELECT count(*), coalesce(extract(epoch FROM now() - min(since)), 0)::bigint,
                count(*) FILTER (WHERE attempts >= \(failures))
            FROM fanouts
            """
        )
        guard var columns = rows.first?.columns else { return (0, 0, 0) }
        return (try columns.next(), try columns.next(), try columns.next())
    }
}
