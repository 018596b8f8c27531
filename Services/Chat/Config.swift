// SPDX-License-Identifier: Apache-2.0
// Every setting of chat.

import Outbox
import ServiceKit
import Web

/// What the environment says, checked once at the start.
struct Config: StoreConfig {
    let store: StoreSettings
    let verifier: PrincipalVerifier?
    let internalSecret: String

    init(_ settings: inout Settings) {
        store = StoreSettings(&settings, service: "chat", port: 3005)
        verifier = settings.principalVerifier(audience: "chat")
        internalSecret = settings.internalSecret()
    }
}
