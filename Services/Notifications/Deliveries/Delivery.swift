// SPDX-License-Identifier: Apache-2.0
// Pushes on their way to devices.

import Domain
import Foundation
import Postgres
import Views

/// Somebody's right to send to a device: nobody else does until the lease runs out, and then this flight says nothing any more.
struct Flight: Columned, Equatable {
    let device: DeviceID
    let number: Int64

    static let columns: SQL = "d.id, d.flight"

    init(device: DeviceID, number: Int64) { (self.device, self.number) = (device, number) }

    init(columns: inout Columns) throws {
        device = try columns.next()
        number = try columns.next()
    }
}

/// The device of a flight, with what is needed to send to it.
struct Recipient: Columned {
    let device: Device
    let preview: Preview
    /// The number that it was told last.
    let badge: Int64?
    /// How often in a row its provider asked for patience.
    let attempts: Int

    /// Of `devices d` and the preferences of the account (`a`), the app (`p`) and the device (`o`).
    static let columns: SQL =
        "\(Device.columns), coalesce(o.preview, p.preview, a.preview, 'full'), d.badge, d.attempts"

    init(columns: inout Columns) throws {
        device = try columns.next()
        preview = try columns.next()
        badge = try columns.next()
        attempts = try columns.next()
    }
}

/// A push whose turn it is.
struct WaitingDelivery: Columned {
    let id: DeliveryID
    let push: UUID
    /// Nil for the number alone.
    let notification: NotificationID?
    let collapseKey: String?
    let madeAt: Timestamp
    let expiresAt: Timestamp
    /// Whether one that would take its place waits behind it.
    let isOvertaken: Bool

    /// Of `deliveries v`.
    static let columns: SQL = """
        v.id, CAST(v.push_id AS text), v.notification_id, v.collapse_key, v.made_at, v.expires_at,
            EXISTS (
                SELECT FROM deliveries l
                WHERE l.device_id = v.device_id AND l.id > v.id AND l.due_at IS NOT NULL
                    AND l.collapse_key = v.collapse_key
            )
        """

    init(columns: inout Columns) throws {
        id = try columns.next()
        let text: String = try columns.next()
        // The column is a uuid: its text is one.
        push = UUID(uuidString: text) ?? UUID()
        notification = try columns.next()
        collapseKey = try columns.next()
        madeAt = try columns.next()
        expiresAt = try columns.next()
        isOvertaken = try columns.next()
    }
}

/// How a delivery ended.
enum DeliveryEnd: Sendable, Equatable {
    /// The provider took it, and calls it so.
    case sent(name: String?)
    /// The provider will never take it.
    case refused(reason: String)
    /// What it told of was read, put away or taken back before it left.
    case read
    /// A newer one of the same conversation took its place.
    case collapsed
    case expired
    /// The device knows the number already.
    case unneeded

    var state: String {
        switch self {
        case .sent: "sent"
        case .refused: "refused"
        case .read: "read"
        case .collapsed: "collapsed"
        case .expired: "expired"
        case .unneeded: "unneeded"
        }
    }

    var reason: String? { if case .refused(let reason) = self { reason } else { nil } }
    var name: String? { if case .sent(let name) = self { name } else { nil } }
}

/// A delivery as the device's owner sees it.
struct DeliveryView: Columned, ObjectView {
    let id: DeliveryID
    let push: String
    let notification: NotificationID?
    let kind: String
    let state: String
    let madeAt: Timestamp
    let endedAt: Timestamp?
    let attempts: Int
    let reason: String?

    static let columns: SQL =
        "id, CAST(push_id AS text), notification_id, kind, state, made_at, ended_at, attempts, reason"

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("push_id", push)
        json.member("notification_id", notification)
        json.member("kind", kind)
        json.member("state", state)
        json.member("created_at", madeAt)
        json.member("ended_at", endedAt)
        json.member("attempts", attempts)
        json.member("reason", reason)
    }
}

extension DeliveryView {
    init(columns: inout Columns) throws { self = try columns.read(Self.init) }
}
