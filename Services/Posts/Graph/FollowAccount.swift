// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/follow: somebody wants to see what an account posts.

import Domain
import Events
import Outbox
import Web

/// Follows an account, asks a locked one, or changes how it is followed.
enum FollowAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let options = try options(try request.parameters())
        let target: AccountID = try request.id()
        guard target != (try request.requireAccount().id) else { throw Problem.forbidden }
        return try await ChangePair.run(request, dependencies) { pair, transaction in
            let standing = try await FollowStore.standing(pair, in: transaction)
            if standing.isBlocked { throw Problem.forbidden }
            if standing.isFollowing {
                FollowStore.updateFollow(pair, options: options, in: transaction)
            } else if standing.isRequested {
                FollowStore.updateRequest(pair, options: options, in: transaction)
            } else if pair.targetIsLocked {
                let number = dependencies.nextNumber()
                FollowStore.insertRequest(pair, id: number, options: options, in: transaction)
                let version = try await dependencies.nextVersion(of: pair.actor, above: number, in: transaction)
                try transaction.record(
                    FollowRequested(
                        actor: try await AccountStore.locked(pair.actor, in: transaction),
                        targetID: pair.target,
                        requestedAt: dependencies.now(),
                        subjectVersion: version
                    )
                )
            } else {
                try await dependencies.beginFollow(pair.actor, pair.target, options: options, in: transaction)
            }
        }
    }

    private static func options(_ parameters: Parameters) throws -> FollowOptions {
        let languages = try parameters.strings("languages")
        if let languages {
            guard languages.count <= 100, languages.allSatisfy({ $0.isEmpty || LanguageCode.isWellFormed($0) }) else {
                throw Problem.invalid("languages", "inclusion")
            }
        }
        return FollowOptions(
            showBoosts: try parameters.boolean("reblogs"),
            notify: try parameters.boolean("notify"),
            languages: languages?.filter { !$0.isEmpty }
        )
    }
}
