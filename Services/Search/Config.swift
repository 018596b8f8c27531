// SPDX-License-Identifier: Apache-2.0
// Every setting of search.

import ServiceKit
import Serving
import Surface

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings

    init(_ settings: inout Settings) { service = ServiceSettings(&settings, .search) }
}
