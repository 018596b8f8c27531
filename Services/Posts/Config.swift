// SPDX-License-Identifier: Apache-2.0
// Every setting of posts.

import ServiceKit
import Serving
import Surface
import Web

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    let limits: Limits
    let links: MediaLinks

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .posts)
        links = settings.mediaLinks(service.site)
        var limits = Limits(
            largeAccount: settings.integer(
                "MADANG_LARGE_ACCOUNT",
                default: 20_000,
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
        limits.newAccounts = settings.newAccounts()
        self.limits = limits
    }
}
