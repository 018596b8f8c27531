// SPDX-License-Identifier: Apache-2.0
// What posts forgets.

import Domain
import Outbox
import Postgres
import Synchronization

enum Sweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        [idempotencyKeys(dependencies), timelines(dependencies)]
    }

    static func idempotencyKeys(_ dependencies: Dependencies) -> Sweep {
        Sweep("idempotency_keys") { database in
            let oldest = dependencies.now() + (.zero - IdempotencyStore.lifetime)
            return try await database.query(IdempotencyStore.forget(before: oldest)).affected
        }
    }

    /// What stands behind the newest entries of a home timeline, account by account.
    static func timelines(_ dependencies: Dependencies) -> Sweep {
        let walk = Mutex(AccountID?.none)
        return Sweep("timeline", every: .seconds(3600)) { database in
            while true {
                let trimmed = try await FanoutStore.trim(
                    after: walk.withLock { $0 },
                    to: dependencies.limits.home,
                    in: database
                )
                walk.withLock { $0 = trimmed.next }
                if trimmed.removed > 0 { return trimmed.removed }
                if trimmed.next == nil { return 0 }
                try Task.checkCancellation()
            }
        }
    }
}
