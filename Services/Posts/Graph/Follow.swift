// SPDX-License-Identifier: Apache-2.0
// How follows and requests begin and end.

import Domain
import Events
import Outbox
import Postgres

/// A follow, or a request for one; whoever changes it holds the locks of both accounts.
struct Follow: Sendable {
    let follower: AccountID
    let followee: AccountID

    /// Begins a follow, which must not be there, and tells it.
    ///
    /// - Parameter reading: runs a statement that sees it, in the same round trip.
    func begin<Value: Sendable>(
        _ options: FollowOptions,
        _ dependencies: Dependencies,
        in transaction: Transaction,
        reading: @escaping @Sendable (OneStatement) async throws -> Value
    ) async throws -> Value {
        let number = dependencies.ids.number()
        FollowStore.insert(self, into: .follows, id: number, options: options, in: transaction)
        let (counted, value) = try await transaction.together(
            { try await FollowStore.count(self, by: 1, above: number, in: $0) },
            reading
        )
        try transaction.record(
            AccountFollowed(
                actor: counted.follower,
                targetID: followee,
                followedAt: dependencies.now(),
                subjectVersion: counted.version
            )
        )
        return value
    }

    func begin(_ options: FollowOptions, _ dependencies: Dependencies, in transaction: Transaction) async throws {
        try await begin(options, dependencies, in: transaction) { _ in }
    }

    /// Ends a follow, if there is one, and tells it.
    func end(_ dependencies: Dependencies, in transaction: Transaction) async throws {
        guard try await FollowStore.delete(self, from: .follows, in: transaction) != nil else { return }
        let number = dependencies.ids.number()
        let version = try await FollowStore.count(self, by: -1, above: number, in: transaction).version
        try tellEnd(version: version, in: transaction)
    }

    /// Ends a follow, which must be there, and tells it.
    ///
    /// - Parameter reading: runs a statement that sees it, in the same round trip.
    func end<Value: Sendable>(
        _ dependencies: Dependencies,
        in transaction: Transaction,
        reading: @escaping @Sendable (OneStatement) async throws -> Value
    ) async throws -> Value {
        let number = dependencies.ids.number()
        let (_, counted, value) = try await transaction.together(
            { try await FollowStore.delete(self, from: .follows, in: $0) },
            { try await FollowStore.count(self, by: -1, above: number, in: $0) },
            reading
        )
        try tellEnd(version: counted.version, in: transaction)
        return value
    }

    private func tellEnd(version: Int64, in transaction: Transaction) throws {
        try transaction.record(AccountUnfollowed(actorID: follower, targetID: followee, subjectVersion: version))
    }

    /// Begins a request, which must not be there, and tells it.
    func request(_ options: FollowOptions, _ dependencies: Dependencies, in transaction: Transaction) async throws {
        let number = dependencies.ids.number()
        FollowStore.insert(self, into: .requests, id: number, options: options, in: transaction)
        let version = try await PairStore.nextVersion(of: follower, above: number, in: transaction)
        guard let actor = try await AccountStore.account(follower, in: transaction) else { throw PostgresError.closed }
        try transaction.record(
            FollowRequested(
                actor: actor,
                targetID: followee,
                requestedAt: dependencies.now(),
                subjectVersion: version
            )
        )
    }

    /// Ends a request, if there is one, and tells it.
    ///
    /// - Returns: what the follow was to be like.
    @discardableResult
    func endRequest(_ dependencies: Dependencies, in transaction: Transaction) async throws -> FollowOptions? {
        let options = try await FollowStore.delete(self, from: .requests, in: transaction)
        if options != nil {
            let version = try await nextVersion(dependencies, in: transaction)
            try transaction.record(FollowRequestClosed(actorID: follower, targetID: followee, subjectVersion: version))
        }
        return options
    }

    private func nextVersion(_ dependencies: Dependencies, in transaction: Transaction) async throws -> Int64 {
        try await PairStore.nextVersion(of: follower, above: dependencies.ids.number(), in: transaction)
    }
}
