// SPDX-License-Identifier: Apache-2.0
// A message as message_rows gives it.

import Domain
import Events
public import Postgres
import Serving

/// A file of a message: what is known of it.
struct AttachedFile: Sendable, Decodable {
    let id: MediaID
    /// Nil until it is ready.
    let media: MediaProcessed?
    let failed: Bool
}

/// A message with all that its answer needs.
struct MessageRow: Joined {
    let id: MessageID
    let channelID: ChannelID
    let playgroundID: PlaygroundID?
    let channelType: ChannelType
    let seq: Int64
    let change: Int64
    let author: Person
    let text: String
    let language: String?
    let attachmentIDs: [MediaID]
    let attachments: [AttachedFile]
    /// JSON as it is answered.
    let gif: JSONB?
    let replyToID: MessageID?
    let threadID: MessageID?
    let repliesCount: Int
    let lastReplyAt: Timestamp?
    /// JSON as it is answered.
    let reactions: JSONB?
    /// JSON as it is answered.
    let mentions: JSONB
    let wideMention: WideMention?
    let clientID: String?
    let pinnedAt: Timestamp?
    let pinnerID: AccountID?
    let createdAt: Timestamp
    let editedAt: Timestamp?
    let deletedAt: Timestamp?
    /// The preview of its link.
    let card: CardSnapshot?

    /// The columns of `message_rows r` that `init(columns:)` reads.
    static let list = ColumnList(
        "r",
        """
        id, channel_id, playground_id, type, seq, change, author_id, username, display_name, avatar,
        author_hidden, text, language, attachment_ids, attachments, gif, reply_to_id, thread_id, replies, last_reply_at,
        reactions, mentions, wide_mention, client_id, pinned_at, pinner_id, created_at, edited_at,
        deleted_at, card
        """
    )

    init(columns: inout Columns) throws {
        id = try columns.next()
        channelID = try columns.next()
        playgroundID = try columns.next()
        channelType = try columns.next()
        seq = try columns.next()
        change = try columns.next()
        author = try columns.next()
        text = try columns.next()
        language = try columns.next()
        attachmentIDs = try columns.next()
        attachments = try columns.next(JSONB?.self)?.snapshot() ?? []
        gif = try columns.next()
        replyToID = try columns.next()
        threadID = try columns.next()
        repliesCount = try columns.next()
        lastReplyAt = try columns.next()
        reactions = try columns.next()
        mentions = try columns.next()
        wideMention = try columns.next()
        clientID = try columns.next()
        pinnedAt = try columns.next()
        pinnerID = try columns.next()
        createdAt = try columns.next()
        editedAt = try columns.next()
        deletedAt = try columns.next()
        card = try columns.next()
    }

    /// As events carry it.
    func snapshot() throws -> MessageSnapshot {
        MessageSnapshot(
            id: id,
            channelID: channelID,
            seq: seq,
            authorID: author.id,
            text: text,
            language: language,
            attachmentIDs: attachmentIDs,
            gif: try gif?.snapshot(),
            replyToID: replyToID,
            threadID: threadID,
            mentions: try mentions.snapshot(),
            wideMention: wideMention,
            createdAt: createdAt,
            editedAt: editedAt,
            deletedAt: deletedAt,
            change: change
        )
    }
}

extension WideMention: ColumnWord {}

extension Rows {
    /// The messages of rows that have nothing else; one without a message is left out.
    func messages() throws -> [MessageRow] {
        try all { try $0.next(MessageRow?.self) }.compactMap(\.self)
    }
}
