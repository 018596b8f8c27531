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
    /// - Returns: their relationship, where it was read with the change.
    typealias Change = @Sendable (Pair, PairStore.Ties, Transaction) async throws -> RelationshipView?

    /// Both rows are locked in the order of their ids while `change` runs: changes of one pair wait for each other, so
    /// counts are exact, and no two changes can wait for each other in a circle. On oneself nothing is changed.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        _ change: @escaping @Sendable (Pair, Transaction) async throws -> Void
    ) async throws -> Answer {
        try await run(
            request,
            dependencies,
            between: { actor, target, transaction in
                try await change(try await PairStore.lock(actor, target, in: transaction).found(), transaction)
                return nil
            }
        )
    }

    /// The same for a change that depends on what is between the two already.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        knowing change: @escaping Change
    ) async throws -> Answer {
        try await run(
            request,
            dependencies,
            between: { actor, target, transaction in
                let (pair, ties) = try await transaction.together(
                    { try await PairStore.lock(actor, target, in: $0) },
                    { try await PairStore.ties(of: actor, to: target, in: $0) }
                )
                return try await change(try pair.found(), ties, transaction)
            }
        )
    }

    private static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        between change: @Sendable (AccountID, AccountID, Transaction) async throws -> RelationshipView?
    ) async throws -> Answer {
        let account = try request.requireAccount()
        let target: AccountID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        if target != account.id {
            guard try await AwaitAccount.run(target, dependencies) else { throw Problem.notFound }
            let changed = try await dependencies.database.transaction { transaction in
                try await change(account.id, target, transaction)
            }
            if let changed { return .json(changed) }
        }
        return .json(
            try await relationship(of: account.id, to: target, dependencies, in: dependencies.database).found()
        )
    }

    static func relationship(
        of viewer: AccountID,
        to target: AccountID,
        _ dependencies: Dependencies,
        in database: some Querying
    ) async throws -> RelationshipView? {
        try await RelationshipStore.relationships(
            of: viewer,
            to: [target],
            now: dependencies.now(),
            in: database
        ).first
    }
}
