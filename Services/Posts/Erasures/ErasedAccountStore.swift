// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what posts has of an account that was deleted.

import Domain
import Postgres
import Serving

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// What is an account's own, or about it, and what nobody else needs.
    static let belongings = [
        AccountRows("timeline", by: "account_id, post_id"),
        AccountRows("popular_accounts", by: "account_id"),
        AccountRows("bookmarks", by: "account_id, post_id"),
        AccountRows("project_bookmarks", by: "account_id, project_id"),
        AccountRows("conversation_mutes", by: "account_id, conversation_id"),
        AccountRows("conversations", by: "id"),
        AccountRows("idempotency_keys", by: "account_id, key"),
        AccountRows("blocks", by: "account_id, target_id"),
        AccountRows("blocks", as: "blocks by others", by: "account_id, target_id", of: "target_id"),
        AccountRows("mutes", by: "account_id, target_id"),
        AccountRows("mutes", as: "mutes by others", by: "account_id, target_id", of: "target_id"),
        AccountRows("account_notes", by: "account_id, target_id"),
        AccountRows("account_notes", as: "account_notes by others", by: "account_id, target_id", of: "target_id"),
        AccountRows("media", by: "id", of: "owner_id"),
        AccountRows("reading_records", by: "id"),
        AccountRows("shelf_books", by: "id"),
        AccountRows("reading_goals", by: "account_id, year, month"),
        AccountRows("shelf_tombstones", by: "account_id, version"),
        AccountRows("shelf_writes", by: "account_id, key"),
        AccountRows("shelves", by: "account_id"),
        AccountRows("roles", by: "account_id"),
        AccountRows("restrictions", by: "account_id, kind, decision_id"),
        AccountRows("restricted_accounts", by: "account_id"),
        AccountRows("new_account_acts", by: "account_id, act"),
        AccountRows("evidence", by: "decision_id") {
            "decision_id IN (SELECT id FROM decisions WHERE account_id = \($0))"
        },
        AccountRows("appeals", by: "decision_id"),
        AccountRows("decisions", by: "id"),
        AccountRows("report_things", by: "report_id, kind, thing_id"),
    ]

    static let account = AccountRows("accounts", by: "id", of: "id")

    // MARK: Moderation

    /// Deletes reports about the account, with what was reported and what moderators wrote to each other.
    ///
    /// - Returns: how many reports.
    static func deleteReports(about account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH gone AS (
                DELETE FROM reports
                WHERE id IN (SELECT id FROM reports WHERE target_id = \(account) AND target_id IS NOT NULL LIMIT 200)
                RETURNING id
            ),
            things AS (
                DELETE FROM report_things WHERE report_id IN (SELECT id FROM gone)
            ),
            notes AS (
                DELETE FROM report_notes WHERE report_id IN (SELECT id FROM gone)
            )
            SELECT id FROM gone
            """
        ).count
    }

    /// Who reported or moderated, or whom the log is about; what nobody sees to is to be assigned anew.
    static let deeds = [
        AccountRows("reports", as: "reports by it", by: "id", of: "reporter_id").setting { _ in
            "reporter_id = 0, comment = ''"
        },
        AccountRows("reports", as: "assignments", by: "id", of: "assigned_id").setting { _ in "assigned_id = NULL" },
        AccountRows("reports", as: "closings", by: "id", of: "closed_id").setting { _ in "closed_id = 0" },
        AccountRows("report_notes", by: "id").setting { _ in "account_id = 0" },
        AccountRows("decisions", as: "decisions by it", by: "id", of: "moderator_id").setting { _ in "moderator_id = 0"
        },
        AccountRows("appeals", as: "appeals to it", by: "decision_id", of: "moderator_id").setting { _ in
            "moderator_id = 0"
        },
        AccountRows("moderation_log", by: "id", of: "moderator_id").setting { _ in "moderator_id = 0" },
        AccountRows("moderation_log", as: "moderation_log of it", by: "id").setting { _ in "account_id = 0" },
    ]

    // MARK: What is ended as its owner would end it

    /// Posts that are there, or boosts.
    static func posts(
        of account: AccountID,
        boosts: Bool,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [PostID] {
        let kind: SQL = boosts ? "boost_of_id IS NOT NULL" : "boost_of_id IS NULL"
        return try await transaction.query(
            """
            SELECT id FROM posts
            WHERE account_id = \(account) AND deleted_at IS NULL AND \(kind)
            ORDER BY id DESC
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    static func favourites(
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [PostID] {
        try await transaction.query(
            "SELECT post_id FROM favourites WHERE account_id = \(account) ORDER BY id DESC LIMIT \(limit)"
        ).all { try $0.next() }
    }

    /// Whom the account follows or asks to, and who follows it or asks to.
    enum Side: CaseIterable, Sendable {
        case following, followers, requested, requesters

        fileprivate var table: SQL {
            switch self {
            case .following, .followers: "follows"
            case .requested, .requesters: "follow_requests"
            }
        }

        fileprivate var isFollower: Bool { self == .following || self == .requested }
    }

    static func follows(
        _ side: Side,
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [Follow] {
        let column: SQL = side.isFollower ? "follower_id" : "followee_id"
        return try await transaction.query(
            "SELECT follower_id, followee_id FROM \(side.table) WHERE \(column) = \(account) LIMIT \(limit)"
        ).all { Follow(follower: try $0.next(), followee: try $0.next()) }
    }

    static func projects(
        ledBy account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [ProjectID] {
        try await transaction.query(
            """
            SELECT id FROM projects
            WHERE leader_id = \(account) AND deleted_at IS NULL
            ORDER BY id DESC
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    static func projects(
        withMember account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [ProjectID] {
        try await transaction.query(
            """
            SELECT project_id FROM project_members
            WHERE account_id = \(account)
            ORDER BY project_id DESC
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    static func applications(
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [(id: ApplicationID, project: ProjectID)] {
        try await transaction.query(
            "SELECT id, project_id FROM applications WHERE account_id = \(account) ORDER BY id DESC LIMIT \(limit)"
        ).all { (try $0.next(), try $0.next()) }
    }

    static func delete(_ application: ApplicationID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM applications WHERE id = \(application)")
    }

    // MARK: What deletions left

    /// Tombstones that still hold something.
    static func unerasedPosts(of account: AccountID, in transaction: some Transacting) async throws -> [PostID] {
        try await transaction.query(
            """
            SELECT id FROM posts
            WHERE account_id = \(account) AND deleted_at IS NOT NULL AND account_id <> 0 AND erased_at IS NULL
            ORDER BY id
            LIMIT 100
            FOR UPDATE
            """
        ).all { try $0.next() }
    }

    static func unerasedProjects(of account: AccountID, in transaction: some Transacting) async throws -> [ProjectID] {
        try await transaction.query(
            """
            SELECT id FROM projects
            WHERE leader_id = \(account) AND deleted_at IS NOT NULL AND leader_id <> 0 AND erased_at IS NULL
            ORDER BY id
            LIMIT 100
            FOR UPDATE
            """
        ).all { try $0.next() }
    }

    /// Takes posts out of timelines.
    ///
    /// - Returns: how many entries went.
    static func withdraw(_ posts: [PostID], in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM timeline
            WHERE (account_id, post_id) IN (
                SELECT account_id, post_id FROM timeline WHERE post_id = ANY (\(posts)) LIMIT 2000
            )
            """
        ).affected
    }

    static func endFanouts(of posts: [PostID], in transaction: some Transacting) async throws -> Int {
        try await transaction.query("DELETE FROM fanouts WHERE post_id = ANY (\(posts))").affected
    }

    // MARK: What others wrote

    /// What names people; others' words stay theirs.
    static let naming: [AccountRows] = [
        named("posts", by: "id"), named("post_edits", by: "post_id, created_at"), named("projects", by: "id"),
        AccountRows("project_edits", by: "project_id, created_at") {
            "form -> 'mentions' @> jsonb_build_array(jsonb_build_object('id', CAST(\($0) AS bigint)::text))"
        }
        .setting {
            """
            form = jsonb_set(
                form,
                '{mentions}',
                (
                    SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
                    FROM jsonb_array_elements(form -> 'mentions') WITH ORDINALITY m (value, place)
                    WHERE m.value ->> 'id' <> CAST(\($0) AS bigint)::text
                )
            )
            """
        },
    ]

    private static func named(_ table: SQL, by key: SQL) -> AccountRows {
        AccountRows(table, as: "\(table.text) that name it", by: key) {
            "mentioned_ids @> ARRAY[CAST(\($0) AS bigint)] AND mentioned_ids <> '{}'"
        }
        .setting { account in
            let rest: SQL = """
                FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> \(account)
                """
            return """
                mentioned_ids = ARRAY(SELECT m.id \(rest) ORDER BY m.place),
                mentioned_names = ARRAY(SELECT m.name \(rest) ORDER BY m.place)
                """
        }
    }

    /// Makes nobody of whom others answered.
    static func forgetAnswered(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE posts r
            SET in_reply_to_account_id = 0
            WHERE r.id IN (
                SELECT a.id
                FROM posts p
                JOIN posts a ON a.in_reply_to_id = p.id
                WHERE p.account_id = \(account) AND p.deleted_at IS NOT NULL AND p.account_id <> 0
                    AND a.in_reply_to_account_id = \(account)
                LIMIT 500
            )
            """
        ).affected
    }

    /// Makes nobody of an account in the conversations of others. Of two that are the same then, one goes.
    static func leaveConversations(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT c.id, c.thread_id, c.account_id,
                    ARRAY(
                        SELECT DISTINCT CASE WHEN m.id = \(account) THEN 0 ELSE m.id END AS member
                        FROM unnest(c.party) m (id)
                        ORDER BY member
                    ) AS party
                FROM conversations c
                WHERE c.party @> ARRAY[CAST(\(account) AS bigint)]
                ORDER BY c.id
                LIMIT 200
            ),
            kept AS (
                SELECT min(c.id) AS id FROM chosen c
                WHERE NOT EXISTS (
                    SELECT FROM conversations o
                    WHERE o.thread_id = c.thread_id AND o.account_id = c.account_id AND o.party = c.party
                )
                GROUP BY c.thread_id, c.account_id, c.party
            ),
            gone AS (
                DELETE FROM conversations WHERE id IN (SELECT id FROM chosen EXCEPT SELECT id FROM kept)
            )
            UPDATE conversations t
            SET party = c.party
            FROM chosen c
            JOIN kept k ON k.id = c.id
            WHERE t.id = c.id
            """
        ).affected
    }

    // MARK: The account

    /// Of whom tombstones are.
    enum Tombstones: CaseIterable, Sendable {
        case posts, projects

        fileprivate var place: (table: SQL, account: SQL) {
            switch self {
            case .posts: ("posts", "account_id")
            case .projects: ("projects", "leader_id")
            }
        }
    }

    /// Makes tombstones nobody's, who has a row once there is one.
    static func disown(
        _ tombstones: Tombstones,
        of account: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Int {
        let (table, column) = tombstones.place
        return try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT id FROM \(table)
                WHERE \(column) = \(account) AND deleted_at IS NOT NULL AND \(column) <> 0 AND erased_at IS NOT NULL
                LIMIT 500
            ),
            nobody AS (
                INSERT INTO accounts (id, username, created_at)
                SELECT 0,
                    CASE
                        WHEN EXISTS (SELECT FROM accounts WHERE username = 'deleted')
                            THEN 'deleted_' || substr(md5(random()::text), 1, 20)
                        ELSE 'deleted'
                    END,
                    \(now)
                WHERE EXISTS (SELECT FROM chosen)
                ON CONFLICT (id) DO NOTHING
            )
            UPDATE \(table) t
            SET \(column) = 0
            FROM chosen c
            WHERE t.id = c.id
            """
        ).affected
    }
}
