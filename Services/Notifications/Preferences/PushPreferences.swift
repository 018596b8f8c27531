// SPDX-License-Identifier: Apache-2.0
// What a person wants to be told by push, and how much of it is shown.

import Domain
import Foundation
import Postgres
import Serving
import Views
import Web

/// How much of what happened a locked screen shows.
enum Preview: String, Sendable, CaseIterable, ColumnWord {
    case full
    /// Who, and not what they said.
    case sender
    /// That something happened.
    case none
}

/// The hours of a person's day in which nothing is sent. What comes meanwhile waits for their end.
struct QuietHours: Sendable, Equatable {
    /// Minutes of the day: until `end` of the next day where it is the lower one.
    let start: Int
    let end: Int

    /// `HH:MM`; nil for anything else.
    static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = parts.first.flatMap({ Int($0) }), let minute = parts.last.flatMap({ Int($0) }),
            hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    static func text(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// What is said for an account, an app or a device; what is missing is as in the wider scope.
struct PushWishes: Sendable {
    enum Scope: Sendable, Equatable {
        case account
        case app(AppID)
        case device(DeviceID)
    }

    let scope: Scope
    /// By the types of notifications.
    var kinds: [String: Bool] = [:]
    var preview: Preview?
    /// Of an account.
    var quiet: QuietHours?
    var timeZone: String?
}

extension PushWishes.Scope {
    var name: String {
        switch self {
        case .account: "account"
        case .app: "app"
        case .device: "device"
        }
    }

    var id: Int64 {
        switch self {
        case .account: 0
        case .app(let id): id.rawValue
        case .device(let id): id.rawValue
        }
    }

    /// Nil for a scope of a later release.
    init?(name: String, id: Int64) {
        switch name {
        case "account": self = .account
        case "app": self = .app(AppID(id))
        case "device": self = .device(DeviceID(id))
        default: return nil
        }
    }
}

/// All that a person said of pushes.
struct PushPreferences: ObjectView {
    let wishes: [PushWishes]

    private var account: PushWishes { wishes.first { $0.scope == .account } ?? PushWishes(scope: .account) }

    func writeMembers(to json: inout JSONWriter) {
        let account = account
        json.object("kinds") { json in
            for kind in NotificationKind.allCases {
                json.dynamicName(kind.rawValue)
                json.bool(account.kinds[kind.rawValue] ?? true)
            }
        }
        json.member("preview", (account.preview ?? .full).rawValue)
        if let quiet = account.quiet {
            json.object("quiet_hours") { json in
                json.member("from", QuietHours.text(quiet.start))
                json.member("to", QuietHours.text(quiet.end))
                json.member("time_zone", account.timeZone)
            }
        } else {
            json.null("quiet_hours")
        }
        json.array("apps") { json in
            for wishes in wishes {
                guard case .app(let id) = wishes.scope else { continue }
                json.object { json in
                    json.member("app_id", id)
                    PushPreferences.write(wishes, to: &json)
                }
            }
        }
        json.array("devices") { json in
            for wishes in wishes {
                guard case .device(let id) = wishes.scope else { continue }
                json.object { json in
                    json.member("device_id", id)
                    PushPreferences.write(wishes, to: &json)
                }
            }
        }
    }

    private static func write(_ wishes: PushWishes, to json: inout JSONWriter) {
        json.object("kinds") { json in
            for (kind, isWanted) in wishes.kinds.sorted(by: { $0.key < $1.key }) {
                json.dynamicName(kind)
                json.bool(isWanted)
            }
        }
        json.member("preview", wishes.preview?.rawValue)
    }
}
