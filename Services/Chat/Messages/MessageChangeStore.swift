// SPDX-License-Identifier: Apache-2.0
// The SQL that changes messages. Each change moves the channel's count of changes, under the channel's lock.

import Domain
import Events
import Postgres

/// Statements that change a message and give its new `change`; no row when there was nothing to change.
///
/// Send `lock` before each: then it sees all that was before it.
enum MessageChangeStore {
    static func lock(_ channel: ChannelID) -> SQL {
        "SELECT 1 FROM channels WHERE id = \(channel) FOR NO KEY UPDATE"
    }

    static func edit(
        _ id: MessageID,
        _ revision: Message.Revision,
        names: Message.Names,
        at moment: Timestamp
    ) -> SQL {
        """
        WITH named AS MATERIALIZED (
            SELECT n.place, a.id, a.username
            FROM unnest(\(names.people.map(\.text))) WITH ORDINALITY n (name, place)
            CROSS JOIN LATERAL (SELECT a.id, a.username FROM accounts a WHERE a.username = n.name OFFSET 0) a
            CROSS JOIN LATERAL (
                SELECT
                FROM channel_members m
                WHERE m.channel_id = (SELECT x.channel_id FROM messages x WHERE x.id = \(id)) AND m.account_id = a.id
                OFFSET 0
            ) m
        ),
        edited AS (
            UPDATE messages m
            SET text = \(revision.text), language = coalesce(\(revision.language), m.language),
                mentions = coalesce(
                    (
                        SELECT jsonb_agg(jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.place)
                        FROM named n
                    ),
                    '[]'
                ),
                wide_mention = \(names.wide), edited_at = \(moment), change = c.last_change + 1
            FROM channels c
            WHERE m.id = \(id) AND m.deleted_at IS NULL AND c.id = m.channel_id AND c.archived_at IS NULL
                AND EXISTS (SELECT FROM channel_standing(c.id, m.author_id) s WHERE NOT s.blocked)
            RETURNING m.channel_id, m.seq, m.author_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = e.change FROM edited e WHERE c.id = e.channel_id
        ),
        forgotten AS (
            DELETE FROM message_mentions x
            USING edited e
            WHERE x.channel_id = e.channel_id AND x.seq = e.seq AND x.account_id NOT IN (SELECT n.id FROM named n)
        ),
        mentioned AS (
            INSERT INTO message_mentions (channel_id, account_id, seq)
            SELECT e.channel_id, n.id, e.seq FROM edited e CROSS JOIN named n WHERE n.id <> e.author_id
            ON CONFLICT DO NOTHING
        )
        SELECT e.change FROM edited e
        """
    }

    /// Leaves the number, and that there was something.
    static func delete(_ id: MessageID, at moment: Timestamp) -> SQL {
        """
        WITH deleted AS (
            UPDATE messages m
            SET text = '', language = NULL, attachment_ids = '{}', gif = NULL, mentions = '[]', wide_mention = NULL,
                pinned_at = NULL, pinner_id = NULL, deleted_at = \(moment), change = c.last_change + 1
            FROM channels c
            WHERE m.id = \(id) AND m.deleted_at IS NULL AND c.id = m.channel_id
            RETURNING m.id, m.channel_id, m.seq, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = d.change FROM deleted d WHERE c.id = d.channel_id
        ),
        unmentioned AS (
            DELETE FROM message_mentions x USING deleted d WHERE x.channel_id = d.channel_id AND x.seq = d.seq
        ),
        unreacted AS (
            DELETE FROM reactions r USING deleted d WHERE r.message_id = d.id
        )
        SELECT d.change FROM deleted d
        """
    }

    /// Pins a message unless the channel has as many pins as it may.
    static func pin(_ id: MessageID, by pinner: AccountID, at moment: Timestamp, most: Int) -> SQL {
        """
        WITH pinned AS (
            UPDATE messages m
            SET pinned_at = \(moment), pinner_id = \(pinner), change = c.last_change + 1
            FROM channels c
            WHERE m.id = \(id) AND m.pinned_at IS NULL AND m.deleted_at IS NULL AND c.id = m.channel_id
                AND c.archived_at IS NULL
                AND (
                    SELECT count(*) FROM messages p WHERE p.channel_id = m.channel_id AND p.pinned_at IS NOT NULL
                ) < \(most)
            RETURNING m.channel_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = p.change FROM pinned p WHERE c.id = p.channel_id
        )
        SELECT p.change FROM pinned p
        """
    }

    static func unpin(_ id: MessageID) -> SQL {
        """
        WITH unpinned AS (
            UPDATE messages m
            SET pinned_at = NULL, pinner_id = NULL, change = c.last_change + 1
            FROM channels c
            WHERE m.id = \(id) AND m.pinned_at IS NOT NULL AND c.id = m.channel_id AND c.archived_at IS NULL
            RETURNING m.channel_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = u.change FROM unpinned u WHERE c.id = u.channel_id
        )
        SELECT u.change FROM unpinned u
        """
    }

    /// Adds a reaction unless the message has as many different ones as it may.
    static func react(_ id: MessageID, _ emoji: String, by account: AccountID, at moment: Timestamp, most: Int) -> SQL {
        """
        WITH added AS (
            INSERT INTO reactions (message_id, emoji, account_id, created_at)
            SELECT m.id, \(emoji), \(account), \(moment)
            FROM messages m
            JOIN channels c ON c.id = m.channel_id
            WHERE m.id = \(id) AND m.deleted_at IS NULL AND c.archived_at IS NULL
                AND EXISTS (SELECT FROM channel_standing(c.id, \(account)) s WHERE NOT s.blocked)
                AND (
                    EXISTS (SELECT FROM reactions r WHERE r.message_id = m.id AND r.emoji = \(emoji))
                    OR (SELECT count(DISTINCT r.emoji) FROM reactions r WHERE r.message_id = m.id) < \(most)
                )
            ON CONFLICT DO NOTHING
            RETURNING message_id
        ),
        changed AS (
            UPDATE messages m
            SET change = c.last_change + 1
            FROM added a, channels c
            WHERE m.id = a.message_id AND c.id = m.channel_id
            RETURNING m.channel_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
        )
        SELECT x.change FROM changed x
        """
    }

    static func takeBack(_ id: MessageID, _ emoji: String, by account: AccountID) -> SQL {
        """
        WITH removed AS (
            DELETE FROM reactions r
            WHERE r.message_id = \(id) AND r.emoji = \(emoji) AND r.account_id = \(account)
            RETURNING r.message_id
        ),
        changed AS (
            UPDATE messages m
            SET change = c.last_change + 1
            FROM removed x, channels c
            WHERE m.id = x.message_id AND c.id = m.channel_id
            RETURNING m.channel_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
        )
        SELECT x.change FROM changed x
        """
    }

    /// Moves a message's `change` because one of its files did.
    static func touch(_ id: MessageID) -> SQL {
        """
        WITH changed AS (
            UPDATE messages m
            SET change = c.last_change + 1
            FROM channels c
            WHERE m.id = \(id) AND m.deleted_at IS NULL AND c.id = m.channel_id
            RETURNING m.channel_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
        )
        SELECT x.change FROM changed x
        """
    }
}
