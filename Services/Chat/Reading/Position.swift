// SPDX-License-Identifier: Apache-2.0
// How far somebody has read a channel, and how much is left.

import Domain
import Events
import Postgres
import Views
import Web

/// How far somebody has read a channel that they see.
struct Position: Sendable {
    let access: ChannelAccess
    let lastSeq: Int64
    let lastReadSeq: Int64
    /// The membership's, when the position has just moved.
    let version: Int64?
    let unread: Int64
    let mentions: Int64

    /// Those of the channel, of the position `r` and of the counts `u`.
    static let columns: SQL = "\(ChannelAccess.columns), r.last_seq, r.read_seq, r.version, u.unread, u.mentions"

    /// Moves a position and tells the reader's other devices.
    static func move(
        _ move: PositionMove,
        of reader: AccountID,
        in channel: ChannelID,
        _ dependencies: Dependencies,
        check: @Sendable (Position) throws -> Void = { _ in }
    ) async throws -> Position {
        try await dependencies.transaction { work in
            ReadingStore.hold(channel, reader, in: work)
            let number = work.nextNumber()
            guard let position = try await ReadingStore.move(move, of: reader, in: channel, version: number, in: work)
            else { throw Problem.notFound }
            try position.access.require(.takePart)
            try check(position)
            guard let version = position.version else { return position }
            try work.record(
                ConversationRead(
                    channelID: channel,
                    accountID: reader,
                    lastReadSeq: position.lastReadSeq,
                    subjectVersion: version
                )
            )
            try work.tell(.read(position), to: [reader], version: version)
            return position
        }
    }
}

/// A position as answers and sockets have it.
struct PositionView: ObjectView {
    let position: Position
    var isAnswer = true

    func writeMembers(to json: inout JSONWriter) {
        json.member("channel_id", position.access.channel.id)
        json.member("unread_count", position.unread)
        json.member("mentions_count", position.mentions)
        json.member("last_read_seq", position.lastReadSeq)
        if isAnswer { json.member("last_seq", position.lastSeq) }
    }
}
