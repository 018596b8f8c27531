// SPDX-License-Identifier: Apache-2.0
// The projection of blocks: who wants nothing to do with whom.

import Domain
import Postgres

enum BlockStore {
    /// Keeps what is said unless something newer is known; one row when it was kept.
    static func keep(_ blocker: AccountID, _ blocked: AccountID, active: Bool, version: Int64) -> SQL {
        """
        INSERT INTO blocks (blocker_id, blocked_id, version, active)
        VALUES (\(blocker), \(blocked), \(version), \(active))
        ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET version = excluded.version, active = excluded.active
        WHERE excluded.version > blocks.version
        RETURNING 1
        """
    }

    /// A row for each block between two people, whoever made it.
    static func between(_ one: AccountID, _ other: AccountID) -> SQL {
        """
        SELECT 1
        FROM blocks
        WHERE active AND (blocker_id, blocked_id) IN ((\(one), \(other)), (\(other), \(one)))
        """
    }
}
