// SPDX-License-Identifier: Apache-2.0
// Every setting of notifications.

import ServiceKit
import Serving
import Surface
import Web

/// What the environment says, checked once at the start.
struct Config: ServiceConfig {
    let service: ServiceSettings
    let links: MediaLinks
    /// The bundle id of Apple's apps that do not say theirs.
    let topic: String?
    /// By which providers devices are reached.
    let senders: SenderSettings

    init(_ settings: inout Settings) {
        service = ServiceSettings(&settings, .notifications)
        links = settings.mediaLinks(service.site)
        topic = settings.optional(
            "MADANG_APNS_TOPIC",
            meaning: "the bundle id of the app for iOS, for devices that do not say theirs"
        )
        senders = SenderSettings(&settings, site: service.site)
    }
}
