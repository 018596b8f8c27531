// SPDX-License-Identifier: Apache-2.0
// Identifiers: 64 bits, ordered by time, typed by what they identify.

/// Identifies one thing of a kind; ids of different kinds do not mix.
///
/// The upper 48 bits are Unix milliseconds, the lower 16 a process slot and a counter. In JSON an id is a
/// decimal string; it sorts by time and pages by `max_id`, `since_id` and `min_id`.
package struct ID<Kind>: Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Parses a decimal string of 1 to 19 digits; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let value = Int64(text)
        else { return nil }
        rawValue = value
    }

    /// The moment at which the id was made, to the millisecond.
    package var timestamp: Timestamp { Timestamp(milliseconds: rawValue >> 16) }

    /// No id that was made at a moment or later is below it.
    package static func first(at moment: Timestamp) -> Self { Self(max(0, moment.milliseconds) << 16) }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ID: CustomStringConvertible {
    package var description: String { String(rawValue) }
}

extension ID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id is a decimal string")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The kinds of things that have ids.
package enum Kind {
    package enum Account {}
    package enum App {}
    package enum Application {}
    package enum Channel {}
    package enum Conversation {}
    package enum Decision {}
    package enum Delivery {}
    package enum Device {}
    package enum Export {}
    package enum Link {}
    package enum Media {}
    package enum Message {}
    package enum Notification {}
    package enum Playground {}
    package enum Post {}
    package enum Project {}
    package enum ProjectRole {}
    package enum ReadingRecord {}
    package enum Report {}
    package enum ReportNote {}
    package enum Session {}
    package enum ShelfBook {}
    package enum BlockedTerm {}
    package enum BlockedDomain {}
    package enum Document {}
}

package typealias AccountID = ID<Kind.Account>
package typealias AppID = ID<Kind.App>
/// Of somebody's wish to be in a project.
package typealias ApplicationID = ID<Kind.Application>
/// Of a channel of a playground or of a direct one.
package typealias ChannelID = ID<Kind.Channel>
package typealias ConversationID = ID<Kind.Conversation>
/// Of a push to one device.
package typealias DecisionID = ID<Kind.Decision>
package typealias DeliveryID = ID<Kind.Delivery>
/// Of a device that is pushed to.
package typealias DeviceID = ID<Kind.Device>
/// Of an archive of what is somebody's.
package typealias ExportID = ID<Kind.Export>
/// Of a page that others link to.
package typealias LinkID = ID<Kind.Link>
package typealias MediaID = ID<Kind.Media>
package typealias MessageID = ID<Kind.Message>
package typealias NotificationID = ID<Kind.Notification>
package typealias PlaygroundID = ID<Kind.Playground>
package typealias PostID = ID<Kind.Post>
package typealias ProjectID = ID<Kind.Project>
package typealias ProjectRoleID = ID<Kind.ProjectRole>
/// Of somebody's record of one reading of a book.
package typealias RecordID = ID<Kind.ReadingRecord>
package typealias ReportID = ID<Kind.Report>
/// Of what a moderator wrote to others of a report.
package typealias ReportNoteID = ID<Kind.ReportNote>
package typealias SessionID = ID<Kind.Session>
/// Of a book on somebody's shelf.
package typealias ShelfBookID = ID<Kind.ShelfBook>
package typealias BlockedTermID = ID<Kind.BlockedTerm>
package typealias BlockedDomainID = ID<Kind.BlockedDomain>
/// Of a version of the rules, or of the terms.
package typealias DocumentID = ID<Kind.Document>
