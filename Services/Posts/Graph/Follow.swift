// SPDX-License-Identifier: Apache-2.0
// How follows and requests begin and end.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit

/// A follow, or a request for one; whoever changes it holds the locks of both accounts.
struct Follow: Hashable, Sendable {
    let follower: AccountID
    let followee: AccountID

    /// Begins a follow, which must not be there, and tells it.
    func begin(_ options: FollowOptions, _ dependencies: Dependencies, in transaction: Transaction) async throws {
        let number = dependencies.ids.number()
        FollowStore.insert(self, into: .follows, id: number, options: options, in: transaction)
        for counted in try await FollowStore.count([self], by: 1, above: number, in: transaction) {
            try tellBeginning(counted, at: dependencies.now(), in: transaction)
        }
    }

    func tellBeginning(
        _ counted: FollowStore.Counted,
        at now: Timestamp,
        trace: TraceContext? = .current,
        in transaction: Transaction
    ) throws {
        let followed = AccountFollowed(
            actor: counted.follower,
            targetID: followee,
            followedAt: now,
            subjectVersion: counted.version
        )
        try transaction.record(followed, trace: trace)
    }

    /// Ends a follow, if there is one, and tells it.
    func end(_ dependencies: Dependencies, in transaction: Transaction) async throws {
        guard try await FollowStore.delete(self, from: .follows, in: transaction) != nil else { return }
        let number = dependencies.ids.number()
        for counted in try await FollowStore.count([self], by: -1, above: number, in: transaction) {
            try tellEnd(counted, in: transaction)
        }
    }

    func tellEnd(_ counted: FollowStore.Counted, trace: TraceContext? = .current, in transaction: Transaction) throws {
        let unfollowed = AccountUnfollowed(actorID: follower, targetID: followee, subjectVersion: counted.version)
        try transaction.record(unfollowed, trace: trace)
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
