// SPDX-License-Identifier: Apache-2.0
// The SQL on two accounts, one of which acts on the other.

import Domain
import Postgres
import Serving

/// Reads and locks what is between two accounts.
enum PairStore {
    /// Locks both rows in the order of their ids; nil when one is missing.
    static func lock(_ actor: AccountID, _ target: AccountID, in transaction: some Transacting) async throws -> Pair? {
        let rows = try await transaction.query(
            """
            SELECT id, locked
            FROM accounts
            WHERE id IN (\(actor), \(target))
            ORDER BY id
            FOR NO KEY UPDATE
            """
        )
        let locked = try rows.all { (id: try $0.next(AccountID.self), isLocked: try $0.next(Bool.self)) }
        return locked.first { $0.id == target }
            .map { Pair(actor: actor, target: target, targetIsLocked: $0.isLocked) }
    }

    /// What already is between two accounts; true only while their rows are locked.
    struct Ties: Sendable {
        let areBlocked: Bool
        let isFollowing: Bool
        let isRequested: Bool
        /// Whether nobody may see the other account.
        let isHidden: Bool

        fileprivate static func columns(_ actor: AccountID, _ target: AccountID) -> SQL {
            """
            EXISTS (SELECT FROM blocks WHERE account_id = \(actor) AND target_id = \(target))
                OR EXISTS (SELECT FROM blocks WHERE account_id = \(target) AND target_id = \(actor)),
            EXISTS (SELECT FROM follows WHERE follower_id = \(actor) AND followee_id = \(target)),
            EXISTS (SELECT FROM follow_requests WHERE follower_id = \(actor) AND followee_id = \(target)),
            \(RestrictedAccounts.isHidden("\(target)"))
            """
        }
    }

    static func ties(of actor: AccountID, to target: AccountID, in transaction: some Transacting) async throws -> Ties {
        let ties = try await transaction.query("SELECT \(Ties.columns(actor, target))").one(as: Ties.init)
        guard let ties else { throw PostgresError.closed }
        return ties
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
