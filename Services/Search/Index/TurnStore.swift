// SPDX-License-Identifier: Apache-2.0
// Who writes to the index.

import Postgres

enum TurnStore {
    /// Waits until nobody else writes, and keeps others waiting until the transaction ends. So segments begin one after the other,
    /// and what was read of people is still so when they are written.
    static func take(in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(hashtext('search.index'))")
    }
}
