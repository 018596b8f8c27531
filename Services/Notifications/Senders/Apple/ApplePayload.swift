// SPDX-License-Identifier: Apache-2.0
// A message as Apple's devices read it
// (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).

import Foundation
import Views

enum ApplePayload {
    /// In bytes (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
    static let most = 4096

    static func bytes(_ push: Push) -> [UInt8] {
        JSONWriter.object { json in
            json.object("aps") { json in writeDictionary(push.content, to: &json) }
            json.member("push_id", push.name)
            guard case .alert(let alert) = push.content else { return }
            for (name, value) in alert.data.sorted(by: { $0.key < $1.key }) where name != "aps" && name != "push_id" {
                json.dynamicName(name)
                json.string(value)
            }
        }
    }

    /// The dictionary `aps`.
    static func writeDictionary(_ content: PushContent, to json: inout JSONWriter) {
        switch content {
        case .badge(let number): json.member("badge", number)
        case .alert(let alert):
            json.object("alert") { json in
                json.member("title", alert.title)
                json.member("body", alert.body)
            }
            json.member("badge", alert.badge)
            if alert.isUrgent { json.member("sound", "default") }
            if let thread = alert.thread { json.member("thread-id", thread) }
            if alert.isMutable { json.member("mutable-content", 1) }
        }
    }
}

extension Push {
    /// As headers and apps have it (RFC 9562, section 4).
    var name: String { id.uuidString.lowercased() }

    /// 10 wakes a device at once, 5 waits for a moment that costs it less.
    var applePriority: Int {
        if case .alert(let alert) = content, alert.isUrgent { 10 } else { 5 }
    }
}
