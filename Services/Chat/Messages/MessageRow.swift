// SPDX-License-Identifier: Apache-2.0
// A message as message_rows gives it.

import Domain
import Events
import Postgres
import Serving

/// A file of a message: what is known of it.
struct AttachedFile: Sendable, Decodable {
    let id: MediaID
    /// Nil until it is ready.
    let media: MediaProcessed?
    let failed: Bool
}

/// A message with all that its answer needs.
struct MessageRow: Sendable {
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

    /// Reads the columns of message_rows in the view's order, wherever they stand in a row.
    init(columns: inout Columns) throws {
        guard let row = try MessageRow.read(&columns) else {
            throw PostgresError.decoding(statement: "", column: 1, "no message")
        }
        self = row
    }

    /// Nil when an outer join found none.
    static func read(_ columns: inout Columns) throws -> MessageRow? {
        guard let id: MessageID = try columns.next() else { return nil }
        return try MessageRow(id, &columns)
    }

    /// The same with columns after it.
    static func readOrSkip(_ columns: inout Columns) throws -> MessageRow? {
        if let row = try read(&columns) { return row }
        try columns.skip(columnCount - 1)
        return nil
    }

    /// Of message_rows.
    static let columnCount = 27

    private init(_ id: MessageID, _ columns: inout Columns) throws {
        self.id = id
        channelID = try columns.next()
        playgroundID = try columns.next()
        channelType = try columns.next()
        seq = try columns.next()
        change = try columns.next()
        author = try Person(columns: &columns)
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

extension Columns {
    /// Passes over columns that an outer join left NULL.
    mutating func skip(_ count: Int) throws {
        for _ in 0..<count { _ = try next(Int64?.self) }
    }
}

extension Rows {
    func messages() throws -> [MessageRow] {
        try compactMap { row in
            var columns = row.columns
            return try MessageRow.read(&columns)
        }
    }
}
