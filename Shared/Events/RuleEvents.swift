// SPDX-License-Identifier: Apache-2.0
// What auth, which keeps what may not be written here, tells of it, and what chat tells of what was written all the same.

public import Domain

/// What becomes of what has a blocked word in it.
public enum TermAction: String, CaseIterable, Codable, Hashable, Sendable {
    /// It is refused.
    case refuse
    /// It is shown, and whoever runs the place is told.
    case report
}

/// A word is looked for from now on, or in another way, or no more.
public struct BlockedTermChanged: Event {
    public static let name = "auth.BlockedTermChanged"

    public let termID: BlockedTermID
    /// At most 64 code points after folding; empty once it is blocked no more.
    public let text: String
    /// Nil once it is blocked no more.
    public let action: TermAction?
    /// Whether digits that look like letters count as these.
    public let seesThroughDigits: Bool
    public let changedAt: Timestamp
    public let subjectVersion: Int64

    public var subject: String { termID.description }

    public init(
        termID: BlockedTermID,
        text: String,
        action: TermAction?,
        seesThroughDigits: Bool,
        changedAt: Timestamp,
        subjectVersion: Int64
    ) {
        self.termID = termID
        self.text = text
        self.action = action
        self.seesThroughDigits = seesThroughDigits
        self.changedAt = changedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case text, action, termID, seesThroughDigits, changedAt, subjectVersion }
}

/// A domain, with all below it, is blocked from now on, or for something else, or no more.
public struct BlockedDomainChanged: Event {
    public static let name = "auth.BlockedDomainChanged"

    public let domainID: BlockedDomainID
    /// In lower-case ASCII; at most 253 bytes.
    public let domain: String
    /// Whether nobody signs up with an address there.
    public let blocksMail: Bool
    /// Whether nothing that links there is taken, and no page there is looked at.
    public let blocksLinks: Bool
    public let changedAt: Timestamp
    public let subjectVersion: Int64

    public var subject: String { domainID.description }

    public init(
        domainID: BlockedDomainID,
        domain: String,
        blocksMail: Bool,
        blocksLinks: Bool,
        changedAt: Timestamp,
        subjectVersion: Int64
    ) {
        self.domainID = domainID
        self.domain = domain
        self.blocksMail = blocksMail
        self.blocksLinks = blocksLinks
        self.changedAt = changedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased {
        case domain, domainID, blocksMail, blocksLinks, changedAt, subjectVersion
    }
}

/// Something was written that has a word in it of which whoever runs the place wants to hear.
public struct ThingFlagged: Event {
    public static let name = "chat.ThingFlagged"

    public let thing: Thing
    /// Whose it is.
    public let accountID: AccountID
    /// The word that was found.
    public let termID: BlockedTermID
    public let flaggedAt: Timestamp
    public let subjectVersion: Int64

    public var subject: String { "\(thing.kind.rawValue) \(thing.id)" }

    public init(
        thing: Thing,
        accountID: AccountID,
        termID: BlockedTermID,
        flaggedAt: Timestamp,
        subjectVersion: Int64
    ) {
        self.thing = thing
        self.accountID = accountID
        self.termID = termID
        self.flaggedAt = flaggedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case thing, accountID, termID, flaggedAt, subjectVersion }
}
