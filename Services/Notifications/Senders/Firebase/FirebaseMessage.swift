// SPDX-License-Identifier: Apache-2.0
// A message as Firebase takes it (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages).

import Foundation
import Views

enum FirebaseMessage {
    /// - Parameter secondsLeft: until nobody needs it any more.
    static func bytes(_ push: Push, token: String, secondsLeft: Int64, now: Int64) -> [UInt8] {
        JSONWriter.object { json in
            json.object("message") { json in
                json.member("token", token)
                writeData(push, to: &json)
                if case .alert(let alert) = push.content {
                    json.object("notification") { json in
                        json.member("title", alert.title)
                        json.member("body", alert.body)
                    }
                }
                writeAndroid(push, secondsLeft: secondsLeft, to: &json)
                writeApple(push, expiration: now + secondsLeft, to: &json)
            }
        }
    }

    private static func writeData(_ push: Push, to json: inout JSONWriter) {
        var data: [String: String] = [:]
        switch push.content {
        case .alert(let alert):
            data = alert.data.filter { !isReserved($0.key) }
            data["badge"] = "\(alert.badge)"
        case .badge(let number): data["badge"] = "\(number)"
        }
        // Firebase has no name of ours for a message: apps know by this what they have had.
        data["push_id"] = push.name
        json.object("data") { json in
            for (name, value) in data.sorted(by: { $0.key < $1.key }) {
                json.dynamicName(name)
                json.string(value)
            }
        }
    }

    private static func writeAndroid(_ push: Push, secondsLeft: Int64, to json: inout JSONWriter) {
        json.object("android") { json in
            if let key = push.collapseKey { json.member("collapse_key", key) }
            json.member("priority", push.applePriority == 10 ? "HIGH" : "NORMAL")
            json.member("ttl", "\(secondsLeft)s")
            guard case .alert(let alert) = push.content else { return }
            json.object("notification") { json in
                // What comes under a tag takes the place of what is shown under it.
                if let key = push.collapseKey { json.member("tag", key) }
                if alert.isUrgent { json.member("sound", "default") }
            }
        }
    }

    private static func writeApple(_ push: Push, expiration: Int64, to json: inout JSONWriter) {
        json.object("apns") { json in
            json.object("headers") { json in
                json.member("apns-priority", "\(push.applePriority)")
                json.member("apns-expiration", "\(expiration)")
                if let key = push.collapseKey, key.utf8.count <= 64 { json.member("apns-collapse-id", key) }
            }
            json.object("payload") { json in
                json.object("aps") { json in
                    ApplePayload.writeDictionary(push.content, to: &json)
                }
            }
        }
    }

    /// Names that Firebase keeps for itself.
    private static func isReserved(_ name: String) -> Bool {
        ["from", "message_type", "collapse_key"].contains(name) || name.hasPrefix("google.") || name.hasPrefix("gcm.")
    }
}
