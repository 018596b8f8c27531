// SPDX-License-Identifier: Apache-2.0
// The SQL that brings posts into home timelines, many posts at a time.

import Domain
import Postgres

/// A step of many fan-outs at once.
enum SpreadStore {
    /// A post or a boost, and whose it is.
    struct Entry: Hashable, Sendable {
        let id: PostID
        let author: AccountID
        /// Of the post as its event tells it; nil for a boost, whose event does not show all of it.
        let version: Int64?
        /// The follow after which this step goes on; 0 for the first, which also sees to those whom a direct post names and who
        /// follow its author.
        var after: Int64 = 0
    }

    /// Whom a step of a fan-out reached.
    struct Reached: Columned {
        let id: PostID
        let readers: [AccountID]
        /// Those who asked to hear of the author's posts.
        let listening: [AccountID]
        /// Accounts whose connections must not receive it, for a block or a mute, in the order of their ids.
        let averse: [AccountID]
        /// The follow after which the next step goes on; nil when this was the last.
        let after: Int64?
        /// Whether the post is as its event tells it, and nothing is to be shown besides.
        let isAsTold: Bool

        static let columns: SQL = """
            p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
            coalesce(r.last, 0), coalesce(r.looked, 0)
            """

        init(columns: inout Columns) throws { try self.init(columns: &columns, limit: .max) }

        /// - Parameter limit: how many follows were looked at, at most.
        init(columns: inout Columns, limit: Int64) throws {
            id = try columns.next()
            isAsTold = try columns.next()
            readers = try columns.next()
            listening = try columns.next()
            averse = try columns.next()
            let last: Int64 = try columns.next()
            after = try columns.next(Int64.self) >= limit ? last : nil
        }
    }

    /// What is among some entries: a statement for plain posts alone starts in half the time.
    struct Kinds: OptionSet, Sendable {
        let rawValue: Int

        static let boosts = Kinds(rawValue: 1)
        static let replies = Kinds(rawValue: 2)
        static let direct = Kinds(rawValue: 4)
        static let all: Kinds = [.boosts, .replies, .direct]
    }

    /// Puts posts and boosts into the home timelines of some of those who are to read them there; deleted ones are left out. An author
    /// with more than `largeAccount` followers is noted as popular instead.
    ///
    /// A reply reaches those who follow both sides, a direct post those whom it names and who follow its author. A boost of
    /// what somebody's timeline showed shortly before reaches the timeline, which does not show it, and not the reader.
    ///
    /// Who is averse to an author is found once and looked up by hash, however many followers there are.
    ///
    /// - Parameter room: for how many followers of authors together; direct posts, and those for whose authors there is none, are left
    ///   out. Nil for any.
    static func spread(
        _ entries: [Entry],
        _ kinds: Kinds,
        room: Int? = nil,
        limit: Int64,
        largeAccount: Int,
        in transaction: some Transacting
    ) async throws -> [Reached] {
        let post: SQL = kinds.contains(.boosts) ? "JOIN post p ON p.id = r.post_id" : ""
        let ofNamed: SQL = kinds.contains(.direct) ? named : ""
        let isNotRepeated: SQL = kinds.contains(.boosts) ? "AND \(isNotRepeated)" : ""
        let (all, chosen): (SQL, SQL) = room.map { ("told", within($0)) } ?? ("post", "")
        return try await transaction.query(
            """
            WITH \(all) AS MATERIALIZED (
                SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
                    p.mentioned_ids, a.followers_count, a.followers_count > \(largeAccount) AS is_popular,
                    p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
                        AND a.extras -> 'restrictions' IS NULL AS is_as_told
                FROM unnest(
                    \(entries.map(\.id)), \(entries.map(\.author)), \(entries.map { $0.version ?? -1 }), \(entries.map(\.after))
                ) entry (id, author_id, version, after)
                CROSS JOIN LATERAL (
                    SELECT p.* FROM posts p
                    WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
                    OFFSET 0
                ) p
                CROSS JOIN LATERAL (
                    SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
                ) a
            ),
            \(chosen)
            popular AS (
                INSERT INTO popular_accounts (account_id)
                SELECT DISTINCT p.account_id FROM post p
                WHERE p.is_popular AND p.visibility <> 'direct'
                ORDER BY p.account_id
                ON CONFLICT (account_id) DO NOTHING
            ),
            averse AS MATERIALIZED (
                SELECT p.id AS post_id, author.is_own, other.id
                FROM post p
                \(authors(kinds))
                CROSS JOIN LATERAL (
                    SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
                    UNION
                    SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
                    UNION
                    SELECT m.account_id FROM mutes m
                    WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
                ) other
            ),
            looked AS MATERIALIZED (
                SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
                    f.notify AND \(FanoutStore.isTold) AS listens,
                    \(FanoutStore.isWanted(boosts: kinds.contains(.boosts), replies: kinds.contains(.replies)))
                        AND \(isWelcome("f.follower_id")) AS reads
                FROM post p
                CROSS JOIN LATERAL (
                    SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
                    FROM follows f
                    WHERE f.followee_id = p.account_id AND f.id > p.after
                    ORDER BY f.id
                    LIMIT \(limit)
                ) f
                WHERE p.visibility <> 'direct'
                \(ofNamed)
            ),
            added AS (
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
                ON CONFLICT (account_id, post_id) DO NOTHING
            )
            SELECT \(Reached.columns)
            FROM post p
            LEFT JOIN (
                SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
                    array_agg(r.account_id) FILTER (WHERE r.reads \(isNotRepeated)) AS readers,
                    array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
                FROM looked r
                \(post)
                GROUP BY r.post_id
            ) r ON r.post_id = p.id
            LEFT JOIN (
                SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
            ) averse ON averse.post_id = p.id
            """
        ).all { try Reached(columns: &$0, limit: limit) }
    }

