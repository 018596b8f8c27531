// SPDX-License-Identifier: Apache-2.0
// The SQL on direct messages: who meets where, and who has yet to accept.

import Domain
import Events
import Postgres

/// Statements about direct channels.
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

        /// The same people meet in one place.
        var party: String { people.map(\.description).joined(separator: ",") }
    }

    /// What stands between the opener and each of the others: a block, one way or the other; whether they know the
    /// opener, by a playground that both are in or because they have written where both are; whether they are in the
    /// given playground.
    static func relations(of opener: AccountID, to others: [AccountID], in playground: PlaygroundID?) -> SQL {
        """
        SELECT
            o.id,
            EXISTS (
                SELECT
                FROM blocks b
                WHERE b.active AND (b.blocker_id, b.blocked_id) IN ((o.id, \(opener)), (\(opener), o.id))
            ),
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
            ),
            \(playground) IS NULL OR EXISTS (
                SELECT
                FROM playground_members p
                WHERE p.playground_id = \(playground) AND p.account_id = o.id
            )
        FROM unnest(\(others)) o (id)
        """
    }

    /// Keeps the playground's members until the end of the transaction.
    static func lock(_ playground: PlaygroundID) -> SQL {
        "SELECT 1 FROM playgrounds WHERE id = \(playground) FOR SHARE"
    }

    static func isMember(_ account: AccountID, of playground: PlaygroundID) -> SQL {
        "SELECT 1 FROM playground_members WHERE playground_id = \(playground) AND account_id = \(account)"
    }

    /// Affects no row when these people meet already.
    static func insert(_ channel: NewChannel) -> SQL {
        """
        INSERT INTO channels (id, type, playground_id, name, description, party, created_at, updated_at, version)
        VALUES (
            \(channel.id), \(channel.type), \(channel.playground), '', '', \(channel.party), \(channel.moment),
            \(channel.moment), \(channel.version)
        )
        ON CONFLICT DO NOTHING
        """
    }

    /// Where these people meet, locked.
    static func find(_ channel: NewChannel) -> SQL {
        """
        SELECT id
        FROM channels
        WHERE party = \(channel.party) AND coalesce(playground_id, 0) = coalesce(\(channel.playground), 0)
        FOR NO KEY UPDATE
        """
    }

    /// Brings in those who are not there, and gives them.
    static func add(_ people: [AccountID], requested: [AccountID], to id: ChannelID, _ channel: NewChannel) -> SQL {
        """
        INSERT INTO channel_members (channel_id, account_id, role, requested, joined_at, version)
        SELECT \(id), p.id, 'member', p.id = ANY (\(requested)), \(channel.moment), \(channel.version)
        FROM unnest(\(people)) p (id)
        ON CONFLICT DO NOTHING
        RETURNING account_id, requested
        """
    }

    /// Affects no row when there was nothing to accept.
    static func accept(_ id: ChannelID, by account: AccountID, version: Int64) -> SQL {
        """
        UPDATE channel_members
        SET requested = false, declined_at = NULL, version = greatest(version + 1, \(version))
        WHERE channel_id = \(id) AND account_id = \(account) AND requested
        RETURNING version
        """
    }

    /// Affects no row when there was nothing to decline.
    static func decline(_ id: ChannelID, by account: AccountID, at moment: Timestamp, version: Int64) -> SQL {
        """
        UPDATE channel_members
        SET declined_at = \(moment), version = greatest(version + 1, \(version))
        WHERE channel_id = \(id) AND account_id = \(account) AND requested AND declined_at IS NULL
        RETURNING version
        """
    }

    /// A channel with what the viewer is in it.
    static func seen(_ id: ChannelID, by viewer: AccountID) -> SQL {
        """
        SELECT e.*, m.role, m.requested, m.last_read_seq, m.notify, m.muted_until, m.joined_at, m.version, p.role
        FROM channel_entries e
        LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = \(viewer)
        LEFT JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = \(viewer)
        WHERE e.id = \(id)
        """
    }

    /// The viewer's direct channels, the last opened first: those that they take part in, or requests that they have
    /// neither accepted nor declined.
    static func list(of viewer: AccountID, requested: Bool, in playground: PlaygroundID?, _ page: Page) -> SQL {
        """
        SELECT e.*, m.role, m.requested, m.last_read_seq, m.notify, m.muted_until, m.joined_at, m.version, p.role
        FROM (
            SELECT m.*, c.playground_id
            FROM channel_members m
            JOIN channels c ON c.id = m.channel_id
            WHERE m.account_id = \(viewer) AND m.requested = \(requested) AND m.declined_at IS NULL
                AND c.party IS NOT NULL
                AND (\(playground) IS NULL OR c.playground_id = \(playground))
                AND \(page.cut("m.channel_id"))
        ) m
        CROSS JOIN LATERAL (SELECT e.* FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0) e
        LEFT JOIN playground_members p ON p.playground_id = m.playground_id AND p.account_id = \(viewer)
        ORDER BY m.channel_id DESC
        """
    }

    /// Holds the direct channels of exactly two people, and moves their versions: whoever is just writing there either
    /// was first or looks again.
    static func hold(_ one: AccountID, _ other: AccountID, version: Int64) -> SQL {
        """
        UPDATE channels SET version = greatest(version + 1, \(version)) WHERE party = \(party(one, other))
        """
    }

    private static func party(_ one: AccountID, _ other: AccountID) -> String {
        [one, other].sorted().map(\.description).joined(separator: ",")
    }

    /// The direct channels of exactly two people, with those of them who take part.
    static func between(_ one: AccountID, _ other: AccountID) -> SQL {
        """
        SELECT
            ARRAY(
                SELECT m.account_id
                FROM channel_members m
                WHERE m.channel_id = e.id AND NOT m.requested
                ORDER BY m.account_id
            ),
            e.*
        FROM channels c
        CROSS JOIN LATERAL (SELECT e.* FROM channel_entries e WHERE e.id = c.id OFFSET 0) e
        WHERE c.party = \(party(one, other))
        ORDER BY c.id
        """
    }
}
