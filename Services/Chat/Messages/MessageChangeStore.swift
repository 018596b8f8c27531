// SPDX-License-Identifier: Apache-2.0
// The SQL that changes messages. Each change moves the channel's count of changes, under the channel's lock.

import Domain
import Events
import Postgres
import Serving
import Views

/// What can happen to a message after it was sent.
enum MessageChange: Sendable {
    case edit(Message.Revision, Message.Names, at: Timestamp)
    /// Leaves the number, and that there was something.
    case delete(at: Timestamp)
    /// Unless the channel has as many pins as it may.
    case pin(by: AccountID, at: Timestamp, most: Int)
    case unpin
    /// Unless the message has as many different emoji as it may.
    case react(String, by: AccountID, at: Timestamp, most: Int)
    case takeBackReaction(String, by: AccountID)
    /// One of its files is ready, or will never be.
    case attachmentChanged
    /// Its link has another preview.
    case cardChanged
}

enum MessageChangeStore {
    /// Changes a message. Hold its channel before: then the statement sees all that was before it.
    ///
    /// - Returns: whether there was anything to change.
    static func apply(
        _ change: MessageChange,
        to id: MessageID,
        in transaction: some Transacting
    ) async throws -> Bool {
        let statement: SQL =
            switch change {
            case .edit(let revision, let names, let moment): edit(id, revision, names: names, at: moment)
            case .delete(let moment): delete(id, at: moment)
            case .pin(let pinner, let moment, let most): pin(id, by: pinner, at: moment, most: most)
            case .unpin:
                update(
                    "pinned_at = NULL, pinner_id = NULL,",
                    "m.id = \(id) AND m.pinned_at IS NOT NULL AND c.archived_at IS NULL"
                )
            case .react(let emoji, let account, let moment, let most):
                react(id, emoji, by: account, at: moment, most: most)
            case .takeBackReaction(let emoji, let account): takeBack(id, emoji, by: account)
            case .attachmentChanged, .cardChanged: update("", "m.id = \(id) AND m.deleted_at IS NULL")
            }
        return try await !transaction.query(statement).isEmpty
    }

    /// Changes a message and gives its new `change`; no row when there was nothing to change.
    ///
    /// - Parameters:
    ///   - before: parts of the statement that the change looks at, each with a comma.
    ///   - assignments: of `messages m`, each with a comma.
    ///   - source: parts that the change follows from, each with a comma.
    ///   - condition: on `m`, its channel `c` and the source.
    ///   - after: parts that look at `changed x`, each with a comma before it.
    private static func update(
        before: SQL = "",
        _ assignments: SQL,
        from source: SQL = "",
        _ condition: SQL,
        after: SQL = ""
    ) -> SQL {
        """
        WITH \(before) changed AS (
            UPDATE messages m
            SET \(assignments) change = c.last_change + 1
            FROM \(source) channels c
            WHERE \(condition) AND c.id = m.channel_id
            RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
        ),
        turn AS (
            UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
        )\(after)
        SELECT x.change FROM changed x
        """
    }

    private static func edit(
        _ id: MessageID,
        _ revision: Message.Revision,
        names: Message.Names,
        at moment: Timestamp
    ) -> SQL {
        update(
            before: """
                named AS MATERIALIZED (
                    SELECT n.place, a.id, a.username
                    FROM unnest(\(names.people.map(\.text))) WITH ORDINALITY n (name, place)
                    CROSS JOIN LATERAL (SELECT a.id, a.username FROM accounts a WHERE a.username = n.name OFFSET 0) a
                    CROSS JOIN LATERAL (
                        SELECT
                        FROM channel_members m
                        WHERE m.channel_id = (SELECT x.channel_id FROM messages x WHERE x.id = \(id))
                            AND m.account_id = a.id
                        OFFSET 0
                    ) m
                ),
                """,
            """
            text = \(revision.text), language = coalesce(\(revision.language), m.language),
                mentions = coalesce(
                    (
                        SELECT jsonb_agg(jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.place)
                        FROM named n
                    ),
                    '[]'
                ),
                wide_mention = \(names.wide), edited_at = \(moment),
                link_hash = \(CardNews.hash(of: PostText.firstLink(in: revision.text))),
            """,
            """
            m.id = \(id) AND m.deleted_at IS NULL AND c.archived_at IS NULL
                AND EXISTS (SELECT FROM channel_standing(c.id, m.author_id) s WHERE NOT s.blocked)
            """,
            after: """
                ,
                forgotten AS (
                    DELETE FROM message_mentions n
                    USING changed x
                    WHERE n.channel_id = x.channel_id AND n.seq = x.seq AND n.account_id NOT IN (SELECT id FROM named)
                ),
                mentioned AS (
                    INSERT INTO message_mentions (channel_id, account_id, seq)
                    SELECT x.channel_id, n.id, x.seq FROM changed x CROSS JOIN named n WHERE n.id <> x.author_id
                    ON CONFLICT DO NOTHING
                )
                """
        )
    }

    private static func delete(_ id: MessageID, at moment: Timestamp) -> SQL {
        update(
            """
            text = '', language = NULL, attachment_ids = '{}', gif = NULL, mentions = '[]', wide_mention = NULL,
                link_hash = NULL,
                pinned_at = NULL, pinner_id = NULL, deleted_at = \(moment),
            """,
            "m.id = \(id) AND m.deleted_at IS NULL",
            after: """
                ,
                unmentioned AS (
                    DELETE FROM message_mentions n USING changed x WHERE n.channel_id = x.channel_id AND n.seq = x.seq
                ),
                unreacted AS (
                    DELETE FROM reactions r USING changed x WHERE r.message_id = x.id
                )
                """
        )
    }

    private static func pin(_ id: MessageID, by pinner: AccountID, at moment: Timestamp, most: Int) -> SQL {
        update(
            "pinned_at = \(moment), pinner_id = \(pinner),",
            """
            m.id = \(id) AND m.pinned_at IS NULL AND m.deleted_at IS NULL AND c.archived_at IS NULL
                AND (
                    SELECT count(*) FROM messages p WHERE p.channel_id = m.channel_id AND p.pinned_at IS NOT NULL
                ) < \(most)
            """
        )
    }

    private static func react(
        _ id: MessageID,
        _ emoji: String,
        by account: AccountID,
        at moment: Timestamp,
        most: Int
    ) -> SQL {
        update(
            before: """
                added AS (
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
                """,
            "",
            from: "added a,",
            "m.id = a.message_id"
        )
    }

    private static func takeBack(_ id: MessageID, _ emoji: String, by account: AccountID) -> SQL {
        update(
            before: """
                removed AS (
                    DELETE FROM reactions r
                    WHERE r.message_id = \(id) AND r.emoji = \(emoji) AND r.account_id = \(account)
                    RETURNING r.message_id
                ),
                """,
            "",
            from: "removed a,",
            "m.id = a.message_id"
        )
    }
}
