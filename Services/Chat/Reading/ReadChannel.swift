// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/read: somebody has read a channel.

import Domain
import Web

/// Moves the reader's position forward, to a message or to the newest; never back.
enum ReadChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        let channel: ChannelID = try request.id()
        let move = PositionMove.forward(to: try request.parameters().seq("seq"))
        return .json(PositionView(position: try await Position.move(move, of: reader, in: channel, dependencies)))
    }
}
