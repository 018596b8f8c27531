// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/block and /unblock: two accounts are not to meet, or may meet again.

import Domain
import Events
import Outbox
import Web

/// Blocks an account; whatever followed between the two, in either direction, ends.
enum BlockAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePair.run(request, dependencies) { pair, transaction in
            let number = dependencies.ids.number()
            guard try await BlockStore.insertBlock(pair, id: number, in: transaction) else { return }
            try await pair.follow.end(dependencies, in: transaction)
            try await pair.followBack.end(dependencies, in: transaction)
            try await pair.follow.endRequest(dependencies, in: transaction)
            try await pair.followBack.endRequest(dependencies, in: transaction)
            let version = try await pair.nextVersion(dependencies, in: transaction)
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
            guard try await BlockStore.delete(.blocks, pair, in: transaction) else { return }
            let version = try await pair.nextVersion(dependencies, in: transaction)
            try transaction.record(
                AccountUnblocked(actorID: pair.actor, targetID: pair.target, subjectVersion: version)
            )
        }
    }
}
