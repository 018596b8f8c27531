// SPDX-License-Identifier: Apache-2.0
// The SQL on conversations: direct posts by the people among whom they are.

import Domain
import Postgres

/// A conversation as one of the people in it sees it.
struct Conversation: Sendable {
    let id: ConversationID
    let account: AccountID
    let unread: Bool
    /// Everybody in it, the account too.
    let party: [AccountID]
    let last: StatusRow

    /// Of `conversations c`, and of `viewer_marks(…) v` and the view `entries e` of its last post.
    static let columns: SQL = "c.id, c.account_id, c.unread, c.party, \(StatusRow.columns)"
}

/// Statements on `conversations`: a row for each of the people of a thread's direct posts among the same people.
enum ConversationStore {
    private static let party: SQL = "party_of(p.account_id, p.mentioned_ids)"

    /// Whether the conversation `c` is to be shown: something came since it was put away.
    private static let isListed: SQL = "c.last_post_id > c.cleared_id"

    /// Puts a direct post into the conversations of those whom it concerns and who want to hear of its author. What is newer
    /// stays the last.
    ///
    /// - Returns: the conversations that it changed.
    static func follow(_ post: PostID, in transaction: some Transacting) async throws -> [ConversationID] {
        try await transaction.query(
            """
            WITH post AS MATERIALIZED (
                SELECT p.id, p.account_id, p.conversation_id, \(party) AS party
                FROM posts p
                WHERE p.id = \(post) AND p.visibility = 'direct' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
            )
            INSERT INTO conversations (account_id, thread_id, party, last_post_id, unread)
            SELECT member.id, p.conversation_id, p.party, p.id, member.id <> p.account_id
            FROM post p
            CROSS JOIN LATERAL unnest(p.party) member (id)
            WHERE \(Visible.isShown("p.account_id", to: "member.id"))
            ORDER BY member.id
            ON CONFLICT (thread_id, account_id, party) DO UPDATE
            SET last_post_id = excluded.last_post_id, unread = excluded.unread
            WHERE excluded.last_post_id > conversations.last_post_id
            RETURNING id
            """
        ).all { try $0.next() }
    }

    /// Takes a post that was deleted, or is now among others, out of the conversations whose last it was: the one before
    /// takes its place. A conversation with none goes.
    ///
    /// - Returns: the conversations that have another last post.
    static func leave(_ post: PostID, in transaction: some Transacting) async throws -> [ConversationID] {
        try await transaction.query(
            """
            WITH stale AS MATERIALIZED (
                SELECT c.id, (
                    SELECT e.id
                    FROM posts e
                    WHERE e.conversation_id = c.thread_id AND e.visibility = 'direct' AND e.deleted_at IS NULL
                        AND e.id < \(post) AND party_of(e.account_id, e.mentioned_ids) = c.party
                        AND NOT \(Visible.hasBlock("e.account_id", with: "c.account_id"))
                    ORDER BY e.id DESC
                    LIMIT 1
                ) AS before_id
                FROM posts p
                JOIN conversations c ON c.thread_id = p.conversation_id AND c.last_post_id = p.id
                WHERE p.id = \(post) AND p.visibility = 'direct' AND (p.deleted_at IS NOT NULL OR c.party <> \(party))
                ORDER BY c.account_id
                FOR UPDATE OF c
            ),
            gone AS (
                DELETE FROM conversations c USING stale s WHERE c.id = s.id AND s.before_id IS NULL
            )
            UPDATE conversations c
            SET last_post_id = s.before_id
            FROM stale s
            WHERE c.id = s.id AND s.before_id IS NOT NULL
            RETURNING c.id
            """
        ).all { try $0.next() }
    }

    /// Some conversations as those see them whose they are.
    static func conversations(
        _ ids: [ConversationID],
        in database: some Querying
    ) async throws -> [Conversation] {
        try await database.query(
            """
            SELECT \(Conversation.columns)
            FROM unnest(\(ids)) wanted (id)
            JOIN conversations c ON c.id = wanted.id
            \(StatusRow.lookedUp(by: "c.last_post_id"))
            CROSS JOIN LATERAL viewer_marks(c.account_id, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
            WHERE \(isListed)
            ORDER BY c.account_id
            """
        ).all(as: Conversation.init)
    }

    /// A page of somebody's conversations, those of the newest posts first; the list is paged by the last posts.
    static func page(
        _ page: Page,
        of account: AccountID,
        in database: some Querying
    ) async throws -> [Conversation] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT near.id, near.last_post_id
                FROM (
                    SELECT c.id, c.last_post_id
                    FROM conversations c
                    JOIN posts p ON p.id = c.last_post_id
                    WHERE c.account_id = \(account) AND \(page.holds("c.last_post_id")) AND \(isListed)
                        AND p.deleted_at IS NULL AND \(Visible.row("p", to: account))
                    ORDER BY c.last_post_id \(page.direction)
                    LIMIT 40
                ) near
                \(page.walk("near.last_post_id"))
            )
            SELECT \(Conversation.columns)
            FROM page
            JOIN conversations c ON c.id = page.id
            \(StatusRow.lookedUp(by: "page.last_post_id"))
            \(StatusRow.flags(of: account))
            ORDER BY page.last_post_id DESC
            """
        ).all(as: Conversation.init)
    }

    /// - Returns: whether there is such a conversation.
    static func mark(
        _ id: ConversationID,
        of account: AccountID,
        unread: Bool,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            UPDATE conversations c SET unread = \(unread)
            WHERE c.id = \(id) AND c.account_id = \(account) AND \(isListed)
            """
        ).affected > 0
    }

    /// Puts a conversation away until something new comes.
    ///
    /// - Returns: whether there is such a conversation.
    static func clear(_ id: ConversationID, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.query(
            """
            UPDATE conversations c SET cleared_id = c.last_post_id, unread = false
            WHERE c.id = \(id) AND c.account_id = \(account) AND \(isListed)
            """
        ).affected > 0
    }

    /// Takes somebody's conversations with a person away, for a block.
    static func forget(of account: AccountID, with other: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            "DELETE FROM conversations WHERE account_id = \(account) AND \(other) = ANY (party)"
        )
    }

    /// Deletes what stands behind the newest conversations of the next accounts. Nil: there are no accounts.
    static func trim(after account: AccountID?, to length: Int, in database: some Querying) async throws -> TrimStep? {
        let surplus: SQL = """
            surplus AS MATERIALIZED (
                SELECT b.id, v.id AS account_id
                FROM visited v
                CROSS JOIN LATERAL (
                    SELECT c.id
                    FROM conversations c
                    WHERE c.account_id = v.id
                    ORDER BY c.last_post_id DESC
                    OFFSET \(length)
                    LIMIT 1000
                ) b
                ORDER BY v.id
                LIMIT 5000
            )
            """
        let removal: SQL = "DELETE FROM conversations c USING surplus s WHERE c.id = s.id RETURNING 1"
        return try await database.query(TrimStep.statement(after: account, surplus: surplus, removal: removal))
            .one(as: TrimStep.init)
    }
}
