// SPDX-License-Identifier: Apache-2.0
// Locks on what has no row, by its id: accounts, posts, channels, playgrounds and sessions.

import Postgres

enum LockStore {
    /// Takes locks, by `SQL.locks`. They come before all rows but those of `accounts`.
    static func take(
        sharing shared: Set<Int64> = [],
        claiming claimed: Set<Int64> = [],
        in transaction: some Transacting
    ) {
        guard !shared.isEmpty || !claimed.isEmpty else { return }
        transaction.enqueue(.locks(sharing: shared, claiming: claimed))
    }
}
