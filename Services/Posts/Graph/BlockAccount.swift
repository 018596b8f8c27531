// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/block and /unblock: two accounts are not to meet, or may meet again.

import Events
import Outbox
import Web

/// Blocks an account; whatever followed between the two, in either direction, ends.
enum BlockAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            let number = dependencies.nextNumber()
            guard try await BlockStore.insertBlock(pair, id: number, in: transaction) else { return }
            try await dependencies.endFollow(pair.actor, pair.target, in: transaction)
            try await dependencies.endFollow(pair.target, pair.actor, in: transaction)
            try await dependencies.endRequest(pair.actor, pair.target, in: transaction)
            try await dependencies.endRequest(pair.target, pair.actor, in: transaction)
            let version = try await dependencies.nextVersion(of: pair.actor, in: transaction)
            try transaction.record(
                AccountBlocked(actorID: pair.actor, targetID: pair.target, subjectVersion: version)
            )
        }
    }
}

/// Takes a block back; what it ended stays ended.
enum UnblockAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            guard try await BlockStore.deleteBlock(pair, in: transaction) else { return }
            let version = try await dependencies.nextVersion(of: pair.actor, in: transaction)
            try transaction.record(
                AccountUnblocked(actorID: pair.actor, targetID: pair.target, subjectVersion: version)
            )
        }
    }
}
