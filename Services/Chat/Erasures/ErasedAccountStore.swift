// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what chat has of an account that was deleted.

import Domain
import Postgres
import Serving

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// What is an account's own, or about it, and what nobody else needs.
    static let belongings = [
        AccountRows("channel_members", by: "channel_id, account_id"),
        AccountRows("playground_members", by: "playground_id, account_id"),
        AccountRows("playground_bans", by: "playground_id, account_id"),
        AccountRows("invites", by: "code", of: "creator_id"),
        AccountRows("message_mentions", by: "channel_id, account_id, seq"),
        AccountRows("blocks", by: "blocker_id, blocked_id", of: "blocker_id"),
        AccountRows("blocks", as: "blocks by others", by: "blocker_id, blocked_id", of: "blocked_id"),
        AccountRows("project_room_members", by: "project_id, account_id"),
        AccountRows("media", by: "id", of: "owner_id"),
        AccountRows("restricted_accounts", by: "account_id"),
        AccountRows("new_account_acts", by: "account_id, act"),
    ]

    static let account = AccountRows("accounts", by: "id", of: "id")

    /// Who did something that stays. A channel may be nobody's.
    static let deeds = [
        AccountRows("messages", as: "pins", by: "id", of: "pinner_id").setting { _ in "pinner_id = 0" },
        AccountRows("playground_bans", as: "bans by it", by: "playground_id, account_id", of: "actor_id")
            .setting { _ in "actor_id = 0" },
        AccountRows("channels", by: "id", of: "owner_id").setting { _ in "owner_id = NULL" },
        rooms,
    ]

    /// A project whose leader is gone has ended.
    static let rooms = AccountRows("project_rooms", by: "project_id", of: "leader_id").setting { _ in
        "leader_id = 0, playground_id = NULL, ended_at = coalesce(ended_at, statement_timestamp())"
    }

    /// Messages that are deleted stay, and are nobody's.
    static let tombstones = AccountRows("messages", as: "tombstones", by: "id") {
        "author_id = \($0) AND author_id <> 0 AND deleted_at IS NOT NULL"
    }
    .setting { _ in "author_id = 0, client_id = NULL, client_hash = NULL" }

    /// Others' messages that name the account; their words stay theirs.
    static let naming = AccountRows("messages", as: "messages that name it", by: "id") {
        """
        mentions @> jsonb_build_array(jsonb_build_object('id', CAST(\($0) AS bigint)::text))
            AND mentions <> '[]'
        """
    }
    .setting {
        """
        mentions = (
            SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
            FROM jsonb_array_elements(mentions) WITH ORDINALITY m (value, place)
            WHERE m.value ->> 'id' <> CAST(\($0) AS bigint)::text
        )
        """
    }

    // MARK: Places

    static func playgrounds(
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [PlaygroundID] {
        try await transaction.query(
            """
            SELECT playground_id FROM playground_members
            WHERE account_id = \(account)
            ORDER BY playground_id
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// Who comes next as the owner of a playground: the admin who has been there longest, else the member.
    static func successor(
        of owner: AccountID,
        in playground: PlaygroundID,
        _ transaction: some Transacting
    ) async throws -> AccountID? {
        try await transaction.query(
            """
            SELECT account_id FROM playground_members
            WHERE playground_id = \(playground) AND account_id <> \(owner)
            ORDER BY role <> 'admin', joined_at, account_id
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    static func groups(
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [ChannelID] {
        try await transaction.query(
            """
            SELECT c.id
            FROM channel_members m
            JOIN channels c ON c.id = m.channel_id
            WHERE m.account_id = \(account) AND c.type = 'group' AND c.deleted_at IS NULL
            ORDER BY c.id
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// Puts nobody in the place of an account in its direct messages: whoever was written to keeps them.
    ///
    /// - Returns: how many channels.
    static func leaveDirectChannels(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT c.id
                FROM channel_members m
                JOIN channels c ON c.id = m.channel_id
                WHERE m.account_id = \(account) AND c.type = 'direct'
                ORDER BY c.id
                LIMIT 200
            ),
            -- One with oneself, or with somebody who has left too, has nobody to be kept for.
            alone AS (
                DELETE FROM channel_members m
                USING chosen x
                WHERE m.channel_id = x.id
                    AND NOT EXISTS (
                        SELECT FROM channel_members o
                        WHERE o.channel_id = x.id AND o.account_id NOT IN (0, \(account))
                    )
                RETURNING m.channel_id
            ),
            renamed AS (
                UPDATE channels c
                SET party = 'left ' || c.id,
                    deleted_at = CASE
                        WHEN c.id IN (SELECT channel_id FROM alone) THEN statement_timestamp()
                        ELSE c.deleted_at
                    END
                FROM chosen x
                WHERE c.id = x.id
            ),
            left_to_others AS (
                UPDATE channel_members m
                SET account_id = 0
                FROM chosen x
                WHERE m.channel_id = x.id AND m.account_id = \(account)
                    AND m.channel_id NOT IN (SELECT channel_id FROM alone)
            )
            SELECT id FROM chosen
            """
        ).count
    }

    // MARK: Messages

    /// Messages that are there, in the order in which their channels are held.
    static func messages(
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [(id: MessageID, channel: ChannelID)] {
        try await transaction.query(
            """
            SELECT id, channel_id
            FROM (
                SELECT id, channel_id FROM messages
                WHERE author_id = \(account) AND author_id <> 0 AND deleted_at IS NULL
                ORDER BY id
                LIMIT \(limit)
            ) m
            ORDER BY channel_id, id
            """
        ).all { (try $0.next(), try $0.next()) }
    }

    static func reactions(
        of account: AccountID,
        limit: Int,
        in transaction: some Transacting
    ) async throws -> [(message: MessageID, channel: ChannelID, emoji: String)] {
        try await transaction.query(
            """
            SELECT r.message_id, m.channel_id, r.emoji
            FROM (SELECT * FROM reactions WHERE account_id = \(account) LIMIT \(limit)) r
            CROSS JOIN LATERAL (SELECT m.channel_id FROM messages m WHERE m.id = r.message_id OFFSET 0) m
            ORDER BY m.channel_id, r.message_id
            """
        ).all { (try $0.next(), try $0.next(), try $0.next()) }
    }

    // MARK: The rest

    /// Takes the account's pictures from playgrounds.
    static func dropCovers(of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE playgrounds g
            SET cover_id = NULL
            FROM media f
            WHERE f.owner_id = \(account) AND g.cover_id = f.id AND g.cover_id IS NOT NULL
            """
        ).affected
    }
}
