// SPDX-License-Identifier: Apache-2.0
// The projection of blocks: who wants nothing to do with whom.

import Domain
import Postgres

enum BlockStore {
    /// Keeps what is said unless something newer is known.
    static func keep(
        _ blocker: AccountID,
        _ blocked: AccountID,
        active: Bool,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO blocks (blocker_id, blocked_id, version, active)
            VALUES (\(blocker), \(blocked), \(version), \(active))
            ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = excluded.version, active = excluded.active
            WHERE excluded.version > blocks.version
            """
        )
    }
}
