// SPDX-License-Identifier: Apache-2.0
// The SQL that fills and clears one account's home timeline.

import Domain
import Postgres

/// Statements on `timeline` that follow from whom somebody follows, blocks and mutes, and from its bound.
enum HomeStore {
    /// Puts the newest posts of followees into the home timelines of those who follow them, by the rules of `SpreadStore.spread`.
    static func backfill(_ follows: [Follow], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO timeline (account_id, post_id, author_id)
            SELECT f.follower_id, near.id, f.followee_id
            FROM unnest(\(follows.map(\.follower)), \(follows.map(\.followee))) AS new (follower_id, followee_id)
            JOIN follows f ON f.follower_id = new.follower_id AND f.followee_id = new.followee_id
            CROSS JOIN LATERAL (
                SELECT p.id
                FROM posts p
                WHERE p.account_id = f.followee_id AND p.deleted_at IS NULL
                    AND CASE WHEN p.visibility = 'direct' THEN f.follower_id = ANY (p.mentioned_ids) ELSE \(FanoutStore.isWanted) END
                ORDER BY p.id DESC
                LIMIT 40
            ) near
            WHERE \(Visible.isShown("f.followee_id", to: "f.follower_id"))
            ORDER BY f.follower_id, near.id
            ON CONFLICT (account_id, post_id) DO NOTHING
            """
        )
    }

    /// Takes the posts of accounts out of the home timelines of those who no longer follow them.
    static func clear(_ unfollowed: [Follow], in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM timeline t
            USING unnest(\(unfollowed.map(\.follower)), \(unfollowed.map(\.followee))) AS gone (follower_id, followee_id)
            WHERE t.account_id = gone.follower_id AND t.author_id = gone.followee_id
                AND NOT EXISTS (
                    SELECT FROM follows f
                    WHERE f.follower_id = gone.follower_id AND f.followee_id = gone.followee_id
                )
            """
        )
    }

    /// Takes an account's posts out of the home timeline of somebody who is not to see it, for a block or a mute.
    static func clearHidden(_ author: AccountID, from reader: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM timeline t
            WHERE t.account_id = \(reader) AND t.author_id = \(author)
                AND \(Visible.isHidden("\(author)", from: "\(reader)"))
            """
        )
    }

    /// Takes what stands behind the newest entries out of the home timelines of the next accounts. Nil: there are no
    /// accounts.
    static func trim(after account: AccountID?, to length: Int, in database: some Querying) async throws -> TrimStep? {
        let surplus: SQL = """
            behind AS MATERIALIZED (
                SELECT v.id, b.post_id
                FROM visited v
                CROSS JOIN LATERAL (
                    SELECT t.post_id
                    FROM timeline t
                    WHERE t.account_id = v.id
                    ORDER BY t.post_id DESC
                    OFFSET \(length)
                    LIMIT 1
                ) b
            ),
            surplus AS MATERIALIZED (
                SELECT t.account_id, t.post_id
                FROM behind b
                CROSS JOIN LATERAL (
                    SELECT t.account_id, t.post_id
                    FROM timeline t
                    WHERE t.account_id = b.id AND t.post_id <= b.post_id
                    ORDER BY t.post_id
                    LIMIT 5000
                ) t
                ORDER BY t.account_id
                LIMIT 5000
            )
            """
        let removal: SQL = """
            DELETE FROM timeline t
            USING surplus s
            WHERE t.account_id = s.account_id AND t.post_id = s.post_id
            RETURNING 1
            """
        return try await database.query(TrimStep.statement(after: account, surplus: surplus, removal: removal))
            .one(as: TrimStep.init)
    }
}
