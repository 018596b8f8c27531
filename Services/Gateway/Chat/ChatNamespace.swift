// SPDX-License-Identifier: Apache-2.0
// The namespaces on which chat is served.

import Domain

/// The default namespace carries everything of an account; one a room carries that room's new messages.
enum ChatNamespace: Equatable {
    case account
    case room(ChannelID)

    /// Rooms' namespaces are those of dialects, whose apps know no other.
    init?(_ name: String, _ dialects: Dialects) {
        if name == "/" {
            self = .account
        } else {
            guard let channel = dialects.room(name)?.channel else { return nil }
            self = .room(channel)
        }
    }
}
