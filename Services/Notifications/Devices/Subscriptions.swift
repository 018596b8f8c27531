// SPDX-License-Identifier: Apache-2.0
// /api/v1/push/subscription: the device of a session as Mastodon's clients know it (docs.joinmastodon.org/methods/push).

import Domain
import Views
import Web

enum Subscribe {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        // Without a key of ours no client can subscribe anywhere.
        guard let key = dependencies.serverKey else { throw Problem.notFound }
        let draft = try DeviceDraft(subscription: request.parameters(), of: request)
        let device = try await RegisterDevice.register(draft, request, dependencies)
        return .json(SubscriptionView(device: device, serverKey: key))
    }
}

enum ShowSubscription {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let principal = request.principal, let key = dependencies.serverKey else { throw Problem.notFound }
        let device = try await DeviceStore.device(of: principal.sessionID, .web, in: dependencies.database)
        return .json(SubscriptionView(device: try device.found(), serverKey: key))
    }
}

enum ChangeSubscription {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let principal = request.principal, let key = dependencies.serverKey else { throw Problem.notFound }
        let device = try await DeviceStore.change(
            SubscriptionWishes(request.parameters()),
            of: principal.sessionID,
            in: dependencies.database
        )
        return .json(SubscriptionView(device: try device.found(), serverKey: key))
    }
}

enum Unsubscribe {
    /// There may be none: it is gone in any case.
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let principal = request.principal else { throw Problem.unauthorized }
        _ = try await DeviceStore.remove(.subscription(principal.sessionID), in: dependencies.database)
        return .empty
    }
}

/// The Mastodon API's WebPushSubscription.
struct SubscriptionView: ObjectView {
    let device: Device
    /// The key by which its service knows us (RFC 8292), Base64 for URLs.
    let serverKey: String

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", device.id)
        json.member("endpoint", device.address.text)
        json.member("standard", device.address.isStandard)
        json.object("alerts") { json in
            for alert in SubscriptionWishes.known {
                json.dynamicName(alert)
                json.bool(device.alerts?.contains(alert) ?? true)
            }
        }
        json.member("server_key", serverKey)
        json.member("policy", device.policy.rawValue)
    }
}
