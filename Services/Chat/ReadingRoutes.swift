// SPDX-License-Identifier: Apache-2.0
// How far somebody has read: the routes.

import Domain
import Web

extension Routes {
    static let reading: [Route<Dependencies>] = [
        .post("/api/v1/channels/:id/read", .account("write:chat"), ReadChannel.run),
        .post("/api/v1/channels/:id/unread", .account("write:chat"), MarkUnread.run),
        .get("/api/v1/channels/:id/unread", .account("read:chat"), CountUnread.run),
        .get("/api/v1/conversations-overview", .account("read:chat"), Overview.run),
    ]
}
