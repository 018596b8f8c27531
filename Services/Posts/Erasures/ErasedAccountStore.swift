// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what posts has of an account that was deleted.

import Domain
import Postgres

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// Rows that are an account's own, or about it, and that nobody else needs.
    enum Belongings: CaseIterable, Sendable {
        case home, popularity, bookmarks, projectBookmarks, conversationMutes, conversations, idempotencyKeys
        case blocks, blocksByOthers, mutes, mutesByOthers, notes, notesByOthers
        case files, records, books, goals, shelfTombstones, shelfWrites, shelf
        case role, restrictions, restricted, newAccountActs, evidence, appeals, decisions, reportedThings

        fileprivate var table: SQL {
            switch self {
            case .home: "timeline"
            case .popularity: "popular_accounts"
            case .bookmarks: "bookmarks"
            case .projectBookmarks: "project_bookmarks"
            case .conversationMutes: "conversation_mutes"
            case .conversations: "conversations"
            case .idempotencyKeys: "idempotency_keys"
            case .blocks, .blocksByOthers: "blocks"
            case .mutes, .mutesByOthers: "mutes"
            case .notes, .notesByOthers: "account_notes"
            case .files: "media"
            case .records: "reading_records"
            case .books: "shelf_books"
            case .goals: "reading_goals"
            case .shelfTombstones: "shelf_tombstones"
            case .shelfWrites: "shelf_writes"
            case .shelf: "shelves"
            case .role: "roles"
            case .restrictions: "restrictions"
            case .restricted: "restricted_accounts"
            case .newAccountActs: "new_account_acts"
            case .evidence: "evidence"
            case .appeals: "appeals"
            case .decisions: "decisions"
            case .reportedThings: "report_things"
            }
        }

        /// The primary key.
        fileprivate var key: SQL {
            switch self {
            case .home, .bookmarks: "account_id, post_id"
            case .popularity, .shelf, .role, .restricted: "account_id"
            case .projectBookmarks: "account_id, project_id"
            case .conversationMutes: "account_id, conversation_id"
            case .conversations, .files, .records, .books, .decisions: "id"
            case .idempotencyKeys, .shelfWrites: "account_id, key"
            case .blocks, .blocksByOthers, .mutes, .mutesByOthers, .notes, .notesByOthers: "account_id, target_id"
            case .goals: "account_id, year, month"
            case .shelfTombstones: "account_id, version"
            case .restrictions: "account_id, kind, decision_id"
            case .newAccountActs: "account_id, act"
            case .evidence, .appeals: "decision_id"
            case .reportedThings: "report_id, kind, thing_id"
            }
        }

        fileprivate func condition(_ account: AccountID) -> SQL {
            switch self {
            case .blocksByOthers, .mutesByOthers, .notesByOthers: "target_id = \(account)"
            case .files: "owner_id = \(account)"
            case .evidence: "decision_id IN (SELECT id FROM decisions WHERE account_id = \(account))"
            default: "account_id = \(account)"
            }
        }
    }

    /// - Returns: how many rows went.
    static func delete(
        _ belongings: Belongings,
        of account: AccountID,
        in transaction: some Transacting
    ) async throws -> Int {
        let (table, key) = (belongings.table, belongings.key)
        return try await transaction.query(
            """
            DELETE FROM \(table)
            WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(belongings.condition(account)) LIMIT 500)
            """
        ).affected
    }

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

    /// What says who reported or moderated, and stays.
    enum Deeds: CaseIterable, Sendable {
        case reports, assignments, closings, notes, decisions, appeals, log, logOfOthers

        fileprivate var table: SQL {
            switch self {
            case .reports, .assignments, .closings: "reports"
            case .notes: "report_notes"
            case .decisions: "decisions"
            case .appeals: "appeals"
            case .log, .logOfOthers: "moderation_log"
            }
        }

        fileprivate var key: SQL { self == .appeals ? "decision_id" : "id" }

        fileprivate var account: SQL {
            switch self {
            case .reports: "reporter_id"
            case .assignments: "assigned_id"
            case .closings: "closed_id"
            case .notes, .logOfOthers: "account_id"
            case .decisions, .appeals, .log: "moderator_id"
            }
        }

        /// What nobody sees to is to be assigned anew.
        fileprivate var assignments: SQL {
            switch self {
            case .reports: "reporter_id = 0, comment = ''"
            case .assignments: "assigned_id = NULL"
            default: "\(account) = 0"
            }
        }
    }

    /// Makes nobody of who reported or moderated, and of whom the log is about.
    ///
    /// - Returns: how many rows.
    static func disown(_ deeds: Deeds, of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE \(deeds.table)
            SET \(deeds.assignments)
            WHERE \(deeds.key) IN (
                SELECT \(deeds.key) FROM \(deeds.table) WHERE \(deeds.account) = \(account) LIMIT 500
            )
            """
        ).affected
    }

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

    /// What names people.
    enum Naming: CaseIterable, Sendable {
        case posts, edits, projects

        fileprivate var table: SQL {
            switch self {
            case .posts: "posts"
            case .edits: "post_edits"
            case .projects: "projects"
            }
        }

        fileprivate var key: SQL {
            switch self {
            case .posts, .projects: "id"
            case .edits: "post_id, created_at"
            }
        }
    }

    /// Makes nobody of an account that others named; their words stay theirs.
    ///
    /// - Returns: how many rows.
    static func unname(_ account: AccountID, in naming: Naming, _ transaction: some Transacting) async throws -> Int {
        let rest: SQL = """
            FROM unnest(t.mentioned_ids, t.mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> \(account)
            """
        return try await transaction.query(
            """
            UPDATE \(naming.table) t
            SET mentioned_ids = ARRAY(SELECT m.id \(rest) ORDER BY m.place),
                mentioned_names = ARRAY(SELECT m.name \(rest) ORDER BY m.place)
            WHERE (\(naming.key)) IN (
                SELECT \(naming.key) FROM \(naming.table)
                WHERE mentioned_ids @> ARRAY[CAST(\(account) AS bigint)] AND mentioned_ids <> '{}'
                LIMIT 200
            )
            """
        ).affected
    }

    static func unnameInProjectEdits(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE project_edits e
            SET form = jsonb_set(
                e.form,
                '{mentions}',
                (
                    SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
                    FROM jsonb_array_elements(e.form -> 'mentions') WITH ORDINALITY m (value, place)
                    WHERE m.value ->> 'id' <> CAST(\(account) AS bigint)::text
                )
            )
            WHERE (project_id, created_at) IN (
                SELECT project_id, created_at FROM project_edits
                WHERE form -> 'mentions'
                    @> jsonb_build_array(jsonb_build_object('id', CAST(\(account) AS bigint)::text))
                LIMIT 200
            )
            """
        ).affected
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

    /// Tombstones of whom.
    enum Tombstones: CaseIterable, Sendable {
        case posts, projects

        fileprivate var table: SQL {
            switch self {
            case .posts: "posts"
            case .projects: "projects"
            }
        }

        fileprivate var account: SQL {
            switch self {
            case .posts: "account_id"
            case .projects: "leader_id"
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
        let (table, column) = (tombstones.table, tombstones.account)
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

    static func deleteAccount(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query("DELETE FROM accounts WHERE id = \(account)").affected
    }
}
