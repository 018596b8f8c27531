// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/join and /leave: somebody comes into a public channel, or goes out of one.

import Domain
import Web

/// Lets the asking person into a channel that they see; for one who is in already nothing changes.
enum JoinChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .join) { change in
            guard change.seen.membership == nil,
                let account = try await AccountStore.snapshot(change.actor.id, in: change.work)
            else { return }
            try await Members.enter(change.place, account, in: change.work)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }
}

/// Lets the asking person go; an owner must hand the channel on first.
enum LeaveChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeChannel.run(request, dependencies, .leave) { change in
            try await Members.leave(change.actor.id, in: change)
        }
        return .empty
    }
}
