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
            return GatewayStore.Known(channel: id, seq: seq, change: try channel.seq("change"))
        }
        guard known.count <= mostChannels else { throw Problem.invalid("channels", "too_many") }
        let missed = GatewayStore.missed(of: account, known, limit: limit, whole: limit * channelsInFull)
        let channels = try MissedChannel.read(try await dependencies.database.query(missed), limit: limit)
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
    let id: ChannelID
    let lastSeq: Int64
    let lastChange: Int64
    var resync: Bool
    var messages: [MessageRow] = []
    var changed: [MessageRow] = []

    /// Rows of one channel follow each other.
    static func read(_ rows: Rows, limit: Int) throws -> [MissedChannel] {
        var channels: [MissedChannel] = []
        for row in rows {
            var columns = row.columns
            var channel = MissedChannel(
                id: try columns.next(),
                lastSeq: try columns.next(),
                lastChange: try columns.next(),
                resync: try columns.next()
            )
            let isNew: Bool? = try columns.next()
            let message = try MessageRow.read(&columns)
            if let last = channels.last, last.id == channel.id {
                channels.removeLast()
                channel = last
            }
            if let message, isNew == true { channel.messages.append(message) }
            if let message, isNew == false { channel.changed.append(message) }
            channels.append(channel)
        }
        return channels.map { channel in
            guard channel.changed.count > limit else { return channel }
            return MissedChannel(id: channel.id, lastSeq: channel.lastSeq, lastChange: channel.lastChange, resync: true)
        }
    }

    func write(to json: inout JSONWriter, site: Site) {
        json.object { json in
            json.member("id", id)
            json.member("messages", messages.map { MessageView($0, site: site) })
            json.member("changed", changed.map { MessageView($0, site: site) })
            json.member("last_seq", lastSeq)
            json.member("last_change", lastChange)
            json.member("resync", resync)
        }
    }
}
