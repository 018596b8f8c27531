// SPDX-License-Identifier: Apache-2.0
// What the gateway writes to connections that are open just now.

public import Domain

/// One message for every open connection that follows one of `streams`.
public struct LiveUpdate: LiveHeader, Hashable {
    /// Where it goes: `user:<account id>`, `user:notification:<account id>`, `direct:<account id>`, `public`,
    /// `hashtag:<tag in lower case>`. A connection that follows several receives it once for each.
    public let streams: [String]
    /// The Mastodon streaming event: `update`, `delete`, `notification`, `status.update`, `conversation`; and ours,
    /// `notification.project`, which clients pass over that do not know it.
    public let event: String
    /// The text of the event: JSON, or a bare id for `delete`.
    public var payload: [UInt8] = []
    /// Whether it shows media, for the streams of what does.
    public var hasMedia: Bool?
    /// Accounts whose connections must not receive it, because of a block or a mute in either direction.
    public let except: [AccountID]
    /// Whose connections it is for, when `except` is so long that several messages share it; nil for everybody's.
    public let readers: Readers?

    /// A range of accounts, both ends included. Connections without an account belong to the range that begins at 0.
    public struct Readers: Codable, Hashable, Sendable {
        public let first: AccountID
        public let last: AccountID

        public init(first: AccountID, last: AccountID) {
            self.first = first
            self.last = last
        }

        public func contains(_ account: AccountID?) -> Bool {
            account.map { first <= $0 && $0 <= last } ?? (first.rawValue == 0)
        }
    }

    public init(
        streams: [String],
        event: String,
        payload: [UInt8],
        hasMedia: Bool? = nil,
        except: [AccountID] = [],
        readers: Readers? = nil
    ) {
        self.streams = streams
        self.event = event
        self.payload = payload
        self.hasMedia = hasMedia
        self.except = except
        self.readers = readers
    }

    enum CodingKeys: String, SnakeCased { case streams, event, except, readers, hasMedia }

    /// Whether it tells of an entry of somebody's notifications.
    public var isNotification: Bool { event == "notification" || event.hasPrefix("notification.") }

    public static func user(_ id: AccountID) -> String { "user:\(id)" }
    public static func userNotification(_ id: AccountID) -> String { "user:notification:\(id)" }
    public static func direct(_ id: AccountID) -> String { "direct:\(id)" }
    public static let publicTimeline = "public"
    public static func hashtag(_ tag: String) -> String { "hashtag:\(tag.lowercased())" }
}
