// SPDX-License-Identifier: Apache-2.0
// GET /internal/channels/:id/messages and POST /internal/positions: what a gateway asks for itself.

import Calls
import Web

/// Messages of a channel after a number or a change, for a gateway that has seen a later one.
enum FillGap {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GapQuestion(request.parameters())
        let gap = try await HistoryStore.gap(
            request.id(),
            after: asked.start,
            limit: asked.limit,
            in: dependencies.database
        ).found()
        return .json(Gap(gap.head, gap.messages.map { MessageView(message: $0, site: dependencies.site) }))
    }
}

/// The newest number and change of each of some channels, for a gateway that has not heard for a while.
enum GetPositions {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let channels = try PositionsQuestion(request.parameters()).channels
        return .json(Positions(try await GatewayStore.heads(channels, in: dependencies.database)))
    }
}
