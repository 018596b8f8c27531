// SPDX-License-Identifier: Apache-2.0
// What the gateway writes to open chat connections, and who belongs to which channel from now on.

package import Domain

/// One message for the connections of a channel's members, or of single accounts.
package struct ChatUpdate: LiveHeader, Hashable {
    /// An account and a channel that it came into or left.
    package struct Membership: Codable, Hashable, Sendable {
        package let channelID: ChannelID
        package let accountID: AccountID

        package init(channelID: ChannelID, accountID: AccountID) {
            self.channelID = channelID
            self.accountID = accountID
        }

        enum CodingKeys: String, SnakeCased { case channelID, accountID }
    }

    /// To the connections of all who are members of this channel; nil for `accountIDs` only.
    package let channelID: ChannelID?
    /// To the connections of these accounts, members or not.
    package let accountIDs: [AccountID]
    /// The Socket.IO event: `message`, `message:edited`, `message:deleted`, `reaction`, `read`, `member`, `channel`,
    /// `playground`.
    package let event: String
    /// The event's only argument, as JSON.
    package var payload: [UInt8] = []
    /// Of the message that it is, or is about, the number in the channel, by which a gateway orders, drops doubles and
    /// finds gaps.
    package var seq: Int64?
    /// And its state: of two the higher is the newer.
    package var change: Int64?
    /// Accounts whose connections must not receive it.
    package let except: [AccountID]
    /// Takes effect before the message is written.
    package let joined: [Membership]
    /// Takes effect after the message is written, and cuts the connections to these channels' own namespaces.
    package let left: [Membership]
    /// Channels that everybody has left, like `left`.
    package let closed: [ChannelID]

    package init(
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
