// SPDX-License-Identifier: Apache-2.0
// The SQL on who is in a channel.

import Domain
import Events
import Postgres

/// Reads and writes memberships of channels.
enum ChannelMemberStore {
    /// A membership that came to its end.
    struct Ended: Sendable {
        let channel: ChannelID
        let type: ChannelType
        let role: ChatRole
    }

    static func role(of account: AccountID, in channel: ChannelID, _ transaction: Transaction) async throws -> ChatRole?
    {
        let rows = try await transaction.query(
            "SELECT role FROM channel_members WHERE channel_id = \(channel) AND account_id = \(account)"
        )
        return try rows.first.map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Whether a row was made: false for who is in already. What was said before counts as read.
    static func insert(
        _ account: AccountID,
        into channel: ChannelID,
        role: ChatRole,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO channel_members (channel_id, account_id, role, last_read_seq, joined_at, version)
            SELECT id, \(account), \(role), last_seq, \(now), \(version) FROM channels WHERE id = \(channel)
            ON CONFLICT DO NOTHING
            """
        ).affected > 0
    }

    static func setRole(
        _ role: ChatRole,
        of account: AccountID,
        in channel: ChannelID,
        version: Int64,
        _ transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE channel_members SET role = \(role), version = \(version)
            WHERE channel_id = \(channel) AND account_id = \(account)
            """
        )
    }

    static func setNotifications(
        _ notify: NotifyLevel,
        mutedUntil: Timestamp?,
        of account: AccountID,
        in channel: ChannelID,
        version: Int64,
        _ transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE channel_members SET notify = \(notify), muted_until = \(mutedUntil), version = \(version)
            WHERE channel_id = \(channel) AND account_id = \(account)
            """
        )
    }

    static func delete(_ account: AccountID, from channel: ChannelID, in transaction: Transaction) {
        transaction.enqueue("DELETE FROM channel_members WHERE channel_id = \(channel) AND account_id = \(account)")
    }

    /// Ends all memberships of somebody in a playground's channels, direct ones among them. Whoever is just writing there
    /// is waited for.
    static func deleteAll(
        of account: AccountID,
        in playground: PlaygroundID,
        _ transaction: Transaction
    ) async throws -> [Ended] {
        transaction.enqueue(
            """
            SELECT 1
            FROM channels c
            JOIN channel_members m ON m.channel_id = c.id AND m.account_id = \(account)
            WHERE c.playground_id = \(playground)
            ORDER BY c.id
            FOR NO KEY UPDATE OF c
            """
        )
        return try await transaction.query(
            """
            WITH ended AS (
                DELETE FROM channel_members m
                USING channels c
                WHERE m.account_id = \(account) AND c.id = m.channel_id AND c.playground_id = \(playground)
                RETURNING c.id, c.type, m.role
            )
            SELECT id, type, role FROM ended ORDER BY id
            """
        ).map { row in
            var columns = row.columns
            return Ended(channel: try columns.next(), type: try columns.next(), role: try columns.next())
        }
    }

    /// Who comes next as the owner: the admin who has been there longest, else the member.
    static func successor(in channel: ChannelID, _ transaction: Transaction) async throws -> AccountID? {
        let rows = try await transaction.query(
            """
            SELECT account_id FROM channel_members
            WHERE channel_id = \(channel)
            ORDER BY role <> 'admin', joined_at, account_id
            LIMIT 1
            """
        )
        return try rows.first.map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Everyone in a channel.
    static func accounts(in channel: ChannelID, _ transaction: Transaction) async throws -> [AccountID] {
        try await transaction.query(
            "SELECT account_id FROM channel_members WHERE channel_id = \(channel) ORDER BY account_id"
        ).map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Everyone who is in the channel's playground, but not in the channel.
    static func outsiders(of channel: ChannelID, _ transaction: Transaction) async throws -> [AccountID] {
        try await transaction.query(
            """
            SELECT p.account_id
            FROM channels c
            JOIN playground_members p ON p.playground_id = c.playground_id
            WHERE c.id = \(channel) AND NOT EXISTS (
                SELECT FROM channel_members m WHERE m.channel_id = c.id AND m.account_id = p.account_id
            )
            ORDER BY p.account_id
            """
        ).map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Members, the newest account first; with `text`, those whose name holds it.
    static func list(
        of channel: ChannelID,
        text: String,
        _ page: Page,
        in database: Database
    ) async throws -> [Member] {
        try await database.query(
            """
            WITH page AS (
                SELECT a.id, m.role, m.joined_at
                FROM channel_members m
                JOIN accounts a ON a.id = m.account_id
                WHERE m.channel_id = \(channel) AND \(Person.isNamed(text)) AND \(page.cut("m.account_id"))
            )
            SELECT \(Person.columns), page.role, page.joined_at
            FROM page
            JOIN accounts a ON a.id = page.id
            ORDER BY a.id DESC
            """
        ).members()
    }
}
