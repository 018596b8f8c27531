// SPDX-License-Identifier: Apache-2.0
// Devices that are pushed to.

import Domain
import Foundation
import Postgres
import Views
import Web

/// By whom a device is reached.
enum Platform: String, Sendable, CaseIterable, ColumnWord {
    case apple, firebase, web

    /// Whether it takes a number that nobody is shown anything with. Browsers must show something for every message.
    var takesBadges: Bool { self != .web }
}

/// From whom a subscription of Mastodon's wants to hear.
enum PushPolicy: String, Sendable, CaseIterable, ColumnWord {
    case all
    /// Whom the person follows.
    case followed
    /// Who follows the person.
    case follower
    case none
}

/// Where a device is reached, as it was registered.
struct DeviceAddress: Sendable, Equatable {
    let platform: Platform
    /// A token of APNs in hexadecimal, one of Firebase, or the URL of a subscription.
    let text: String
    /// The app's bundle id, for APNs.
    var topic: String?
    var isSandbox = false
    var publicKey: [UInt8]?
    var secret: [UInt8]?
    var isStandard = true
}

/// A device that is pushed to.
struct Device: Columned {
    let id: DeviceID
    let account: AccountID
    let session: SessionID
    let app: AppID
    let address: DeviceAddress
    let language: Language
    let timeZone: String
    /// Whether an extension of the app may change what is shown.
    let isMutable: Bool
    /// Mastodon's types that a subscription wants; nil wants all.
    let alerts: [String]?
    let policy: PushPolicy
    let createdAt: Timestamp
    /// When the address was last confirmed.
    let registeredAt: Timestamp

    static let columns: SQL = """
        d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
            d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at
        """

    init(columns: inout Columns) throws {
        id = try columns.next()
        account = try columns.next()
        session = try columns.next()
        app = try columns.next()
        address = try columns.read(DeviceAddress.init)
        language = Language(rawValue: try columns.next()) ?? .english
        timeZone = try columns.next()
        isMutable = try columns.next()
        alerts = try columns.next()
        policy = try columns.next()
        createdAt = try columns.next()
        registeredAt = try columns.next()
    }

    /// Nil for a row that lacks what its platform needs, which the table forbids.
    var pushAddress: PushAddress? {
        switch address.platform {
        case .apple:
            address.topic.map { .apple(token: address.text, topic: $0, isSandbox: address.isSandbox) }
        case .firebase: .firebase(token: address.text)
        case .web:
            if let key = address.publicKey, let secret = address.secret {
                .web(
                    endpoint: address.text,
                    publicKey: Data(key),
                    secret: Data(secret),
                    isStandard: address.isStandard
                )
            } else {
                nil
            }
        }
    }
}

/// A device as its owner sees it. Its address is shown to nobody: whoever has it may send to the device.
struct DeviceView: ObjectView {
    let device: Device
    /// The session that asks.
    let current: SessionID?
    /// Whether this Madang has the keys for its platform.
    let isReached: Bool

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", device.id)
        json.member("platform", device.address.platform.rawValue)
        json.member("environment", device.address.isSandbox ? "sandbox" : "production")
        json.member("topic", device.address.topic)
        json.member("app_id", device.app)
        json.member("language", device.language.rawValue)
        json.member("time_zone", device.timeZone)
        json.member("mutable", device.isMutable)
        json.member("current", device.session == current)
        json.member("reached", isReached)
        json.member("created_at", device.createdAt)
        json.member("registered_at", device.registeredAt)
    }
}

/// What of somebody's an app sees and changes: everything, where it is one of the operator's own; else its own devices and what is
/// wanted there. An app that was let in to be pushed to is not to silence another.
struct DeviceScope: Sendable {
    let account: AccountID
    /// Nil for all apps.
    let app: AppID?

    /// Of `devices`, by the name that the statement gives them.
    func covers(_ devices: SQL) -> SQL {
        guard let app else { return "\(devices).account_id = \(account)" }
        return "\(devices).account_id = \(account) AND \(devices).app_id = \(app)"
    }
}

extension DeviceScope {
    init(_ request: Request) throws {
        account = try request.requireAccount().id
        guard let principal = request.principal else { throw Problem.unauthorized }
        app = principal.isOwnApp ? nil : principal.appID
    }
}
