// SPDX-License-Identifier: Apache-2.0
// GET /internal/channels/:id/messages and POST /internal/positions: what a gateway asks for itself.

import Domain
import Postgres
import Views
import Web

/// Messages of a channel after a number or a change, for a gateway that has seen a later one.
enum FillGap {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let channel: ChannelID = try request.id()
        let limit = try parameters.limit(default: 200, maximum: 500)
        let gap =
            if let change = try parameters.seq("after_change") {
                HistoryStore.gap(channel, afterChange: change, limit: limit)
            } else {
                HistoryStore.gap(channel, after: try parameters.seq("after_seq") ?? 0, limit: limit)
            }
        let rows = try await dependencies.database.query(gap)
        guard let first = rows.first else { throw Problem.notFound }
        var head = first.columns
        let lastSeq: Int64 = try head.next()
        let lastChange: Int64 = try head.next()
        let messages = try rows.compactMap { row in
            var columns = row.columns
            try columns.skip(2)
            return try MessageRow.read(&columns)
        }
        return .json { json in
            json.member("messages", messages.map { MessageView($0, site: dependencies.site) })
            json.member("last_seq", lastSeq)
            json.member("last_change", lastChange)
        }
    }
}

/// The newest number and change of each of some channels, for a gateway that has not heard for a while.
enum GetPositions {
    private static let most = 10_000

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let ids: [ChannelID] = try request.parameters().ids("channel_ids") ?? []
        guard ids.count <= most else { throw Problem.invalid("channel_ids", "too_many") }
        let rows = try await dependencies.database.query(GatewayStore.positions(ids))
        let positions = try rows.map { row in
            var columns = row.columns
            return Standing(id: try columns.next(), lastSeq: try columns.next(), lastChange: try columns.next())
        }
        return .json { json in json.member("positions", positions) }
    }

    private struct Standing: View {
        let id: ChannelID
        let lastSeq: Int64
        let lastChange: Int64

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("id", id)
                json.member("last_seq", lastSeq)
                json.member("last_change", lastChange)
            }
        }
    }
}
