// SPDX-License-Identifier: Apache-2.0
// The namespaces on which chat is served.

import Domain

/// The default namespace carries everything of an account; one a room carries that room's new messages.
enum ChatNamespace: Equatable {
    case account
    case room(ChannelID)

    /// `/ws-channel-<id>` and `/ws-dm-<id>` are the same: existing apps use the latter for both kinds of room.
    init?(_ name: String) {
        if name == "/" {
            self = .account
            return
        }
        for prefix in ["/ws-channel-", "/ws-dm-"] where name.hasPrefix(prefix) {
            guard let id = ChannelID(name.dropFirst(prefix.count)) else { return nil }
            self = .room(id)
            return
        }
        return nil
    }
}
