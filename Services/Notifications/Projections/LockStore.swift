// SPDX-License-Identifier: Apache-2.0
// Locks on what has no row, by its id: accounts, channels and playgrounds.

import Domain
import Postgres

enum LockStore {
    /// Holds back whoever claims any of these until this transaction ends.
    static func share<Kind>(_ id: ID<Kind>, in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock_shared(\(id))")
    }

    /// Waits for those who share it, and holds back more of them. Claim several in the order of their ids.
    static func claim(_ id: Int64, in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(\(id))")
    }
}
