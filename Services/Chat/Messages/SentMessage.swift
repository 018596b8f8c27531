// SPDX-License-Identifier: Apache-2.0
// What is known of a message that was just sent, and why it was not.

import Domain
import Events
import Postgres

/// The row of `NewMessageStore.send`.
struct SentMessage: Columned {
    let access: ChannelAccess
    let earlier: (id: MessageID, isSame: Bool)?
    let isReplyThere: Bool
    let threadID: MessageID?
    let areFilesMine: Bool
    /// Whether it got a number, which is given back when there is no message.
    let hasTurn: Bool
    let author: AccountSnapshot?
    let message: MessageRow?
    /// In direct messages.
    let recipients: [AccountID]
    /// In a channel of a playground.
    let listeners: [AccountID]
    let mentioned: [AccountID]
    let mentionedIfConnected: [AccountID]
    /// Who has yet to accept.
    let requested: [AccountID]

    /// The columns of the statement's last part that `init(columns:)` reads. Whom to tell: those who want to hear of all
    /// that is said, in direct messages; those who asked to, in channels, unless the message names them; those who are named;
    /// those who are named if they are here; and who has yet to accept.
    static let columns: SQL = """
        \(ChannelAccess.columns), s.earlier_id, s.is_same, s.is_reply_there, s.thread_id, s.are_files_mine,
        s.is_allowed AND t.id IS NOT NULL, a.snapshot, \(MessageRow.columns), coalesce(o.recipients, '{}'),
        coalesce(o.listeners, '{}'), coalesce(o.mentioned, '{}'), coalesce(o.mentioned_if_connected, '{}'),
        CASE WHEN s.is_direct THEN ARRAY(
            SELECT o.account_id
            FROM channel_members o
            WHERE o.channel_id = s.id AND o.requested AND o.declined_at IS NULL
        ) ELSE '{}' END
        """

    init(columns: inout Columns) throws {
        access = try columns.next()
        let earlierID: MessageID? = try columns.next()
        let isSame: Bool? = try columns.next()
        earlier = earlierID.map { ($0, isSame == true) }
        isReplyThere = try columns.next()
        threadID = try columns.next()
        areFilesMine = try columns.next()
        hasTurn = try columns.next()
        author = try columns.next()
        message = try columns.next()
        recipients = try columns.next()
        listeners = try columns.next()
        mentioned = try columns.next()
        mentionedIfConnected = try columns.next()
        requested = try columns.next()
    }
}
