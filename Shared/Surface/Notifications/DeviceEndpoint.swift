// SPDX-License-Identifier: Apache-2.0
// Devices that are pushed to, and what people want to be told there.

import Domain

/// Devices that are pushed to: by our own shape, and by Mastodon's for browsers and its apps.
public enum DeviceEndpoint: String, EndpointGroup {
    case registerDevice, listDevices, removeDevice, listDeliveries, showPushPreferences, savePushPreferences,
        showSubscription, subscribe, changeSubscription, unsubscribe

    public static var service: ServiceName? { .notifications }

    public var endpoint: Endpoint {
        switch self {
        case .registerDevice: .post("/api/v1/devices", .account("push"), answer: "Device")
        case .listDevices: .get("/api/v1/devices", .account("push"), answer: "[Device]")
        case .removeDevice: .delete("/api/v1/devices/:id", .account("push"), answer: "any")
        case .listDeliveries: .get("/api/v1/devices/:id/deliveries", .account("push"), answer: "[Delivery]")
        case .showPushPreferences: .get("/api/v1/push/preferences", .account("push"), answer: "PushPreferences")
        case .savePushPreferences: .put("/api/v1/push/preferences", .account("push"), answer: "PushPreferences")
        case .showSubscription: .get("/api/v1/push/subscription", .account("push"), answer: "PushSubscription")
        case .subscribe: .post("/api/v1/push/subscription", .account("push"), answer: "PushSubscription")
        case .changeSubscription: .put("/api/v1/push/subscription", .account("push"), answer: "PushSubscription")
        case .unsubscribe: .delete("/api/v1/push/subscription", .account("push"), answer: "any")
        }
    }
}
