// SPDX-License-Identifier: Apache-2.0
// What every change between two accounts has in common.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Two different accounts that exist: who acts, and on whom.
struct Pair: Sendable {
    let actor: AccountID
    let target: AccountID
    let targetIsLocked: Bool
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
        let account = try request.requireAccount()
        let target: AccountID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        if target != account.id {
            guard try await AwaitAccount.run(target, dependencies) else { throw Problem.notFound }
            try await dependencies.database.transaction { transaction in
                try await change(try await lock(account.id, target, in: transaction), transaction)
            }
        }
        return try await answer(account.id, target, dependencies)
    }

    private static func answer(
        _ viewer: AccountID,
        _ target: AccountID,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let relationships = try await RelationshipStore.relationships(
            of: viewer,
            to: [target],
            now: dependencies.now(),
            in: dependencies.database
        )
        guard let relationship = relationships.first else { throw Problem.notFound }
        return .json(relationship)
    }

    private static func lock(
        _ actor: AccountID,
        _ target: AccountID,
        in transaction: Transaction
    ) async throws -> Pair {
        let rows = try await transaction.query(
            """
            SELECT id, locked
            FROM accounts
            WHERE id IN (\(actor), \(target))
            ORDER BY id
            FOR NO KEY UPDATE
            """
        )
        for row in rows {
            var columns = row.columns
            let id: AccountID = try columns.next()
            if id == target { return Pair(actor: actor, target: target, targetIsLocked: try columns.next()) }
        }
        throw Problem.notFound
    }
}

extension Dependencies {
    /// The id of an entry of a list; by this process's clock.
    func nextNumber() -> Int64 { ids.number() }

    /// The version of an event of a pair in which `actor` acts.
    ///
    /// - Parameter number: of the entry that was made, if one was.
    func nextVersion(
        of actor: AccountID,
        above number: Int64? = nil,
        in transaction: Transaction
    ) async throws -> Int64 {
        try await FollowStore.nextVersion(of: actor, above: number ?? nextNumber(), in: transaction)
    }

    /// Ends a follow, if there is one, and tells it.
    func endFollow(_ follower: AccountID, _ followee: AccountID, in transaction: Transaction) async throws {
        guard try await FollowStore.deleteFollow(follower, followee, in: transaction) else { return }
        _ = try await FollowStore.count(follower, followee, by: -1, in: transaction)
        let version = try await nextVersion(of: follower, in: transaction)
        try transaction.record(AccountUnfollowed(actorID: follower, targetID: followee, subjectVersion: version))
    }

    /// Ends a request to follow, if there is one, and tells it.
    ///
    /// - Returns: what the follow was to be like.
    @discardableResult
    func endRequest(
        _ follower: AccountID,
        _ followee: AccountID,
        in transaction: Transaction
    ) async throws -> FollowOptions? {
        let options = try await FollowStore.deleteRequest(follower, followee, in: transaction)
        if options != nil {
            let version = try await nextVersion(of: follower, in: transaction)
            try transaction.record(FollowRequestClosed(actorID: follower, targetID: followee, subjectVersion: version))
        }
        return options
    }

    /// Begins a follow, which must not be there, and tells it.
    func beginFollow(
        _ follower: AccountID,
        _ followee: AccountID,
        options: FollowOptions,
        in transaction: Transaction
    ) async throws {
        let number = nextNumber()
        FollowStore.insertFollow(follower, followee, id: number, options: options, in: transaction)
        let account = try await FollowStore.count(follower, followee, by: 1, in: transaction)
        let version = try await nextVersion(of: follower, above: number, in: transaction)
        try transaction.record(
            AccountFollowed(actor: account, targetID: followee, followedAt: now(), subjectVersion: version)
        )
    }
}
