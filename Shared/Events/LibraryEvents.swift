// SPDX-License-Identifier: Apache-2.0
// What posts tells of people's reading: only what others than the reader may see, and that a goal was reached.

public import Domain

/// A book as somebody's shelf has it.
public struct ShelfBookSnapshot: Codable, Hashable, Sendable {
    public let id: ShelfBookID
    public let title: String
    /// The first ten.
    public let authors: [String]
    public let publisher: String?
    /// Thirteen digits.
    public let isbn: ISBN?
    public let coverURL: String?

    public init(
        id: ShelfBookID,
        title: String,
        authors: [String] = [],
        publisher: String? = nil,
        isbn: ISBN? = nil,
        coverURL: String? = nil
    ) {
        self.id = id
        self.title = title
        self.authors = authors
        self.publisher = publisher
        self.isbn = isbn
        self.coverURL = coverURL
    }

    enum CodingKeys: String, SnakeCased { case id, title, authors, publisher, isbn, coverURL }
}

/// A record of reading that others than its owner may see, without its quotes and its progress.
public struct RecordSnapshot: Codable, Hashable, Sendable {
    public let id: RecordID
    public let accountID: AccountID
    public let book: ShelfBookSnapshot
    public let state: ReadingState
    /// Half stars, from 1 to 10.
    public let ratingHalves: Int?
    public let oneLine: String?
    public let review: String?
    public let startedOn: Day?
    public let endedOn: Day?
    /// Never `private`.
    public let visibility: RecordVisibility
    /// Rises with every change of the record and of its book.
    public let version: Int64

    public init(
        id: RecordID,
        accountID: AccountID,
        book: ShelfBookSnapshot,
        state: ReadingState,
        ratingHalves: Int? = nil,
        oneLine: String? = nil,
        review: String? = nil,
        startedOn: Day? = nil,
        endedOn: Day? = nil,
        visibility: RecordVisibility,
        version: Int64
    ) {
        self.id = id
        self.accountID = accountID
        self.book = book
        self.state = state
        self.ratingHalves = ratingHalves
        self.oneLine = oneLine
        self.review = review
        self.startedOn = startedOn
        self.endedOn = endedOn
        self.visibility = visibility
        self.version = version
    }

    enum CodingKeys: String, SnakeCased {
        case id, book, state, review, visibility, version, accountID, ratingHalves, oneLine, startedOn, endedOn
    }
}

/// Somebody shows others a record of reading that only they could see, or that was not there.
public typealias RecordPublished = RecordEvent<RecordDeeds.Publish>

/// A record that others may see has changed, perhaps who those are.
public typealias RecordUpdated = RecordEvent<RecordDeeds.Update>

/// Tells how a record of reading is now.
public struct RecordEvent<Deed: EventName>: ShowingAccounts {
    public static var name: String { Deed.name }

    /// Whose reading it is.
    public let reader: AccountSnapshot
    public let record: RecordSnapshot

    public var accounts: [AccountSnapshot] { [reader] }
    public var subject: String { record.id.description }
    public var subjectVersion: Int64 { record.version }

    public init(reader: AccountSnapshot, record: RecordSnapshot) {
        self.reader = reader
        self.record = record
    }
}

/// The deeds after which a record is told as a whole.
public enum RecordDeeds {
    public enum Publish: EventName { public static let name = "posts.RecordPublished" }
    public enum Update: EventName { public static let name = "posts.RecordUpdated" }
}

/// Nobody but its owner may see a record any more; perhaps it is gone.
public struct RecordWithdrawn: Event {
    public static let name = "posts.RecordWithdrawn"

    public let recordID: RecordID
    public let accountID: AccountID
    public let subjectVersion: Int64

    public var subject: String { recordID.description }

    public init(recordID: RecordID, accountID: AccountID, subjectVersion: Int64) {
        self.recordID = recordID
        self.accountID = accountID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case recordID, accountID, subjectVersion }
}

/// Somebody has read as many books as they meant to; how many, only they know.
public struct GoalReached: Event {
    public static let name = "posts.GoalReached"

    public let accountID: AccountID
    public let year: Int
    /// Nil for the year as a whole.
    public let month: Int?
    /// Of the shelf, whose every change counts up.
    public let subjectVersion: Int64

    public var subject: String { "\(accountID)-\(year)\(month.map { "-\($0)" } ?? "")" }

    public init(accountID: AccountID, year: Int, month: Int?, subjectVersion: Int64) {
        self.accountID = accountID
        self.year = year
        self.month = month
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case year, month, accountID, subjectVersion }
}
