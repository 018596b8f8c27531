// SPDX-License-Identifier: Apache-2.0
// What posts tells of people's reading: only what others than the reader may see, and that a goal was reached.

package import Domain

/// A book as somebody's shelf has it.
package struct ShelfBookSnapshot: Codable, Hashable, Sendable {
    package let id: ShelfBookID
    package let title: String
    /// The first ten.
    package let authors: [String]
    package let publisher: String?
    /// Thirteen digits.
    package let isbn: ISBN?
    package let coverURL: String?

    package init(
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
package struct RecordSnapshot: Codable, Hashable, Sendable {
    package let id: RecordID
    package let accountID: AccountID
    package let book: ShelfBookSnapshot
    package let state: ReadingState
    /// Half stars, from 1 to 10.
    package let ratingHalves: Int?
    package let oneLine: String?
    package let review: String?
    package let startedOn: Day?
    package let endedOn: Day?
    /// Never `private`.
    package let visibility: RecordVisibility
    /// Rises with every change of the record and of its book.
    package let version: Int64

    package init(
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
package typealias RecordPublished = RecordEvent<RecordDeeds.Publish>

/// A record that others may see has changed, perhaps who those are.
package typealias RecordUpdated = RecordEvent<RecordDeeds.Update>

/// Tells how a record of reading is now.
package struct RecordEvent<Deed: EventName>: ShowingAccounts {
    package static var name: String { Deed.name }

    /// Whose reading it is.
    package let reader: AccountSnapshot
    package let record: RecordSnapshot

    package var accounts: [AccountSnapshot] { [reader] }
    package var subject: String { record.id.description }
    package var subjectVersion: Int64 { record.version }

    package init(reader: AccountSnapshot, record: RecordSnapshot) {
        self.reader = reader
        self.record = record
    }
}

/// The deeds after which a record is told as a whole.
package enum RecordDeeds {
    package enum Publish: EventName { package static let name = "posts.RecordPublished" }
    package enum Update: EventName { package static let name = "posts.RecordUpdated" }
}

/// Nobody but its owner may see a record any more; perhaps it is gone.
package struct RecordWithdrawn: Event {
    package static let name = "posts.RecordWithdrawn"

    package let recordID: RecordID
    package let accountID: AccountID
    package let subjectVersion: Int64

    package var subject: String { recordID.description }

    package init(recordID: RecordID, accountID: AccountID, subjectVersion: Int64) {
        self.recordID = recordID
        self.accountID = accountID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case recordID, accountID, subjectVersion }
}

/// Somebody has read as many books as they meant to; how many, only they know.
package struct GoalReached: Event {
    package static let name = "posts.GoalReached"

    package let accountID: AccountID
    package let year: Int
    /// Nil for the year as a whole.
    package let month: Int?
    /// Of the shelf, whose every change counts up.
    package let subjectVersion: Int64

    package var subject: String { "\(accountID)-\(year)\(month.map { "-\($0)" } ?? "")" }

    package init(accountID: AccountID, year: Int, month: Int?, subjectVersion: Int64) {
        self.accountID = accountID
        self.year = year
        self.month = month
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case year, month, accountID, subjectVersion }
}