    /// Those of the posts told of that are not direct and whose authors have few followers, and no more than `room` together.
    private static func within(_ room: Int) -> SQL {
        """
        post AS MATERIALIZED (
            SELECT * FROM (
                SELECT t.*, sum(t.followers_count) FILTER (WHERE t.followers_count <= \(room)) OVER (ORDER BY t.id) AS together
                FROM told t
                WHERE t.visibility <> 'direct'
            ) t
            WHERE t.followers_count <= \(room) AND t.together <= \(room)
        ),
        """
    }

    /// Whose post `p` is, and of whom it is a boost.
    private static func authors(_ kinds: Kinds) -> SQL {
        guard kinds.contains(.boosts) else {
            return "CROSS JOIN LATERAL (VALUES (p.account_id, true)) author (id, is_own)"
        }
        return """
            CROSS JOIN LATERAL (
                SELECT p.account_id, true
                UNION ALL
                SELECT b.account_id, false FROM posts b WHERE b.id = p.boost_of_id
            ) author (id, is_own)
            """
    }

    /// Whether an account neither is averse to the author of the post `p` nor meets aversion.
    private static func isWelcome(_ account: SQL) -> SQL {
        "(p.id, \(account)) NOT IN (SELECT post_id, id FROM averse WHERE is_own)"
    }

    /// A boost of what the reader was shown shortly before reaches the timeline, which does not show it, and not the reader.
    private static let isNotRepeated: SQL = """
        (p.boost_of_id IS NULL OR NOT \(Repeated.boost("p.id", of: "p.boost_of_id", to: "r.account_id")))
        """

    /// Those whom a direct post names and who follow its author.
    private static let named: SQL = """
        UNION ALL
        SELECT DISTINCT p.id, p.account_id, false, 0, named.id, false, \(isWelcome("named.id"))
        FROM post p
        CROSS JOIN LATERAL unnest(p.mentioned_ids) named (id)
        CROSS JOIN LATERAL (
            SELECT FROM follows f WHERE f.follower_id = named.id AND f.followee_id = p.account_id OFFSET 0
        ) f
        WHERE p.visibility = 'direct' AND p.after = 0
        """
}
