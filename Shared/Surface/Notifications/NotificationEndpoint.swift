// SPDX-License-Identifier: Apache-2.0
// Notifications and how far they were read.

import Domain

/// Notifications and how far they were read.
public enum NotificationEndpoint: String, EndpointGroup {
    case listNotifications, countUnread, clearNotifications, showNotification, dismissNotification, readMarkers,
        saveMarkers

    public static var service: ServiceName? { .notifications }

    public var endpoint: Endpoint {
        switch self {
        case .listNotifications: .get("/api/v1/notifications", .account("read:notifications"), answer: "[Notification]")
        case .countUnread: .get("/api/v1/notifications/unread_count", .account("read:notifications"), answer: "Count")
        case .clearNotifications: .post("/api/v1/notifications/clear", .account("write:notifications"), answer: "any")
        case .showNotification:
            .get("/api/v1/notifications/:id", .account("read:notifications"), answer: "Notification")
        case .dismissNotification:
            .post("/api/v1/notifications/:id/dismiss", .account("write:notifications"), answer: "any")
        case .readMarkers: .get("/api/v1/markers", .account("read:statuses"), answer: "Markers")
        case .saveMarkers: .post("/api/v1/markers", .account("write:statuses"), answer: "Markers")
        }
    }
}
