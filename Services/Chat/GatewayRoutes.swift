// SPDX-License-Identifier: Apache-2.0
// What the gateway asks for its open connections: the routes.

import Domain
import Web

extension Routes {
    static let gateway: [Route<Dependencies>] = [
        .get("/internal/rooms", .account("read:chat"), GetRooms.run),
        .post("/internal/missed", .account("read:chat"), GetMissed.run),
        .get("/internal/channels/:id/messages", .internal, FillGap.run),
        .post("/internal/positions", .internal, GetPositions.run),
    ]
}
