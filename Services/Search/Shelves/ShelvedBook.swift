// SPDX-License-Identifier: Apache-2.0
// A book of a record of reading that others may see.

import Domain
import Events
import Foundation
import TextAnalysis

/// What is known of a record's book: nothing where not everybody may see the record.
struct ShelvedBook: Sendable {
    let record: RecordID
    let version: Int64
    let reader: AccountID
    /// Nil for what is not, or no more, for everybody.
    let book: ShelfBookSnapshot?

    init(_ record: RecordSnapshot) {
        self.record = record.id
        version = record.version
        reader = record.accountID
        book = record.visibility == .public ? record.book : nil
    }

    init(_ withdrawn: RecordWithdrawn) {
        record = withdrawn.recordID
        version = withdrawn.subjectVersion
        reader = withdrawn.accountID
        book = nil
    }

    /// Of the book's document, if this record is the first that has it.
    var key: DocumentKey { DocumentKey(kind: .book, id: record.rawValue) }
}

extension ShelfBookSnapshot {
    /// The same for copies of one book: by the ISBN, else by title and authors, folded.
    var number: Int64 {
        if let isbn { return stableNumber("isbn", isbn.text13) }
        return stableNumber("text", ([title] + authors).map { FoldedText($0).text }.joined(separator: "\n"))
    }

    /// The text that is kept.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            // The same text for the same book, so that it is not written again where nothing has changed.
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }
}

/// A book with the first record that everybody may see of it.
struct FirstCopy: Sendable {
    let record: RecordID
    let version: Int64
    let book: ShelfBookSnapshot
    /// Among the first thousand records.
    let readers: Int
}

extension SearchDocument {
    /// A book on shelves, without who has it.
    init(_ copy: FirstCopy) {
        self.init(
            kind: .book,
            id: copy.record.rawValue,
            version: copy.version,
            popularity: SearchPopularity.doubled(copy.readers),
            names: [copy.book.title],
            text: copy.book.words
        )
        isbn = copy.book.isbn
    }

    /// What somebody says of a book, and the book.
    init(_ record: RecordSnapshot) {
        self.init(
            kind: .reading,
            id: record.id.rawValue,
            version: record.version,
            author: record.accountID,
            audience: SearchAudience(record.visibility),
            names: [record.book.title],
            text: ([record.book.words] + [record.oneLine, record.review].compactMap { $0 }).joined(separator: "\n")
        )
        isbn = record.book.isbn
    }
}

extension ShelfBookSnapshot {
    /// What it is found by; its number is found as a whole only.
    fileprivate var words: String { ([title] + authors + [publisher].compactMap { $0 }).joined(separator: "\n") }
}

extension SearchAudience {
    fileprivate init(_ visibility: RecordVisibility) {
        self =
            switch visibility {
            case .public: .public
            case .followers: .followers
            case .private: .named
            }
    }
}
