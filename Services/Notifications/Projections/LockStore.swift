// SPDX-License-Identifier: Apache-2.0
// Locks on what has no row, by its id: accounts, posts, channels, playgrounds and sessions.

import Postgres

enum LockStore {
    /// Takes locks until this transaction ends, in the order of their ids: who takes all that it needs at once, and no row but of
    /// `accounts` before, is part of no circle.
    ///
    /// - Parameters:
    ///   - shared: ids that others may share meanwhile, and nobody may claim.
    ///   - claimed: ids that are had alone. Of one that is shared, too, this is what counts.
    static func take(
        sharing shared: Set<Int64> = [],
        claiming claimed: Set<Int64> = [],
        in transaction: some Transacting
    ) {
        let ids = shared.union(claimed).sorted()
        guard !ids.isEmpty else { return }
        transaction.enqueue(
            """
            SELECT CASE WHEN is_claimed THEN pg_advisory_xact_lock(id) ELSE pg_advisory_xact_lock_shared(id) END
            FROM unnest(\(ids), \(ids.map(claimed.contains))) AS l (id, is_claimed)
            """
        )
    }
}
