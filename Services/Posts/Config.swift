// SPDX-License-Identifier: Apache-2.0
// Every setting of posts.

import Outbox
import ServiceKit
import Web

/// What the environment says, checked once at the start.
struct Config: StoreConfig {
    let store: StoreSettings
    let verifier: PrincipalVerifier?
    let internalSecret: String
    let limits: Limits

    init(_ settings: inout Settings) {
        store = StoreSettings(&settings, service: "posts", port: 3002)
        verifier = settings.principalVerifier(audience: "posts")
        internalSecret = settings.internalSecret()
        limits = Limits(
            largeAccount: settings.integer(
                "MADANG_LARGE_ACCOUNT",
                default: 5000,
                in: 0...Int(Int32.max),
                meaning: "followers above which posts are read at read time instead of fanned out"
            ),
            home: settings.integer(
                "MADANG_HOME_LENGTH",
                default: 1000,
                in: 40...1_000_000,
                meaning: "entries of a home timeline that are kept"
            )
        )
    }
}
