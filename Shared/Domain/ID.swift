// SPDX-License-Identifier: Apache-2.0
// Identifiers: 64 bits, ordered by time, typed by what they identify.

/// Identifies one thing of a kind; ids of different kinds do not mix.
///
/// The upper 48 bits are Unix milliseconds, the lower 16 a process slot and a counter. In JSON an id is a
/// decimal string; it sorts by time and pages by `max_id`, `since_id` and `min_id`.
public struct ID<Kind>: Hashable, Comparable, Sendable {
    public let rawValue: Int64

    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Parses a decimal string of 1 to 19 digits; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let value = Int64(text)
        else { return nil }
        rawValue = value
    }

    /// The moment at which the id was made, to the millisecond.
    public var timestamp: Timestamp { Timestamp(milliseconds: rawValue >> 16) }

    /// No id that was made at a moment or later is below it.
    public static func first(at moment: Timestamp) -> Self { Self(max(0, moment.milliseconds) << 16) }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ID: CustomStringConvertible {
    public var description: String { String(rawValue) }
}

extension ID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id is a decimal string")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The kinds of things that have ids.
public enum Kind {
    public enum Account {}
    public enum App {}
    public enum Application {}
    public enum Channel {}
    public enum Conversation {}
    public enum Decision {}
    public enum Delivery {}
    public enum Device {}
    public enum Export {}
    public enum Link {}
    public enum Media {}
    public enum Message {}
    public enum Notification {}
    public enum Playground {}
    public enum Post {}
    public enum Project {}
    public enum ProjectRole {}
    public enum ReadingRecord {}
    public enum Report {}
    public enum ReportNote {}
    public enum Session {}
    public enum ShelfBook {}
    public enum BlockedTerm {}
    public enum BlockedDomain {}
    public enum Document {}
}

public typealias AccountID = ID<Kind.Account>
public typealias AppID = ID<Kind.App>
/// Of somebody's wish to be in a project.
public typealias ApplicationID = ID<Kind.Application>
/// Of a channel of a playground or of a direct one.
public typealias ChannelID = ID<Kind.Channel>
public typealias ConversationID = ID<Kind.Conversation>
/// Of a push to one device.
public typealias DecisionID = ID<Kind.Decision>
public typealias DeliveryID = ID<Kind.Delivery>
/// Of a device that is pushed to.
public typealias DeviceID = ID<Kind.Device>
/// Of an archive of what is somebody's.
public typealias ExportID = ID<Kind.Export>
/// Of a page that others link to.
public typealias LinkID = ID<Kind.Link>
public typealias MediaID = ID<Kind.Media>
public typealias MessageID = ID<Kind.Message>
public typealias NotificationID = ID<Kind.Notification>
public typealias PlaygroundID = ID<Kind.Playground>
public typealias PostID = ID<Kind.Post>
public typealias ProjectID = ID<Kind.Project>
public typealias ProjectRoleID = ID<Kind.ProjectRole>
/// Of somebody's record of one reading of a book.
public typealias RecordID = ID<Kind.ReadingRecord>
public typealias ReportID = ID<Kind.Report>
/// Of what a moderator wrote to others of a report.
public typealias ReportNoteID = ID<Kind.ReportNote>
public typealias SessionID = ID<Kind.Session>
/// Of a book on somebody's shelf.
public typealias ShelfBookID = ID<Kind.ShelfBook>
public typealias BlockedTermID = ID<Kind.BlockedTerm>
public typealias BlockedDomainID = ID<Kind.BlockedDomain>
/// Of a version of the rules, or of the terms.
public typealias DocumentID = ID<Kind.Document>
