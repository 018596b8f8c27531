// SPDX-License-Identifier: Apache-2.0
// Sends to one device what waits for it, one after the other.

import Domain
import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// A flight: as long as it has the device nobody else sends to it, so that what happened first arrives first.
///
/// What was sent and not yet marked when the process died is sent again by another flight, under the same id.
struct DeliverToDevice: Sendable {
    let platform: Platform
    let sender: any PushSender
    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    func run(_ flight: Flight) async throws {
        while !Task.isShuttingDownGracefully {
            // Read anew each time: the device may have been registered anew, or be gone.
            guard let recipient = try await DeliveryStore.recipient(flight, in: dependencies.database) else { return }
            let now = dependencies.now()
            // Another flight was told so meanwhile.
            guard !dependencies.rests.isResting(platform, at: now) else { break }
            let next = try await DeliveryStore.next(of: flight.device, at: now, in: dependencies.database)
            guard let delivery = next else { break }
            guard try await deliver(delivery, to: recipient, flight) else { return }
        }
        let now = dependencies.now()
        try await dependencies.database.transaction { transaction in
            DeliveryStore.land(flight, at: now, in: transaction)
            DeliveryStore.hasten(flight.device, at: now, in: transaction)
        }
    }

    /// - Returns: whether the flight goes on.
    private func deliver(_ delivery: WaitingDelivery, to recipient: Recipient, _ flight: Flight) async throws -> Bool {
        let database = dependencies.database
        let now = dependencies.now()
        if delivery.isOvertaken { return try await end(delivery, .collapsed, flight) }
        if delivery.expiresAt <= now { return try await end(delivery, .expired, flight) }
        let account = recipient.device.account
        var row: NotificationRow?
        if let notification = delivery.notification {
            let listed = try await NotificationStore.notification(notification, of: account, in: database)
            let found = try await dependencies.snapshots.row(of: listed, in: database)
            // Of chat an entry goes when it is read, whatever the marker says.
            guard let found, !found.isRead || found.kind.concernsMessage else {
                return try await end(delivery, .read, flight)
            }
            row = found
        }
        let badge = try await BadgeStore.number(of: account, at: now, in: database)
        if row == nil, recipient.badge == Int64(badge) { return try await end(delivery, .unneeded, flight) }
        guard
            let push = BuildPush(site: dependencies.site).push(delivery, row, badge: badge, for: recipient),
            try await DeliveryStore.begin(delivery.id, flight, lease: now + DeliveryPatience.lease, in: database)
        else { return false }
        let outcome = await sender.send(push)
        Failpoint.reach("push.sent")
        return try await take(outcome, of: delivery, badge: badge, recipient, flight)
    }

    private func end(_ delivery: WaitingDelivery, _ end: DeliveryEnd, _ flight: Flight) async throws -> Bool {
        let now = dependencies.now()
        try await dependencies.database.transaction { transaction in
            DeliveryStore.end(delivery.id, end, flight, at: now, in: transaction)
        }
        count(end.state)
        return true
    }

    private func take(
        _ outcome: PushOutcome,
        of delivery: WaitingDelivery,
        badge: Int,
        _ recipient: Recipient,
        _ flight: Flight
    ) async throws -> Bool {
        let now = dependencies.now()
        switch outcome {
        case .accepted(let name):
            try await dependencies.database.transaction { transaction in
                DeliveryStore.end(delivery.id, .sent(name: name), flight, at: now, in: transaction)
                DeliveryStore.keep(badge: badge, flight, in: transaction)
            }
            dependencies.rests.forgive(platform, at: now)
            count("sent")
            metrics.observe(
                "madang_push_seconds",
                help: "Time from what happened to what the provider took.",
                labels: [("platform", platform.rawValue)],
                now - delivery.madeAt
            )
            return true
        case .refused(let reason):
            logger.warning(
                "a push was refused",
                metadata: ["delivery": "\(delivery.id)", "platform": "\(platform)", "reason": "\(reason)"]
            )
            return try await end(delivery, .refused(reason: DeliverToDevice.short(reason)), flight)
        case .deviceGone(let reason, let since):
            let removal = DeviceRemoval.gone(
                flight,
                registeredAt: recipient.device.registeredAt,
                since: since.flatMap(Timestamp.init(date:))
            )
            if try await DeviceStore.remove(removal, in: dependencies.database) > 0 {
                count("gone")
                return false
            }
            // It was registered anew meanwhile: what waits is for its new address.
            try await put(off: delivery, reason, recipient, flight, asked: nil)
            return false
        case .later(let reason, let after, let ofAll):
            count("later")
            if ofAll { dependencies.rests.wait(platform, at: now, asked: after, chance: dependencies.chance()) }
            try await put(off: delivery, reason, recipient, flight, asked: after)
            return false
        case .misconfigured(let reason):
            count("misconfigured")
            logger.error(
                "a sender's keys or names are wrong",
                metadata: ["platform": "\(platform)", "reason": "\(reason)"]
            )
            dependencies.rests.rest(platform, at: now)
            try await dependencies.database.transaction { transaction in
                DeliveryStore.note(DeliverToDevice.short(reason), of: delivery.id, until: now, in: transaction)
                DeliveryStore.land(flight, at: now, in: transaction)
            }
            return false
        }
    }

    private func put(
        off delivery: WaitingDelivery,
        _ reason: String,
        _ recipient: Recipient,
        _ flight: Flight,
        asked: Duration?
    ) async throws {
        let now = dependencies.now()
        let pause = DeliveryPatience.pause(
            afterAttempt: recipient.attempts,
            asked: asked,
            chance: dependencies.chance()
        )
        try await dependencies.database.transaction { transaction in
            DeliveryStore.note(DeliverToDevice.short(reason), of: delivery.id, until: now + pause, in: transaction)
            DeliveryStore.rest(flight, until: now + pause, at: now, in: transaction)
        }
    }

    /// What a provider says may be long, and hold what no column does.
    private static func short(_ reason: String) -> String {
        String(
            reason.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200)
        )
    }

    private func count(_ outcome: String) {
        metrics.count(
            "madang_push_deliveries_total",
            help: "Attempts to push, and deliveries that ended without one, by what came of them.",
            labels: [("outcome", outcome), ("platform", platform.rawValue)]
        )
    }
}

extension Timestamp {
    /// Nil for a moment beyond all calendars.
    fileprivate init?(date: Date) {
        guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
