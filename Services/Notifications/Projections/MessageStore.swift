// SPDX-License-Identifier: Apache-2.0
// The projection of messages that notifications show.

import Domain
import Events
import Postgres
import Views

enum MessageStore {
    /// Keeps the snapshot unless a newer one, or the deletion, is known; when repairing, also in place of what is known at
    /// the same version.
    static func keep(
        _ message: MessageSnapshot,
        repairing: Bool = false,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        let isNewer: SQL = repairing ? "excluded.change >= messages.change" : newer
        transaction.enqueue(
            """
            INSERT INTO messages (id, change, channel_id, seq, text, named, names_all, touched_at)
            SELECT \(message.id), \(message.change), \(message.channelID), \(message.seq),
                \(MessageExcerpt.text(of: message.text)), \(message.mentions.map(\.id).sorted()),
                \(message.wideMention == .channel), \(now)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(message.channelID))
            ON CONFLICT (id) DO UPDATE
            SET channel_id = excluded.channel_id, seq = excluded.seq, change = excluded.change, text = excluded.text, named = excluded.named,
                names_all = excluded.names_all, touched_at = excluded.touched_at
            WHERE \(isNewer)
            """
        )
    }

    private static let newer: SQL = """
        messages.text IS NOT NULL
            AND (
                excluded.change > messages.change
                -- What an entry shows is not forgotten before the entry.
                OR (
                    excluded.change = messages.change
                    AND messages.touched_at < excluded.touched_at - interval '1 day'
                )
            )
        """

    /// Forgets the message's text for ever.
    static func bury(_ message: MessageDeleted, at moment: Timestamp, in transaction: some Transacting) {
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
    }
}
