// SPDX-License-Identifier: Apache-2.0
// The SQL on two accounts, one of which acts on the other.

import Domain
import Postgres
import Serving

/// Reads and locks what is between two accounts.
enum PairStore {
    /// Locks the rows of both accounts of each pair, all in the order of their ids; nil where one of the two is missing.
    static func lock(_ follows: [Follow], in transaction: some Transacting) async throws -> [Pair?] {
        let rows = try await transaction.query(
            """
            SELECT id, locked
            FROM accounts
            WHERE id = ANY (\(follows.flatMap { [$0.follower, $0.followee] }))
            ORDER BY id
            FOR NO KEY UPDATE
            """
        ).all { (try $0.next(AccountID.self), try $0.next(Bool.self)) }
        let isLocked = Dictionary(rows) { first, _ in first }
        return follows.map { follow in
            guard isLocked[follow.follower] != nil, let targetIsLocked = isLocked[follow.followee] else { return nil }
            return Pair(actor: follow.follower, target: follow.followee, targetIsLocked: targetIsLocked)
        }
    }

    /// What already is between two accounts; true only while their rows are locked.
    struct Ties: Sendable {
        let areBlocked: Bool
        let isFollowing: Bool
        let isRequested: Bool
        /// Whether nobody may see the other account.
        let isHidden: Bool

        /// Of `pair`.
        fileprivate static let columns: SQL = """
            EXISTS (SELECT FROM blocks WHERE account_id = pair.actor_id AND target_id = pair.target_id OFFSET 0)
                OR EXISTS (SELECT FROM blocks WHERE account_id = pair.target_id AND target_id = pair.actor_id OFFSET 0),
            EXISTS (SELECT FROM follows WHERE follower_id = pair.actor_id AND followee_id = pair.target_id OFFSET 0),
            EXISTS (SELECT FROM follow_requests WHERE follower_id = pair.actor_id AND followee_id = pair.target_id OFFSET 0),
            \(RestrictedAccounts.isHidden("pair.target_id"))
            """
    }

    /// Of each pair, in their order.
    static func ties(of follows: [Follow], in transaction: some Transacting) async throws -> [Ties] {
        try await transaction.query(
            """
            SELECT \(Ties.columns)
            FROM unnest(\(follows.map(\.follower)), \(follows.map(\.followee)))
                WITH ORDINALITY AS pair (actor_id, target_id, place)
            ORDER BY pair.place
            """
        ).all(as: Ties.init)
    }

    /// A version for an event of a pair in which `actor` acts, above every earlier one whatever any clock says; the
    /// caller holds the account's lock.
    ///
    /// - Parameter number: by this process's clock, or of the entry that was made; keeps versions above those told before
    ///   rows counted.
    static func nextVersion(
        of actor: AccountID,
        above number: Int64,
        in transaction: some Transacting
    ) async throws -> Int64 {
        let version: Int64? = try await transaction.query(
            """
            UPDATE accounts
            SET graph_version = greatest(graph_version + 1, \(number))
            WHERE id = \(actor)
            RETURNING graph_version
            """
        ).one { try $0.next() }
        guard let version else { throw PostgresError.closed }
        return version
    }
}
