// SPDX-License-Identifier: Apache-2.0
// The projection of messages that notifications show, and the entries made of them.

import Domain
import Events
import Postgres
import Views

enum MessageStore {
    /// Entries of one channel that are kept for a person; older ones are renewed many times over.
    private static let kept = 50
    /// How long somebody who seems to be connected may be gone already: a gateway that was killed is missed after 30
    /// seconds, a client that vanished by a gateway after 45.
    private static let quiet = Duration.seconds(60)

    /// Keeps the snapshot unless a newer one, or the deletion, is known, and makes the mentions those of the newest form.
    static func keep(_ message: MessageSnapshot, at now: Timestamp, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO messages (id, change, channel_id, seq, text, named, names_all, touched_at)
            SELECT \(message.id), \(message.change), \(message.channelID), \(message.seq),
                \(MessageExcerpt.text(of: message.text)), \(message.mentions.map(\.id).sorted()),
                \(message.wideMention == .channel), \(now)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(message.channelID))
            ON CONFLICT (id) DO UPDATE
            SET change = excluded.change, text = excluded.text, named = excluded.named,
                names_all = excluded.names_all, touched_at = excluded.touched_at
            WHERE messages.text IS NOT NULL
                AND (
                    excluded.change > messages.change
                    -- What an entry shows is not forgotten before the entry.
                    OR (
                        excluded.change = messages.change
                        AND messages.touched_at < excluded.touched_at - interval '1 day'
                    )
                )
            """
        )
        transaction.enqueue(
            """
            UPDATE notifications n SET withdrawn = NOT n.withdrawn
            FROM messages m
            WHERE n.type = 'chat_mention' AND n.subject_id = \(message.id) AND m.id = n.subject_id
                AND n.withdrawn = (m.names_all OR n.account_id = ANY (m.named))
            """
        )
    }

    /// Forgets the message's text for ever, with what was told of it.
    static func bury(_ message: MessageDeleted, at moment: Timestamp, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO messages (id, change, channel_id, seq, named, names_all, touched_at)
            SELECT \(message.messageID), \(message.subjectVersion), \(message.channelID), \(message.seq), '{}', false,
                \(moment)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(message.channelID))
            ON CONFLICT (id) DO UPDATE
            SET change = greatest(messages.change, excluded.change), text = NULL, named = '{}', names_all = false,
                touched_at = greatest(messages.touched_at, excluded.touched_at)
            """
        )
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE type IN ('chat_mention', 'direct_message') AND subject_id = \(message.messageID)
            """
        )
    }

    /// Puts a message that was just kept into the lists of `recipients`, unless they have read it or left since. For those
    /// who seem to be `connected` it does not count as unread at once, unless something of the channel does already.
    static func raise(
        _ kind: NotificationKind,
        _ message: MessageSnapshot,
        in channel: ChannelSnapshot,
        for recipients: [AccountID],
        connected: [AccountID],
        ids: IDGenerator,
        at now: Timestamp,
        in transaction: Transaction
    ) throws {
        let newIDs = try recipients.map { _ in try ids.next(NotificationID.self) }
        let places = [channel.id.rawValue] + (channel.playgroundID.map { [$0.rawValue] } ?? [])
        // The rows are locked even where nothing changes: a reading that comes at the same time waits, and then sees the entry.
        transaction.enqueue(
            """
            INSERT INTO reads (channel_id, account_id, seq, touched_at)
            SELECT \(channel.id), r.account_id, 0, \(now) FROM unnest(\(recipients)) AS r (account_id)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(channel.id))
            ON CONFLICT (channel_id, account_id) DO UPDATE SET seq = reads.seq WHERE false
            """
        )
        transaction.enqueue(
            """
            INSERT INTO notifications (
                id, account_id, type, actor_id, subject_id, version, created_at, channel_id, seq, withdrawn,
                quiet_until
            )
            SELECT r.id, r.account_id, \(kind.rawValue), \(message.authorID), m.id, 0, \(message.createdAt),
                m.channel_id, m.seq,
                \(kind == .chatMention) AND NOT (m.names_all OR r.account_id = ANY (m.named)),
                CASE
                    WHEN r.account_id = ANY (\(connected)) AND NOT EXISTS (
                        SELECT FROM notifications o
                        WHERE o.channel_id = m.channel_id AND o.account_id = r.account_id
                            AND o.type = \(kind.rawValue) AND NOT o.dismissed
                    )
                    THEN \(message.createdAt + quiet)
                END
            FROM messages m, unnest(\(newIDs), \(recipients)) AS r (id, account_id)
            WHERE m.id = \(message.id) AND m.text IS NOT NULL
                AND NOT EXISTS (
                    SELECT FROM reads d
                    WHERE d.channel_id = m.channel_id AND d.account_id = r.account_id AND d.seq >= m.seq
                )
                AND NOT EXISTS (
                    SELECT FROM departures d
                    WHERE d.place_id = ANY (\(places)) AND d.account_id = r.account_id AND d.at >= \(message.createdAt)
                )
                AND NOT was_swept(r.account_id, \(message.authorID), \(message.createdAt))
                AND NOT EXISTS (
                    SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= \(message.createdAt)
                )
            ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING
            """
        )
        guard kind == .directMessage else { return }
        transaction.enqueue(
            """
            DELETE FROM notifications n
            USING unnest(\(recipients)) AS r (account_id)
            WHERE n.channel_id = \(channel.id) AND n.account_id = r.account_id AND n.type = 'direct_message'
                AND n.seq <= (
                    SELECT k.seq FROM notifications k
                    WHERE k.channel_id = \(channel.id) AND k.account_id = r.account_id AND k.type = 'direct_message'
                    ORDER BY k.seq DESC
                    OFFSET \(kept) LIMIT 1
                )
            """
        )
    }

    /// Removes some messages, deleted ones among them, that nothing was said of since a moment.
    static func forget(before moment: Timestamp) -> SQL {
        """
        DELETE FROM messages
        WHERE id IN (
            SELECT id FROM messages
            WHERE touched_at < \(moment)
            ORDER BY touched_at
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }
}
