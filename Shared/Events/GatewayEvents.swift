// SPDX-License-Identifier: Apache-2.0
// What gateways tell about the people connected to them. Never stored.

package import Domain

/// Accounts got their first connection at a gateway, or lost their last.
package struct PresenceChanged: Event, Hashable {
    package static let name = "gateway.PresenceChanged"
    package static let audience = Audience.live

    /// Where an account belongs: the playgrounds and direct channels through which others may know that it is there.
    package struct Place: Codable, Hashable, Sendable {
        package let accountID: AccountID
        package let playgroundIDs: [PlaygroundID]
        package let directIDs: [ChannelID]

        package init(accountID: AccountID, playgroundIDs: [PlaygroundID], directIDs: [ChannelID]) {
            self.accountID = accountID
            self.playgroundIDs = playgroundIDs
            self.directIDs = directIDs
        }

        enum CodingKeys: String, SnakeCased { case accountID, playgroundIDs, directIDs }
    }

    /// The process that tells it.
    package let gatewayID: String
    package let connected: [AccountID]
    package let disconnected: [AccountID]
    /// Whether `connected` is everybody connected there: each gateway tells so every 10 seconds, and once when it stops.
    package let isWhole: Bool
    /// Where accounts of `connected` belong: of all of them unless `isWhole`.
    package let places: [Place]?
    /// Whether the teller lacks places: the others tell theirs again.
    package let asks: Bool?
    /// Rises with every message of this gateway.
    package let subjectVersion: Int64

    package var subject: String { gatewayID }

    package init(
        gatewayID: String,
        connected: [AccountID],
        disconnected: [AccountID],
        isWhole: Bool,
        places: [Place]? = nil,
        asks: Bool? = nil,
        subjectVersion: Int64
    ) {
        self.gatewayID = gatewayID
        self.connected = connected
        self.disconnected = disconnected
        self.isWhole = isWhole
        self.places = places
        self.asks = asks
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased {
        case connected, disconnected, places, asks, gatewayID, isWhole, subjectVersion
    }
}

/// Somebody is writing in a channel.
package struct TypingStarted: Event {
    package static let name = "gateway.TypingStarted"
    package static let audience = Audience.live

    package let channelID: ChannelID
    package let accountID: AccountID
    /// Unix milliseconds.
    package let subjectVersion: Int64

    package var subject: String { "\(channelID)-\(accountID)" }

    package init(channelID: ChannelID, accountID: AccountID, subjectVersion: Int64) {
        self.channelID = channelID
        self.accountID = accountID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case channelID, accountID, subjectVersion }
}

/// What gateways have given from the budgets of requests, so that together they give each only once.
package struct BudgetsSpent: Event, Hashable {
    package static let name = "gateway.BudgetsSpent"
    package static let audience = Audience.live

    /// All that was given to one account or address.
    package struct Count: Codable, Hashable, Sendable {
        /// A number for the account or address, hexadecimal, which only gateways can make.
        package let key: String
        package let given: Int

        package init(key: String, given: Int) {
            self.key = key
            self.given = given
        }
    }

    /// What one gateway has given in a window of one budget.
    package struct Spent: Codable, Hashable, Sendable {
        /// Who gave it; another than the teller for one that may have ended.
        package let gatewayID: String
        /// `account`, `poll`, `address`, `sign_up`, `delete` or `connections`; others are left alone.
        package let budget: String
        /// The window's number since the epoch: windows begin at multiples of their length.
        package let window: Int64
        package let counts: [Count]

        package init(gatewayID: String, budget: String, window: Int64, counts: [Count]) {
            self.gatewayID = gatewayID
            self.budget = budget
            self.window = window
            self.counts = counts
        }

        enum CodingKeys: String, SnakeCased { case budget, window, counts, gatewayID }
    }

    /// The process that tells it.
    package let gatewayID: String
    package let spent: [Spent]
    /// Whether the teller knows nothing of the others yet: they tell it what they know.
    package let asks: Bool?
    /// Rises with every message of this gateway.
    package let subjectVersion: Int64

    package var subject: String { gatewayID }

    package init(gatewayID: String, spent: [Spent], asks: Bool? = nil, subjectVersion: Int64) {
        self.gatewayID = gatewayID
        self.spent = spent
        self.asks = asks
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case spent, asks, gatewayID, subjectVersion }
}
