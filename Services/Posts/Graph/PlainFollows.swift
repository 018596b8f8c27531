// SPDX-License-Identifier: Apache-2.0
// Follows that begin and end as nearly all do, many in one transaction.

import Domain
import Postgres
import ServiceKit
import Serving
import Views

/// Somebody wants to follow an account, or to follow it no more.
struct FollowChange: Sendable {
    let follow: Follow
    /// Of a follow that is to begin.
    var options = FollowOptions()
    /// Of the request.
    let trace = TraceContext.current
}

/// Begins follows of accounts that need not be asked, and ends follows: by one statement a kind for all that come at the same
/// time. Whatever else stands between two accounts is nil here, and left to a transaction of its own (`ChangePair`).
enum PlainFollows {
    static func begin(_ change: FollowChange, _ dependencies: Dependencies) async throws -> RelationshipView? {
        let limits = dependencies.limits.newAccounts
        // Of somebody new each follow is counted; and one in some languages is rare.
        guard change.options.languages == nil,
            !limits.contain(change.follow.follower, now: dependencies.now())
        else { return nil }
        return try await run(change, in: dependencies.follows, dependencies) { pair, ties in
            !pair.targetIsLocked && !ties.areBlocked && !ties.isFollowing && !ties.isRequested && !ties.isHidden
        } changing: { changes, numbers, transaction in
            let new = zip(changes, numbers).map { change, number in
                NewFollow(follow: change.follow, id: number, options: change.options)
            }
            FollowStore.insert(new, in: transaction)
            return 1
        } telling: { change, counted, transaction in
            try change.follow.tellBeginning(
                counted,
                at: dependencies.now(),
                trace: change.trace,
                in: transaction
            )
        }
    }

    static func end(_ change: FollowChange, _ dependencies: Dependencies) async throws -> RelationshipView? {
        try await run(change, in: dependencies.unfollows, dependencies) { _, ties in
            ties.isFollowing && !ties.isRequested
        } changing: { changes, _, transaction in
            FollowStore.delete(changes.map(\.follow), in: transaction)
            return -1
        } telling: { change, counted, transaction in
            try change.follow.tellEnd(counted, trace: change.trace, in: transaction)
        }
    }

    /// - Parameters:
    ///   - isPlain: whether there is nothing but to change the follow, by what is known under the locks of both accounts.
    ///   - changing: changes the follows, each under a number of its own, and gives by how much that changes counts.
    ///   - telling: tells of a change, with its follower and its version.
    private static func run(
        _ change: FollowChange,
        in lanes: CommandLanes<FollowChange, RelationshipView?>,
        _ dependencies: Dependencies,
        isPlain: @escaping @Sendable (Pair, PairStore.Ties) -> Bool,
        changing: @escaping @Sendable ([FollowChange], [Int64], Transaction) -> Int,
        telling: @escaping @Sendable (FollowChange, FollowStore.Counted, Transaction) throws -> Void
    ) async throws -> RelationshipView? {
        try await lanes.run(
            change,
            in: dependencies.database
        ) { changes, transaction in
            let (pairs, ties) = try await transaction.together(
                { try await PairStore.lock(changes.map(\.follow), in: $0) },
                { try await PairStore.ties(of: changes.map(\.follow), in: $0) }
            )
            // The same once more is not plain by then.
            var taken: Set<Follow> = []
            let plain = changes.indices.filter { index in
                guard let pair = pairs[index], isPlain(pair, ties[index]) else { return false }
                return taken.insert(changes[index].follow).inserted
            }
            var views = [RelationshipView?](repeating: nil, count: changes.count)
            guard !plain.isEmpty else { return views }
            let numbers = plain.map { _ in dependencies.ids.number() }
            let difference = changing(plain.map { changes[$0] }, numbers, transaction)
            let follows = plain.map { changes[$0].follow }
            let (counted, relationships) = try await transaction.together(
                { try await FollowStore.count(follows, by: difference, above: numbers.max() ?? 0, in: $0) },
                { try await RelationshipStore.relationships(of: follows, now: dependencies.now(), in: $0) }
            )
            for (number, index) in plain.enumerated() {
                try telling(changes[index], counted[number], transaction)
                views[index] = relationships[number]
            }
            return views
        }
    }
}
