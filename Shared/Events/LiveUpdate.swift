// SPDX-License-Identifier: Apache-2.0
// What the gateway writes to connections that are open just now.

package import Domain

/// One message for every open connection that follows one of `streams`.
package struct LiveUpdate: Codable, Hashable, Sendable {
    /// Where it goes: `user:<account id>`, `user:notification:<account id>`, `direct:<account id>`, `public`,
    /// `hashtag:<tag in lower case>`. A connection that follows several receives it once for each.
    package let streams: [String]
    /// The Mastodon streaming event: `update`, `delete`, `notification`, `status.update`.
    package let event: String
    /// The text of the event: JSON, or a bare id for `delete`.
    package let payload: String
    /// Accounts whose connections must not receive it, because of a block or a mute in either direction.
    package let except: [AccountID]

    package init(streams: [String], event: String, payload: String, except: [AccountID] = []) {
        self.streams = streams
        self.event = event
        self.payload = payload
        self.except = except
    }

    package static func user(_ id: AccountID) -> String { "user:\(id)" }
    package static func userNotification(_ id: AccountID) -> String { "user:notification:\(id)" }
    package static func direct(_ id: AccountID) -> String { "direct:\(id)" }
    package static let publicTimeline = "public"
    package static func hashtag(_ tag: String) -> String { "hashtag:\(tag.lowercased())" }
}
