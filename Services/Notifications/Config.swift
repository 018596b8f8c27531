// SPDX-License-Identifier: Apache-2.0
// Every setting of notifications.

import Outbox
import ServiceKit
import Web

/// What the environment says, checked once at the start.
struct Config: StoreConfig {
    let store: StoreSettings
    let verifier: PrincipalVerifier?

    init(_ settings: inout Settings) {
        store = StoreSettings(&settings, service: "notifications", port: 3003)
        verifier = settings.principalVerifier(audience: "notifications")
    }
}
