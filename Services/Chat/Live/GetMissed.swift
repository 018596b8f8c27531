// SPDX-License-Identifier: Apache-2.0
// POST /internal/missed: what a connection did not receive while it was away.

import Calls
import Domain
import Web

/// Messages after the numbers that a client has, and the changes that it does not know, channel by channel.
enum GetMissed {
    /// Messages of one answer, as a multiple of the limit of one channel.
    private static let channelsInFull = 4

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let asked = try MissedQuestion(request.parameters())
        let rows = try await GatewayStore.missed(
            of: account,
            asked.channels,
            limit: asked.limit,
            whole: asked.limit * channelsInFull,
            in: dependencies.database
        )
        let channels = channels(of: rows, limit: asked.limit).map { channel in
            channel.map { MessageView(message: $0, site: dependencies.site) }
        }
        return .json { MissedAnswer.write(channels, to: &$0) }
    }

    /// Rows of one channel follow each other.
    private static func channels(of rows: [MissedRow], limit: Int) -> [MissedChannel<MessageRow>] {
        var channels: [MissedChannel<MessageRow>] = []
        for row in rows {
            var channel = MissedChannel<MessageRow>(row.head, resync: row.resync)
            if let last = channels.last, last.head.id == row.head.id {
                channels.removeLast()
                channel = last
            }
            if let message = row.message, row.isNew == true { channel.messages.append(message) }
            if let message = row.message, row.isNew == false { channel.changed.append(message) }
            channels.append(channel)
        }
        return channels.map { $0.changed.count > limit ? MissedChannel($0.head, resync: true) : $0 }
    }
}
