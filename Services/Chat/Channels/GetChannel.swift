// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/channels/:id: one channel.

import Web

/// Shows a channel, direct ones too, to who may see it.
enum GetChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(ChannelView(try await SeenChannel.find(request, dependencies), site: dependencies.site))
    }
}
