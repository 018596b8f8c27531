// SPDX-License-Identifier: Apache-2.0
// What auth forgets: codes, tokens, sessions and counters that have run out.

import Domain
import Outbox
import Postgres

enum Sweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        let limits = dependencies.limits
        let now = dependencies.now
        return [
            // A code is kept for a while after it expired, to notice its second use.
            Sweep("authorization_codes") { try await CodeStore.purge(before: now() + .seconds(-86_400), in: $0) },
            Sweep("sign_in_attempts") {
                try await AttemptStore.purge(before: now() + (.zero - limits.signInWindow), in: $0)
            },
            Sweep("access_tokens") { try await SessionStore.purgeTokens(before: now(), in: $0) },
            Sweep("sessions") {
                let unused = now() + (.zero - limits.appAlone)
                return try await SessionStore.purge(now: now(), unusedAppsBefore: unused, in: $0)
            },
        ]
    }
}
