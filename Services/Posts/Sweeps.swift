// SPDX-License-Identifier: Apache-2.0
// What posts forgets.

import Domain
import Outbox
import Postgres

enum Sweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] { [idempotencyKeys(dependencies)] }

    static func idempotencyKeys(_ dependencies: Dependencies) -> Sweep {
        Sweep("idempotency_keys") { database in
            let oldest = dependencies.now() + (.zero - IdempotencyStore.lifetime)
            return try await database.query(IdempotencyStore.forget(before: oldest)).affected
        }
    }
}
