// SPDX-License-Identifier: Apache-2.0
// Messages, reactions and pins: the routes.

import Domain
import Web

extension Routes {
    static let messages: [Route<Dependencies>] = [
        .get("/api/v1/channels/:id/messages", .account("read:chat"), ListMessages.run),
        .post("/api/v1/channels/:id/messages", .account("write:chat"), SendMessage.run),
        .get("/api/v1/channels/:id/pins", .account("read:chat"), ListPins.run),
        .get("/api/v1/messages/:id", .account("read:chat"), GetMessage.run),
        .patch("/api/v1/messages/:id", .account("write:chat"), EditMessage.run),
        .delete("/api/v1/messages/:id", .account("write:chat"), DeleteMessage.run),
        .get("/api/v1/messages/:id/thread", .account("read:chat"), GetThread.run),
        .get("/api/v1/messages/:id/reactions", .account("read:chat"), ListReactions.run),
        .put("/api/v1/messages/:id/reactions/:emoji", .account("write:chat"), React.run),
        .delete("/api/v1/messages/:id/reactions/:emoji", .account("write:chat"), TakeBackReaction.run),
        .post("/api/v1/messages/:id/pin", .account("write:chat"), PinMessage.run),
        .post("/api/v1/messages/:id/unpin", .account("write:chat"), UnpinMessage.run),
    ]
}
