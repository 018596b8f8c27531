// SPDX-License-Identifier: Apache-2.0
// Every setting of media.

import ServiceKit
import Serving
import Surface
import Web

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    let links: MediaLinks
    /// Where files are kept; empty only where the setting is bad, which stops the start.
    let directory: String
    let limits: Limits
    /// Files that are worked on at a time.
    let workers: Int

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .media)
        links = settings.mediaLinks(service.site)
        directory =
            settings.parsed(
                "MADANG_MEDIA_DIRECTORY",
                expected: "the path of a folder, from the root",
                meaning: "where files are kept; every process of media must see the same folder",
                parse: { $0.hasPrefix("/") ? $0 : nil }
            ) ?? ""
        var limits = Limits(sizes: settings.mediaLimits())
        limits.quota = settings.integer(
            "MADANG_MEDIA_QUOTA",
            default: 5 << 30,
            in: 0...1 << 50,
            meaning: "bytes that the files of one account may take, 0 unlimited"
        )
        self.limits = limits
        workers = settings.integer(
            "MADANG_MEDIA_WORKERS",
            default: 2,
            in: 1...64,
            meaning: "files that a process works on at a time"
        )
    }
}
