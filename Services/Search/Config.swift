// SPDX-License-Identifier: Apache-2.0
// Every setting of search.

import ServiceKit
import Serving
import Surface
import Web

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    let links: MediaLinks
    let books: BookSettings
    /// Whether what apps tell of how they are used is counted.
    let countsUsage: Bool

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .search)
        links = settings.mediaLinks(service.site)
        books = BookSettings(&settings)
        countsUsage = settings.boolean(
            "MADANG_USAGE",
            default: false,
            meaning: "whether apps may tell how they are used, which is counted by days and of nobody"
        )
    }
}
