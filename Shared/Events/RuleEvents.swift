// SPDX-License-Identifier: Apache-2.0
// What auth, which keeps what may not be written here, tells of it, and what chat tells of what was written all the same.

package import Domain

/// What becomes of what has a blocked word in it.
package enum TermAction: String, CaseIterable, Codable, Hashable, Sendable {
    /// It is refused.
    case refuse
    /// It is shown, and whoever runs the place is told.
    case report
}

/// A word is looked for from now on, or in another way, or no more.
package struct BlockedTermChanged: Event {
    package static let name = "auth.BlockedTermChanged"

    package let termID: BlockedTermID
    /// At most 64 code points after folding; empty once it is blocked no more.
    package let text: String
    /// Nil once it is blocked no more.
    package let action: TermAction?
    /// Whether digits that look like letters count as these.
    package let seesThroughDigits: Bool
    package let changedAt: Timestamp
    package let subjectVersion: Int64

    package var subject: String { termID.description }

    package init(
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
package struct BlockedDomainChanged: Event {
    package static let name = "auth.BlockedDomainChanged"

    package let domainID: BlockedDomainID
    /// In lower-case ASCII; at most 253 bytes.
    package let domain: String
    /// Whether nobody signs up with an address there.
    package let blocksMail: Bool
    /// Whether nothing that links there is taken, and no page there is looked at.
    package let blocksLinks: Bool
    package let changedAt: Timestamp
    package let subjectVersion: Int64

    package var subject: String { domainID.description }

    package init(
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
package struct ThingFlagged: Event {
    package static let name = "chat.ThingFlagged"

    package let thing: Thing
    /// Whose it is.
    package let accountID: AccountID
    /// The word that was found.
    package let termID: BlockedTermID
    package let flaggedAt: Timestamp
    package let subjectVersion: Int64

    package var subject: String { "\(thing.kind.rawValue) \(thing.id)" }

    package init(
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
