// SPDX-License-Identifier: Apache-2.0
// GET /internal/channels/:id/messages and POST /internal/positions: what a gateway asks for itself.

import Domain
import Views
import Web

/// Messages of a channel after a number or a change, for a gateway that has seen a later one.
enum FillGap {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let channel: ChannelID = try request.id()
        let limit = try parameters.limit(default: 200, maximum: 500)
        let point: GapStart =
            if let change = try parameters.seq("after_change") {
                .change(change)
            } else {
                .seq(try parameters.seq("after_seq") ?? 0)
            }
        let gap = try await HistoryStore.gap(channel, after: point, limit: limit, in: dependencies.database)
        guard let gap else { throw Problem.notFound }
        return .json { json in
            json.member("messages", gap.messages.map { MessageView($0, site: dependencies.site) })
            json.member("last_seq", gap.head.lastSeq)
            json.member("last_change", gap.head.lastChange)
        }
    }
}

/// The newest number and change of each of some channels, for a gateway that has not heard for a while.
enum GetPositions {
    private static let most = 10_000

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let ids: [ChannelID] = try request.parameters().ids("channel_ids") ?? []
        guard ids.count <= most else { throw Problem.invalid("channel_ids", "too_many") }
        let heads = try await GatewayStore.heads(ids, in: dependencies.database)
        return .json { json in json.member("positions", heads.map(HeadView.init)) }
    }

    private struct HeadView: View {
        let head: ChannelHead

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("id", head.id)
                json.member("last_seq", head.lastSeq)
                json.member("last_change", head.lastChange)
            }
        }
    }
}
