// SPDX-License-Identifier: Apache-2.0
// The SQL on messages: reading them.

import Domain
import Events
import Postgres
import Serving
import Views

enum MessageStore {
    /// A message, if the viewer may see it.
    static func seen(_ id: MessageID, by viewer: AccountID, in database: some Querying) async throws -> SeenMessage? {
        try await database.query(
            """
            SELECT \(SeenMessage.columns)
            FROM messages m
            CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = m.id OFFSET 0) r
            LEFT JOIN accounts a ON a.id = m.author_id
            WHERE m.id = \(id)
            """
        ).one(SeenMessage.init(columns:))
    }

    /// Those of the messages that there are and were not deleted, in the order in which they were asked for, in channels that
    /// the viewer may see.
    static func found(
        _ ids: [MessageID],
        by viewer: AccountID,
        in database: some Querying
    ) async throws -> [SeenMessage] {
        try await database.query(
            """
            SELECT \(SeenMessage.columns)
            FROM unnest(\(ids)) WITH ORDINALITY AS w (id, place)
            JOIN messages m ON m.id = w.id AND m.deleted_at IS NULL
            CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = m.id OFFSET 0) r
            LEFT JOIN accounts a ON a.id = m.author_id
            ORDER BY w.place
            """
        ).all(SeenMessage.init(columns:))
    }

    /// A message without asking who may see it: for its answer after a change, and for events.
    static func row(_ id: MessageID, in database: some Querying) async throws -> MessageRow? {
        try await database.query("SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = \(id)")
            .one(MessageRow.init(columns:))
    }

    /// A message with what tells whether it is still the same.
    struct Entry: Sendable {
        let edition: MessageEdition
        /// The number of its link's preview among what changes.
        let link: Int64?
        let message: MessageRow

        static let columns: SQL = "\(MessageEdition.columns), link_subject(x.link_hash), \(MessageRow.columns)"
    }

    static func entries(of ids: [MessageID], in database: some Querying) async throws -> [Entry] {
        try await database.query(
            """
            SELECT \(Entry.columns)
            FROM (\(MessageEdition.source) WHERE x.id = ANY (\(ids))) x
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = x.id OFFSET 0) r
            CROSS JOIN LATERAL (SELECT r.type, r.playground_id) e
            """
        ).all(as: Entry.init)
    }

    /// Removes some messages of deleted channels. Two processes take different ones.
    ///
    /// - Returns: how many; 0 when none is left.
    static func forget(in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM messages
            WHERE id IN (
                SELECT m.id
                FROM channels c
                JOIN messages m ON m.channel_id = c.id
                WHERE c.deleted_at IS NOT NULL
                LIMIT 2000
                FOR UPDATE OF m SKIP LOCKED
            )
            """
        ).affected
    }
}
