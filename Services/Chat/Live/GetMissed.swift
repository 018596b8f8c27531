// SPDX-License-Identifier: Apache-2.0
// POST /internal/missed: what a connection did not receive while it was away.

import Domain
import Postgres
import Views
import Web

/// Messages after the numbers that a client has, and the changes that it does not know, channel by channel.
enum GetMissed {
    private static let mostChannels = 2000
    /// Messages of one answer, as a multiple of the limit of one channel.
    private static let channelsInFull = 4

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let parameters = try request.parameters()
        let limit = try parameters.limit(default: 500, maximum: 500)
        let known = try (parameters.list("channels") ?? []).map { channel in
            guard let id: ChannelID = try channel.id("id"), let seq = try channel.seq("seq") else {
                throw Problem.invalid("channels", "invalid")
            }
            return KnownChannel(channel: id, seq: seq, change: try channel.seq("change"))
        }
        guard known.count <= mostChannels else { throw Problem.invalid("channels", "too_many") }
        let rows = try await GatewayStore.missed(
            of: account,
            known,
            limit: limit,
            whole: limit * channelsInFull,
            in: dependencies.database
        )
        let channels = MissedChannel.channels(of: rows, limit: limit)
        return .json { json in
            json.member(
                "channels",
                array: { json in for channel in channels { channel.write(to: &json, site: dependencies.site) } }
            )
        }
    }
}

/// What was missed of one channel.
private struct MissedChannel: Sendable {
    let head: ChannelHead
    var resync: Bool
    var messages: [MessageRow] = []
    var changed: [MessageRow] = []

    /// Rows of one channel follow each other.
    static func channels(of rows: [MissedRow], limit: Int) -> [MissedChannel] {
        var channels: [MissedChannel] = []
        for row in rows {
            var channel = MissedChannel(head: row.head, resync: row.resync)
            if let last = channels.last, last.head.id == row.head.id {
                channels.removeLast()
                channel = last
            }
            if let message = row.message, row.isNew == true { channel.messages.append(message) }
            if let message = row.message, row.isNew == false { channel.changed.append(message) }
            channels.append(channel)
        }
        return channels.map { channel in
            channel.changed.count > limit ? MissedChannel(head: channel.head, resync: true) : channel
        }
    }

    func write(to json: inout JSONWriter, site: Site) {
        json.object { json in
            json.member("id", head.id)
            json.member("messages", messages.map { MessageView($0, site: site) })
            json.member("changed", changed.map { MessageView($0, site: site) })
            json.member("last_seq", head.lastSeq)
            json.member("last_change", head.lastChange)
            json.member("resync", resync)
        }
    }
}
