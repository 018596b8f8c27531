// SPDX-License-Identifier: Apache-2.0
// The table of contents of notifications.

import Domain
package import Web

/// Every route that notifications answers.
package enum Routes {
    package static let all: [Route<Dependencies>] = [
        .get("/api/v1/notifications", .account("read:notifications"), ListNotifications.run),
        .get("/api/v1/notifications/unread_count", .account("read:notifications"), CountUnread.run),
        .post("/api/v1/notifications/clear", .account("write:notifications"), ClearNotifications.run),
        .get("/api/v1/notifications/:id", .account("read:notifications"), ShowNotification.run),
        .post("/api/v1/notifications/:id/dismiss", .account("write:notifications"), DismissNotification.run),
        .get("/api/v1/markers", .account("read:statuses"), ReadMarkers.run),
        .post("/api/v1/markers", .account("write:statuses"), SaveMarkers.run),
    ]
}
