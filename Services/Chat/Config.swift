// SPDX-License-Identifier: Apache-2.0
// Every setting of chat.

import ServiceKit
import Serving
import Surface
import Web

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    let links: MediaLinks
    let newAccounts: NewAccounts

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .chat)
        links = settings.mediaLinks(service.site)
        newAccounts = settings.newAccounts()
    }
}
