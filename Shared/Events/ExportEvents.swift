// SPDX-License-Identifier: Apache-2.0
// What is told when somebody asks for everything that is kept of them.

public import Domain

/// Somebody asked for an archive of what is theirs: each service hands over its part.
public struct ExportAsked: Event {
    public static let name = "media.ExportAsked"

    public let exportID: ExportID
    public let accountID: AccountID

    public var subject: String { exportID.description }
    public var subjectVersion: Int64 { 1 }

    public init(exportID: ExportID, accountID: AccountID) {
        self.exportID = exportID
        self.accountID = accountID
    }

    enum CodingKeys: String, SnakeCased { case exportID, accountID }
}

/// An archive is there to be fetched.
public struct ExportReady: Event {
    public static let name = "media.ExportReady"

    public let exportID: ExportID
    public let accountID: AccountID
    /// Until when it is kept.
    public let expires: Timestamp

    public var subject: String { exportID.description }
    public var subjectVersion: Int64 { 2 }

    public init(exportID: ExportID, accountID: AccountID, expires: Timestamp) {
        self.exportID = exportID
        self.accountID = accountID
        self.expires = expires
    }

    enum CodingKeys: String, SnakeCased { case expires, exportID, accountID }
}

/// What a file of an archive is, in words.
public struct ExportWords: Codable, Hashable, Sendable {
    public let en: String
    public let ko: String
    public let ja: String

    public init(en: String, ko: String, ja: String) { (self.en, self.ko, self.ja) = (en, ko, ja) }
}

/// A piece of a service's part of an archive. All pieces of a service, in the order of their numbers, are its files one after
/// the other.
public protocol ExportPiece: Event {
    var exportID: ExportID { get }
    /// Of the service's pieces for this archive: 0, 1, 2…
    var number: Int64 { get }
    /// The file's path within the archive; pieces of one file follow each other.
    var file: String { get }
    /// What the file is, with its first piece.
    var about: ExportWords? { get }
    /// Bytes in Base64 for URLs, which nothing escapes in JSON (RFC 4648, section 5).
    var content: String { get }
    /// Whether the service has handed over everything.
    var isLast: Bool { get }

    init(
        exportID: ExportID,
        number: Int64,
        file: String,
        about: ExportWords?,
        content: String,
        isLast: Bool
    )
}

public struct ExportPartTold<Owner: EventName>: ExportPiece {
    public static var name: String { Owner.name }

    public let exportID: ExportID
    public let number: Int64
    public let file: String
    public let about: ExportWords?
    public let content: String
    public let isLast: Bool

    public var subject: String { exportID.description }
    public var subjectVersion: Int64 { number }

    public init(
        exportID: ExportID,
        number: Int64,
        file: String,
        about: ExportWords?,
        content: String,
        isLast: Bool
    ) {
        self.exportID = exportID
        self.number = number
        self.file = file
        self.about = about
        self.content = content
        self.isLast = isLast
    }

    enum CodingKeys: String, SnakeCased { case number, file, about, content, exportID, isLast }
}

/// The services that hand over a part; media's own needs no event.
public enum ExportOwners {
    public enum Auth: EventName { public static let name = "auth.ExportPartTold" }
    public enum Posts: EventName { public static let name = "posts.ExportPartTold" }
    public enum Chat: EventName { public static let name = "chat.ExportPartTold" }
    public enum Notifications: EventName { public static let name = "notifications.ExportPartTold" }
    public enum Search: EventName { public static let name = "search.ExportPartTold" }
}
