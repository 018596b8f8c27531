// SPDX-License-Identifier: Apache-2.0
// The SQL that brings posts into home timelines and takes them out again.

import Domain
import Postgres

/// Statements of the queue posts.fanout. Each looks at how things are now, not at how they were when its event was
/// told, so that events may come twice, late or in another order.
enum FanoutStore {
    /// Locks authors until this transaction ends, in the order of their ids: a fan-out under way must not bring back what an
    /// unfollow is taking out.
    ///
    /// - Parameters:
    ///   - sharing: of whom something is brought into timelines, which others may do as well.
    ///   - alone: of whom something is taken out: fan-outs under way are waited for, and new ones held back.
    ///   - boosts: that are taken out, whoever made them.
    static func hold(
        sharing: [AccountID] = [],
        alone: [AccountID] = [],
        andAuthorsOf boosts: [PostID] = [],
        in transaction: some Transacting
    ) {
        if boosts.isEmpty {
            return transaction.enqueue(
                .locks(sharing: Set(sharing.map(\.rawValue)), claiming: Set(alone.map(\.rawValue)))
            )
        }
        transaction.enqueue(
            """
            SELECT CASE WHEN a.is_claimed THEN pg_advisory_xact_lock(a.id) ELSE pg_advisory_xact_lock_shared(a.id) END
            FROM (
                SELECT h.id, bool_or(h.is_claimed) AS is_claimed
                FROM (
                    SELECT s.id, false AS is_claimed FROM unnest(\(sharing)) AS s (id)
                    UNION ALL
                    SELECT c.id, true FROM unnest(\(alone)) AS c (id)
                    UNION ALL
                    SELECT p.account_id, true FROM posts p WHERE p.id = ANY (\(boosts))
                ) h
                GROUP BY h.id
                ORDER BY h.id
            ) a
            """
        )
    }

    /// Which followers of an author a step of a fan-out looks at: those whose follows come next after one.
    struct Step: Sendable {
        /// 0 for the first step, which also sees to those whom a direct post names.
        let after: Int64
        let limit: Int
    }

    /// Whom a step reached.
    struct Reached: Sendable {
        let readers: [AccountID]
        /// Those who asked to hear of the author's posts; nobody unless it is new.
        var listening: [AccountID] = []
        /// The follow, or the boost, after which the next step goes on; nil when this was the last.
        let after: Int64?

        /// The readers, the last follow that was looked at, and whether there may be more.
        static func columns(readers: SQL, last: SQL, isMore: SQL) -> SQL {
            "coalesce((\(readers)), '{}'), coalesce((SELECT max(id) FROM looked), \(last)), \(isMore)"
        }
    }

    /// Whether the follow `f` wants the post `p` of its followee: a reply reaches those who
    /// follow both sides.
    static let isWanted = isWanted(boosts: true, replies: true)

    /// - Parameters:
    ///   - boosts: whether `p` may be a boost.
    ///   - replies: whether `p` may be a reply.
    static func isWanted(boosts: Bool, replies: Bool) -> SQL {
        let ofBoosts: SQL = boosts ? "(p.boost_of_id IS NULL OR f.show_boosts) AND" : ""
        let ofReplies: SQL = replies ? "AND \(isOfBothSides)" : ""
        return """
            \(ofBoosts)
            (p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)
            \(ofReplies)
            """
    }

    private static let isOfBothSides: SQL = """
        (
            p.in_reply_to_account_id IS NULL
            OR p.in_reply_to_account_id IN (p.account_id, f.follower_id)
            OR EXISTS (
                SELECT FROM follows r
                WHERE r.follower_id = f.follower_id AND r.followee_id = p.in_reply_to_account_id
            )
        )
        """

    /// Whether somebody who asked to hear of the author's posts hears of the post `p`: not of boosts, of answers to others,
    /// and of direct posts, which tell whom they name anyway.
    static let isTold: SQL = """
        p.boost_of_id IS NULL AND p.visibility <> 'direct'
            AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id)
        """

    /// Some of those who have an entry in their home timeline, or read it there because its author is popular.
    static func readers(
        of id: PostID,
        by author: AccountID,
        _ step: Step,
        in transaction: some Transacting
    ) async throws -> Reached {
        let rows = try await transaction.query(
            """
            WITH post AS MATERIALIZED (
                SELECT p.id, p.visibility, p.mentioned_ids, l.account_id IS NOT NULL AS is_popular
                FROM posts p
                LEFT JOIN popular_accounts l ON l.account_id = p.account_id
                WHERE p.id = \(id) AND p.account_id = \(author) AND p.deleted_at IS NULL
            ),
            looked AS MATERIALIZED (
                SELECT f.id, f.follower_id
                FROM follows f
                WHERE f.followee_id = \(author) AND EXISTS (SELECT FROM post p WHERE p.visibility <> 'direct')
                    AND f.id > \(step.after)
                ORDER BY f.id
                LIMIT \(step.limit)
            ),
            readers AS MATERIALIZED (
                SELECT f.follower_id AS account_id
                FROM post p
                CROSS JOIN looked f
                WHERE p.is_popular
                    OR EXISTS (SELECT FROM timeline t WHERE t.account_id = f.follower_id AND t.post_id = p.id OFFSET 0)
                UNION
                SELECT t.account_id
                FROM post p
                JOIN timeline t ON t.post_id = p.id AND t.account_id = ANY (p.mentioned_ids)
                WHERE p.visibility = 'direct' AND \(step.after) = 0
            )
            SELECT \(Reached.columns(
                readers: "SELECT array_agg(account_id) FROM readers",
                last: "0",
                isMore: "(SELECT count(*) FROM looked) >= \(step.limit)"
            ))
            """
        )
        return try Reached(rows)
    }

