// SPDX-License-Identifier: Apache-2.0
// The SQL on direct messages: who meets where, and who has yet to accept.

import Domain
import Events
import Postgres
import Serving

/// What stands between somebody who opens direct messages and one of the others.
struct Relation: Sendable {
    let account: AccountID
    /// One way or the other.
    let isBlocked: Bool
    /// By a playground that both are in, or because they have written where both are.
    let knowsOpener: Bool
    /// True when no playground is given.
    let isInPlayground: Bool

    static let columns: SQL = "o.id, o.blocked, o.knows, o.inside"
}

/// Somebody who was brought into direct messages.
struct AddedMember: Sendable {
    let account: AccountID
    /// Whether they have yet to accept.
    let requested: Bool

    static let columns: SQL = "account_id, requested"
}

/// Direct messages with those who take part.
struct DirectChannel: Sendable {
    let members: [AccountID]
    let channel: ChannelRow

    static let columns: SQL = """
        ARRAY(
            SELECT m.account_id FROM channel_members m WHERE m.channel_id = e.id AND NOT m.requested ORDER BY 1
        ), \(ChannelRow.columns)
        """
}

/// Reads and writes direct channels.
enum DirectChannelStore {
    /// A direct channel as it is to be stored.
    struct NewChannel: Sendable {
        let id: ChannelID
        let type: ChannelType
        let playground: PlaygroundID?
        /// Everybody, the opener among them, in the order of their ids.
        let people: [AccountID]
        let moment: Timestamp
        let version: Int64

        var party: String { DirectChannelStore.party(people) }
    }

    /// What stands between the opener and each of the others; with a playground, whether they are in it.
    static func relations(
        of opener: AccountID,
        to others: [AccountID],
        in playground: PlaygroundID?,
        in database: some Querying
    ) async throws -> [Relation] {
        try await database.query(
            """
            SELECT \(Relation.columns)
            FROM (
                SELECT
                    o.id,
                    EXISTS (
                        SELECT
                        FROM blocks b
                        WHERE b.active AND (b.blocker_id, b.blocked_id) IN ((o.id, \(opener)), (\(opener), o.id))
                    ) OR \(RestrictedAccounts.isHidden("o.id")) AS blocked,
                    EXISTS (
                        SELECT
                        FROM playground_members a
                        JOIN playground_members b ON b.playground_id = a.playground_id
                        WHERE a.account_id = \(opener) AND b.account_id = o.id
                    ) OR EXISTS (
                        SELECT
                        FROM channel_members a
                        JOIN channel_members b ON b.channel_id = a.channel_id
                        JOIN channels c ON c.id = a.channel_id
                        WHERE a.account_id = \(opener) AND b.account_id = o.id AND c.party IS NOT NULL
                            AND EXISTS (
                                SELECT
                                FROM messages m
                                WHERE m.channel_id = c.id AND m.author_id = o.id AND m.deleted_at IS NULL
                            )
                    ) AS knows,
                    \(playground) IS NULL OR EXISTS (
                        SELECT
                        FROM playground_members p
                        WHERE p.playground_id = \(playground) AND p.account_id = o.id
                    ) AS inside
                FROM unnest(\(others)) o (id)
            ) o
            """
        ).all(as: Relation.init)
    }

