// SPDX-License-Identifier: Apache-2.0
// What every change between two accounts has in common.

import Domain
import Postgres
import Views
import Web

/// Two different accounts that exist: who acts, and on whom.
struct Pair: Sendable {
    let actor: AccountID
    let target: AccountID
    let targetIsLocked: Bool

    /// The actor's of the target, and the other way round.
    var follow: Follow { Follow(follower: actor, followee: target) }
    var followBack: Follow { Follow(follower: target, followee: actor) }

    /// The version of an event of this pair.
    ///
    /// - Parameter number: of the entry that was made, if one was.
    func nextVersion(
        above number: Int64? = nil,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws -> Int64 {
        try await PairStore.nextVersion(of: actor, above: number ?? dependencies.ids.number(), in: transaction)
    }
}

/// Runs a change between the asking account and the account of the path, and answers with their relationship.
enum ChangePair {
    /// Both rows are locked in the order of their ids while `change` runs: changes of one pair wait for each other, so
    /// counts are exact, and no two changes can wait for each other in a circle. On oneself nothing is changed.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        _ change: @Sendable (Pair, Transaction) async throws -> Void
    ) async throws -> Answer {
        try await run(request, dependencies) { follow in
            try await dependencies.database.transaction { transaction in
                let pair = try await PairStore.lock([follow], in: transaction).first.flatMap(\.self)
                try await change(try pair.found(), transaction)
            }
            return nil
        }
    }

    /// The same for a change that depends on what is between the two already.
    ///
    /// - Parameter plainly: makes the change together with others where it can be, and gives the relationship; nil where it
    ///   cannot, and nothing is changed.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        plainly: @Sendable (Follow) async throws -> RelationshipView?,
        knowing change: @Sendable (Pair, PairStore.Ties, Transaction) async throws -> Void
    ) async throws -> Answer {
        try await run(request, dependencies) { follow in
            if let changed = try await plainly(follow) { return changed }
            try await dependencies.database.transaction { transaction in
                let (pairs, ties) = try await transaction.together(
                    { try await PairStore.lock([follow], in: $0) },
                    { try await PairStore.ties(of: [follow], in: $0) }
                )
                try await change(try pairs.first.flatMap(\.self).found(), try ties.first.found(), transaction)
            }
            return nil
        }
    }

    /// - Parameter change: gives the relationship where it was read with the change.
    private static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        between change: (Follow) async throws -> RelationshipView?
    ) async throws -> Answer {
        let account = try request.requireAccount()
        let follow = Follow(follower: account.id, followee: try request.id())
        try await EnsureAccount.run(account, dependencies)
        if follow.followee != account.id {
            guard try await AwaitAccount.run(follow.followee, dependencies) else { throw Problem.notFound }
            if let changed = try await change(follow) { return .json(changed) }
        }
        let relationships = try await RelationshipStore.relationships(
            of: [follow],
            now: dependencies.now(),
            in: dependencies.database
        )
        return .json(try relationships.first.flatMap(\.self).found())
    }
}
