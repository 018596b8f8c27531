// SPDX-License-Identifier: Apache-2.0
// What gateways tell about the people connected to them. Never stored.

public import Domain

/// Accounts got their first connection at a gateway, or lost their last.
public struct PresenceChanged: Event, Hashable {
    public static let name = "gateway.PresenceChanged"
    public static let audience = Audience.live

    /// Where an account belongs: the playgrounds and direct channels through which others may know that it is there.
    public struct Place: Codable, Hashable, Sendable {
        public let accountID: AccountID
        public let playgroundIDs: [PlaygroundID]
        public let directIDs: [ChannelID]

        public init(accountID: AccountID, playgroundIDs: [PlaygroundID], directIDs: [ChannelID]) {
            self.accountID = accountID
            self.playgroundIDs = playgroundIDs
            self.directIDs = directIDs
        }

        enum CodingKeys: String, SnakeCased { case accountID, playgroundIDs, directIDs }
    }

    /// The process that tells it.
    public let gatewayID: String
    public let connected: [AccountID]
    public let disconnected: [AccountID]
    /// Whether `connected` is everybody connected there: each gateway tells so every 10 seconds, and once when it stops.
    public let isWhole: Bool
    /// Where accounts of `connected` belong: of all of them unless `isWhole`.
    public let places: [Place]?
    /// Whether the teller lacks places: the others tell theirs again.
    public let asks: Bool?
    /// Rises with every message of this gateway.
    public let subjectVersion: Int64

    public var subject: String { gatewayID }

    public init(
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
public struct TypingStarted: Event {
    public static let name = "gateway.TypingStarted"
    public static let audience = Audience.live

    public let channelID: ChannelID
    public let accountID: AccountID
    /// Unix milliseconds.
    public let subjectVersion: Int64

    public var subject: String { "\(channelID)-\(accountID)" }

    public init(channelID: ChannelID, accountID: AccountID, subjectVersion: Int64) {
        self.channelID = channelID
        self.accountID = accountID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case channelID, accountID, subjectVersion }
}

/// What gateways have given from the budgets of requests, so that together they give each only once.
public struct BudgetsSpent: Event, Hashable {
    public static let name = "gateway.BudgetsSpent"
    public static let audience = Audience.live

    /// All that was given to one account or address.
    public struct Count: Codable, Hashable, Sendable {
        /// A number for the account or address, hexadecimal, which only gateways can make.
        public let key: String
        public let given: Int

        public init(key: String, given: Int) {
            self.key = key
            self.given = given
        }
    }

    /// What one gateway has given in a window of one budget.
    public struct Spent: Codable, Hashable, Sendable {
        /// Who gave it; another than the teller for one that may have ended.
        public let gatewayID: String
        /// `account`, `poll`, `address`, `sign_up`, `delete` or `connections`; others are left alone.
        public let budget: String
        /// The window's number since the epoch: windows begin at multiples of their length.
        public let window: Int64
        public let counts: [Count]

        public init(gatewayID: String, budget: String, window: Int64, counts: [Count]) {
            self.gatewayID = gatewayID
            self.budget = budget
            self.window = window
            self.counts = counts
        }

        enum CodingKeys: String, SnakeCased { case budget, window, counts, gatewayID }
    }

    /// The process that tells it.
    public let gatewayID: String
    public let spent: [Spent]
    /// Whether the teller knows nothing of the others yet: they tell it what they know.
    public let asks: Bool?
    /// Rises with every message of this gateway.
    public let subjectVersion: Int64

    public var subject: String { gatewayID }

    public init(gatewayID: String, spent: [Spent], asks: Bool? = nil, subjectVersion: Int64) {
        self.gatewayID = gatewayID
        self.spent = spent
        self.asks = asks
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case spent, asks, gatewayID, subjectVersion }
}