    /// Whether a channel was made: false when these people meet already.
    static func insert(_ channel: NewChannel, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO channels (id, type, playground_id, name, description, party, created_at, updated_at, version)
            VALUES (
                \(channel.id), \(channel.type), \(channel.playground), '', '', \(channel.party), \(channel.moment),
                \(channel.moment), \(channel.version)
            )
            ON CONFLICT DO NOTHING
            """
        ).affected > 0
    }

    /// Where these people meet, held.
    static func find(_ channel: NewChannel, in transaction: some Transacting) async throws -> ChannelID? {
        try await transaction.query(
            """
            SELECT id
            FROM channels
            WHERE party = \(channel.party) AND coalesce(playground_id, 0) = coalesce(\(channel.playground), 0)
            FOR NO KEY UPDATE
            """
        ).one { try $0.next() }
    }

    /// Brings everybody into a channel that was just made.
    static func add(requested: [AccountID], to channel: NewChannel, in transaction: some Transacting) {
        transaction.enqueue(addition(requested, to: channel.id, channel))
    }

    /// Brings in those who are not there, and gives them.
    static func bringBack(
        _ channel: NewChannel,
        requested: [AccountID],
        to id: ChannelID,
        in transaction: some Transacting
    ) async throws -> [AddedMember] {
        try await transaction.query(addition(requested, to: id, channel)).all(as: AddedMember.init)
    }

    private static func addition(_ requested: [AccountID], to id: ChannelID, _ channel: NewChannel) -> SQL {
        """
        INSERT INTO channel_members (channel_id, account_id, role, requested, joined_at, version)
        SELECT \(id), p.id, 'member', p.id = ANY (\(requested)), \(channel.moment), \(channel.version)
        FROM unnest(\(channel.people)) p (id)
        ON CONFLICT DO NOTHING
        RETURNING \(AddedMember.columns)
        """
    }

    /// The membership's new version; nil when there was nothing to accept.
    static func accept(
        _ id: ChannelID,
        by account: AccountID,
        version: Int64,
        in transaction: some Transacting
    ) async throws -> Int64? {
        try await transaction.query(
            """
            UPDATE channel_members
            SET requested = false, declined_at = NULL, version = greatest(version + 1, \(version))
            WHERE channel_id = \(id) AND account_id = \(account) AND requested
            RETURNING version
            """
        ).one { try $0.next() }
    }

    /// Whether there was anything to decline.
    static func decline(
        _ id: ChannelID,
        by account: AccountID,
        at stamp: Stamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE channel_members
            SET declined_at = \(stamp.moment), version = greatest(version + 1, \(stamp.version))
            WHERE channel_id = \(id) AND account_id = \(account) AND requested AND declined_at IS NULL
            """
        ).affected > 0
    }

    /// The viewer's direct channels, the last opened first: those that they take part in, or requests that they have
    /// neither accepted nor declined.
    static func list(
        of viewer: AccountID,
        requested: Bool,
        in playground: PlaygroundID?,
        _ page: Page,
        in database: some Querying
    ) async throws -> [SeenChannel] {
        try await database.query(
            """
            SELECT \(SeenChannel.columns)
            FROM (
                SELECT m.channel_id, \(ChannelMembership.columns), c.playground_id
                FROM channel_members m
                JOIN channels c ON c.id = m.channel_id
                WHERE m.account_id = \(viewer) AND m.requested = \(requested) AND m.declined_at IS NULL
                    AND c.party IS NOT NULL
                    -- Who is hidden asks for nothing.
                    AND NOT (
                        m.requested AND EXISTS (
                            SELECT FROM channel_members o
                            WHERE o.channel_id = m.channel_id AND \(RestrictedAccounts.isHidden("o.account_id"))
                        )
                    )
                    AND (\(playground) IS NULL OR c.playground_id = \(playground))
                    AND \(page.cut("m.channel_id"))
            ) m
            CROSS JOIN LATERAL (
                SELECT \(ChannelRow.columns) FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0
            ) e
            LEFT JOIN playground_members p ON p.playground_id = m.playground_id AND p.account_id = \(viewer)
            ORDER BY m.channel_id DESC
            """
        ).all(SeenChannel.init(columns:))
    }

    /// Holds the direct channels of exactly two people, and moves their versions: whoever is just writing there either
    /// was first or looks again.
    static func hold(_ one: AccountID, _ other: AccountID, version: Int64, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH held AS MATERIALIZED (
                SELECT id FROM channels WHERE party = \(party([one, other].sorted())) ORDER BY id FOR NO KEY UPDATE
            )
            UPDATE channels SET version = greatest(version + 1, \(version)) WHERE id IN (SELECT id FROM held)
            """
        )
    }

    /// A group that somebody has left is where no set of people meets: opening messages with all who were in it makes
    /// another, so that nobody is brought back to what was said without them.
    static func dissolve(_ id: ChannelID, in transaction: some Transacting) {
        transaction.enqueue("UPDATE channels SET party = 'left ' || id WHERE id = \(id)")
    }

    /// The direct channels of exactly two people.
    static func between(
        _ one: AccountID,
        _ other: AccountID,
        in database: some Querying
    ) async throws -> [DirectChannel] {
        try await database.query(
            """
            SELECT \(DirectChannel.columns)
            FROM channels c
            CROSS JOIN LATERAL (SELECT \(ChannelRow.columns) FROM channel_entries e WHERE e.id = c.id OFFSET 0) e
            WHERE c.party = \(party([one, other].sorted()))
            ORDER BY c.id
            """
        ).all(as: DirectChannel.init)
    }

    /// The same people meet in one place.
    private static func party(_ sorted: [AccountID]) -> String { sorted.map(\.description).joined(separator: ",") }
}