    /// Accounts whose connections must not receive what these authors wrote, for a block or a mute.
    static func averse(to authors: [AccountID], in transaction: some Transacting) async throws -> [AccountID] {
        try await transaction.query(
            """
            SELECT account_id FROM blocks WHERE target_id = ANY (\(authors))
            UNION
            SELECT target_id FROM blocks WHERE account_id = ANY (\(authors))
            UNION
            SELECT account_id FROM mutes
            WHERE target_id = ANY (\(authors)) AND (expires_at IS NULL OR expires_at > statement_timestamp())
            """
        ).all { try $0.next() }
    }

    /// Takes posts out of some of the home timelines that they are in.
    ///
    /// - Returns: who had each post.
    static func withdraw(
        _ ids: [PostID],
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [PostID: Set<AccountID>] {
        let rows = try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT account_id, post_id FROM timeline WHERE post_id = ANY (\(ids)) LIMIT \(limit)
            )
            DELETE FROM timeline t
            USING chosen c
            WHERE t.account_id = c.account_id AND t.post_id = c.post_id
            RETURNING t.post_id, t.account_id
            """
        )
        return try rows.all { (try $0.next(PostID.self), try $0.next(AccountID.self)) }
            .reduce(into: [:]) { readers, entry in readers[entry.0, default: []].insert(entry.1) }
    }

    /// Takes a deleted post or boost out of some of the home timelines that it is in and, when it is in no more, goes
    /// through those who read it there because its author is popular.
    static func withdraw(
        _ id: PostID,
        by author: AccountID,
        _ step: Step,
        in transaction: some Transacting
    ) async throws -> Reached {
        let rows = try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT account_id, post_id FROM timeline WHERE post_id = \(id) LIMIT \(step.limit)
            ),
            removed AS (
                DELETE FROM timeline t
                USING chosen c
                WHERE t.account_id = c.account_id AND t.post_id = c.post_id
            ),
            looked AS MATERIALIZED (
                SELECT f.id, f.follower_id
                FROM follows f
                WHERE f.followee_id = (SELECT l.account_id FROM popular_accounts l WHERE l.account_id = \(author))
                    AND EXISTS (SELECT FROM posts p WHERE p.id = \(id) AND p.visibility <> 'direct')
                    AND (SELECT count(*) FROM chosen) = 0
                    AND f.id > \(step.after)
                ORDER BY f.id
                LIMIT \(step.limit)
            )
            SELECT \(Reached.columns(
                readers: """
                    SELECT array_agg(r.account_id)
                    FROM (SELECT account_id FROM chosen UNION ALL SELECT follower_id FROM looked) r
                    """,
                last: "\(step.after)",
                isMore: "(SELECT count(*) FROM chosen) > 0 OR (SELECT count(*) FROM looked) >= \(step.limit)"
            ))
            """
        )
        return try Reached(rows)
    }

    /// What the streams of a deleted post follow from.
    struct Tombstone: Sendable {
        let wasInPublicTimeline: Bool
        let isDirect: Bool
        /// If they led to it.
        let tags: [String]
        /// Whom it named directly.
        let named: [AccountID]

        static let columns: SQL = """
            visibility = 'public' AND boost_of_id IS NULL
                AND (in_reply_to_id IS NULL OR in_reply_to_account_id = account_id),
            visibility = 'direct',
            CASE WHEN visibility = 'public' THEN tags ELSE '{}' END,
            CASE WHEN visibility = 'direct' THEN mentioned_ids ELSE '{}' END
            """
    }

    static func tombstone(_ id: PostID, in transaction: some Transacting) async throws -> Tombstone? {
        try await transaction.query("SELECT \(Tombstone.columns) FROM posts WHERE id = \(id)").one(as: Tombstone.init)
    }
}

extension FanoutStore.Reached {
    init(_ rows: Rows) throws {
        guard var columns = rows.first?.columns else { throw PostgresError.closed }
        readers = try columns.next()
        let last: Int64 = try columns.next()
        after = try columns.next(Bool.self) ? last : nil
    }
}
