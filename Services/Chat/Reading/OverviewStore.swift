// SPDX-License-Identifier: Apache-2.0
// The SQL of the overview: everything that somebody takes part in, in one statement.

import Domain
import Postgres

enum OverviewStore {
    /// A row for each conversation and for each playground without any: the channel with its membership and the role in
    /// its playground, the counts, the last message that is not deleted and, in the first of its rows, the playground.
    ///
    /// The numbers of rows to come are known by nobody in advance: `OFFSET 0` keeps each lookup a lookup.
    static func overview(of reader: AccountID) -> SQL {
        """
        SELECT
            m.channel_id, e.*, m.role, m.requested, m.last_read_seq, m.notify, m.muted_until, m.joined_at, m.version, p.role,
            u.unread, u.mentions, l.*, f.id, f.*, p.role
        FROM (
            SELECT m.*, c.playground_id, c.last_seq, row_number() OVER (PARTITION BY c.playground_id) AS place
            FROM channel_members m
            CROSS JOIN LATERAL (
                SELECT c.playground_id, c.last_seq
                FROM channels c
                WHERE c.id = m.channel_id AND c.deleted_at IS NULL
                OFFSET 0
            ) c
            WHERE m.account_id = \(reader) AND NOT m.requested
        ) m
        FULL JOIN (SELECT * FROM playground_members WHERE account_id = \(reader)) p
            ON p.playground_id = m.playground_id
        LEFT JOIN LATERAL (SELECT e.* FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0) e ON true
        LEFT JOIN LATERAL unread_after(m.channel_id, \(reader), m.last_read_seq, m.last_seq) u ON true
        LEFT JOIN LATERAL (
            SELECT r.*
            FROM (
                SELECT x.id
                FROM messages x
                WHERE x.channel_id = m.channel_id AND x.deleted_at IS NULL
                ORDER BY x.seq DESC
                LIMIT 1
            ) x
            CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = x.id OFFSET 0) r
        ) l ON true
        LEFT JOIN LATERAL (
            SELECT f.* FROM playground_entries f WHERE f.id = p.playground_id AND coalesce(m.place, 1) = 1 OFFSET 0
        ) f ON true
        """
    }
}
