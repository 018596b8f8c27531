// SPDX-License-Identifier: Apache-2.0
// What the gateway writes to open chat connections, and who belongs to which channel from now on.

public import Domain

/// One message for the connections of a channel's members, or of single accounts.
public struct ChatUpdate: LiveHeader, Hashable {
    /// An account and a channel that it came into or left.
    public struct Membership: Codable, Hashable, Sendable {
        public let channelID: ChannelID
        public let accountID: AccountID

        public init(channelID: ChannelID, accountID: AccountID) {
            self.channelID = channelID
            self.accountID = accountID
        }

        enum CodingKeys: String, SnakeCased { case channelID, accountID }
    }

    /// To the connections of all who are members of this channel; nil for `accountIDs` only.
    public let channelID: ChannelID?
    /// To the connections of these accounts, members or not.
    public let accountIDs: [AccountID]
    /// The Socket.IO event: `message`, `message:edited`, `message:deleted`, `reaction`, `read`, `member`, `channel`,
    /// `playground`.
    public let event: String
    /// The event's only argument, as JSON.
    public var payload: [UInt8] = []
    /// Of the message that it is, or is about, the number in the channel, by which a gateway orders, drops doubles and
    /// finds gaps.
    public var seq: Int64?
    /// And its state: of two the higher is the newer.
    public var change: Int64?
    /// Accounts whose connections must not receive it.
    public let except: [AccountID]
    /// Takes effect before the message is written.
    public let joined: [Membership]
    /// Takes effect after the message is written, and cuts the connections to these channels' own namespaces.
    public let left: [Membership]
    /// Channels that everybody has left, like `left`.
    public let closed: [ChannelID]

    public init(
        channelID: ChannelID?,
        accountIDs: [AccountID] = [],
        event: String,
        payload: [UInt8],
        seq: Int64? = nil,
        change: Int64? = nil,
        except: [AccountID] = [],
        joined: [Membership] = [],
        left: [Membership] = [],
        closed: [ChannelID] = []
    ) {
        self.channelID = channelID
        self.accountIDs = accountIDs
        self.event = event
        self.payload = payload
        self.seq = seq
        self.change = change
        self.except = except
        self.joined = joined
        self.left = left
        self.closed = closed
    }

    enum CodingKeys: String, SnakeCased { case event, seq, change, except, joined, left, closed, channelID, accountIDs }
}
