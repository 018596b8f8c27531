// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/transfer: a playground gets another owner.

import Domain
import Events
import Outbox
import Web

/// Makes a member the owner; who was it stays as an admin.
enum TransferPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target = try request.parameters().account()
        try await ChangePlayground.run(request, dependencies, .transfer) { change in
            guard target != change.actor.id else { return }
            let transaction = change.transaction
            guard try await MemberStore.role(of: target, in: .playground(change.id), in: transaction) != nil else {
                throw Problem.invalid("account_id", "inclusion")
            }
            AccountStore.lock(target, in: transaction)
            guard try await PlaygroundStore.owned(by: target, in: transaction) < dependencies.limits.ownedPlaygrounds
            else { throw Problem.tooMany("too-many-playgrounds") }
            let version = dependencies.nextNumber()
            PlaygroundStore.setOwner(change.id, target, at: dependencies.now(), version: version, in: transaction)
            try transaction.record(
                OwnershipTransferred(
                    playgroundID: change.id,
                    ownerID: target,
                    formerOwnerID: change.actor.id,
                    subjectVersion: version
                )
            )
            // Never two owners, not even for a moment.
            try await PlaygroundMembers.setRole(.admin, of: change.actor.id, in: change, dependencies)
            try await PlaygroundMembers.setRole(.owner, of: target, in: change, dependencies)
            guard let seen = try await PlaygroundStore.seen(change.id, by: target, in: transaction) else { return }
            try dependencies.announce(
                ChatUpdate(
                    channelID: change.everyone,
                    event: "playground",
                    payload: dependencies.news("updated", PlaygroundView(seen.playground))
                ),
                in: transaction
            )
        }
        return try await ChangePlayground.answer(request, dependencies)
    }
}
