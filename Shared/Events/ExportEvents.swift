// SPDX-License-Identifier: Apache-2.0
// What is told when somebody asks for everything that is kept of them.

package import Domain

/// Somebody asked for an archive of what is theirs: each service hands over its part.
package struct ExportAsked: Event {
    package static let name = "media.ExportAsked"

    package let exportID: ExportID
    package let accountID: AccountID

    package var subject: String { exportID.description }
    package var subjectVersion: Int64 { 1 }

    package init(exportID: ExportID, accountID: AccountID) {
        self.exportID = exportID
        self.accountID = accountID
    }

    enum CodingKeys: String, SnakeCased { case exportID, accountID }
}

/// An archive is there to be fetched.
package struct ExportReady: Event {
    package static let name = "media.ExportReady"

    package let exportID: ExportID
    package let accountID: AccountID
    /// Until when it is kept.
    package let expires: Timestamp

    package var subject: String { exportID.description }
    package var subjectVersion: Int64 { 2 }

    package init(exportID: ExportID, accountID: AccountID, expires: Timestamp) {
        self.exportID = exportID
        self.accountID = accountID
        self.expires = expires
    }

    enum CodingKeys: String, SnakeCased { case expires, exportID, accountID }
}

/// What a file of an archive is, in words.
package struct ExportWords: Codable, Hashable, Sendable {
    package let en: String
    package let ko: String
    package let ja: String

    package init(en: String, ko: String, ja: String) { (self.en, self.ko, self.ja) = (en, ko, ja) }
}

/// A piece of a service's part of an archive. All pieces of a service, in the order of their numbers, are its files one after
/// the other.
package protocol ExportPiece: Event {
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

package struct ExportPartTold<Owner: EventName>: ExportPiece {
    package static var name: String { Owner.name }

    package let exportID: ExportID
    package let number: Int64
    package let file: String
    package let about: ExportWords?
    package let content: String
    package let isLast: Bool

    package var subject: String { exportID.description }
    package var subjectVersion: Int64 { number }

    package init(
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
package enum ExportOwners {
    package enum Auth: EventName { package static let name = "auth.ExportPartTold" }
    package enum Posts: EventName { package static let name = "posts.ExportPartTold" }
    package enum Chat: EventName { package static let name = "chat.ExportPartTold" }
    package enum Notifications: EventName { package static let name = "notifications.ExportPartTold" }
    package enum Search: EventName { package static let name = "search.ExportPartTold" }
}
