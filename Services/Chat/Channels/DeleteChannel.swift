// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/channels/:id: a channel ends, with what was said in it.

import Domain
import Web

/// Takes a channel from everybody at once; its messages are removed by `Sweeps`.
enum DeleteChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .delete) { change in
            guard !change.channel.isDefault else { throw Problem.defaultChannel }
            let (work, playground) = (change.work, change.channel.playgroundID)
            let room = try await work.audience(of: change.channel)
            try Members.remove(change.id, of: playground, by: change.actor.id, in: work)
            try work.tell(.gone(change.id, from: playground), in: room, closed: [change.id])
        }
        return .empty
    }
}
