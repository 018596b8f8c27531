// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what chat has of an account that was deleted.

import Domain
import Postgres

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// Rows that are an account's own, or about it, and that nobody else needs.
    enum Belongings: CaseIterable, Sendable {
        case memberships, playgroundMemberships, bans, invites, mentions, blocks, blocksByOthers, roomMemberships, files
        case restrictions, newAccountActs

        fileprivate var table: SQL {
            switch self {
            case .memberships: "channel_members"
            case .playgroundMemberships: "playground_members"
            case .bans: "playground_bans"
            case .invites: "invites"
            case .mentions: "message_mentions"
            case .blocks, .blocksByOthers: "blocks"
            case .roomMemberships: "project_room_members"
            case .files: "media"
            case .restrictions: "restricted_accounts"
            case .newAccountActs: "new_account_acts"
            }
        }

        /// The primary key.
        fileprivate var key: SQL {
            switch self {
            case .memberships: "channel_id, account_id"
            case .playgroundMemberships, .bans: "playground_id, account_id"
            case .invites: "code"
            case .mentions: "channel_id, account_id, seq"
            case .blocks, .blocksByOthers: "blocker_id, blocked_id"
            case .roomMemberships: "project_id, account_id"
            case .files: "id"
            case .restrictions: "account_id"
            case .newAccountActs: "account_id, act"
            }
        }

        /// The column with the account.
        fileprivate var account: SQL {
            switch self {
            case .memberships, .playgroundMemberships, .bans, .mentions, .roomMemberships, .restrictions,
                .newAccountActs:
                "account_id"
            case .invites: "creator_id"
            case .blocks: "blocker_id"
            case .blocksByOthers: "blocked_id"
            case .files: "owner_id"
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
            WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(belongings.account) = \(account) LIMIT 500)
            """
        ).affected
    }

    /// What says who did something that stays.
    enum Deeds: CaseIterable, Sendable {
        case pins, bans, channels, rooms

        fileprivate var table: SQL {
            switch self {
            case .pins: "messages"
            case .bans: "playground_bans"
            case .channels: "channels"
            case .rooms: "project_rooms"
            }
        }

        fileprivate var key: SQL {
            switch self {
            case .pins, .channels: "id"
            case .bans: "playground_id, account_id"
            case .rooms: "project_id"
            }
        }

        fileprivate var account: SQL {
            switch self {
            case .pins: "pinner_id"
            case .bans: "actor_id"
            case .channels: "owner_id"
            case .rooms: "leader_id"
            }
        }

        /// A channel may be nobody's, and a project whose leader is gone has ended.
        fileprivate var assignments: SQL {
            switch self {
            case .pins, .bans: "\(account) = 0"
            case .channels: "owner_id = NULL"
            case .rooms: "leader_id = 0, playground_id = NULL, ended_at = coalesce(ended_at, statement_timestamp())"
            }
        }
    }

    /// Makes nobody of who did something.
    ///
    /// - Returns: how many rows.
    static func disown(_ deeds: Deeds, of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE \(deeds.table)
            SET \(deeds.assignments)
            WHERE (\(deeds.key)) IN (
                SELECT \(deeds.key) FROM \(deeds.table) WHERE \(deeds.account) = \(account) LIMIT 500
            )
            """
        ).affected
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

    /// Makes tombstones nobody's.
    static func disownTombstones(of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE messages
            SET author_id = 0, client_id = NULL, client_hash = NULL
            WHERE id IN (
                SELECT id FROM messages
                WHERE author_id = \(account) AND author_id <> 0 AND deleted_at IS NOT NULL
                LIMIT 500
            )
            """
        ).affected
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

    /// Makes nobody of an account that others named; their words stay theirs.
    ///
    /// - Returns: how many messages.
    static func unname(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE messages t
            SET mentions = (
                SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
                FROM jsonb_array_elements(t.mentions) WITH ORDINALITY m (value, place)
                WHERE m.value ->> 'id' <> CAST(\(account) AS bigint)::text
            )
            WHERE t.id IN (
                SELECT id FROM messages
                WHERE mentions @> jsonb_build_array(jsonb_build_object('id', CAST(\(account) AS bigint)::text))
                    AND mentions <> '[]'
                LIMIT 500
            )
            """
        ).affected
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

    static func deleteAccount(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query("DELETE FROM accounts WHERE id = \(account)").affected
    }
}
