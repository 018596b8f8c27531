// SPDX-License-Identifier: Apache-2.0
// A book as one source tells of it.

import Domain
import Foundation
import JSON
import Postgres
import Views

/// What a source tells of an edition: plain texts, bounded, and links of the web.
@dynamicMemberLookup
struct ToldBook: Sendable, Equatable {
    /// How much is kept of what a source tells, in scalars; of lists, in entries.
    enum Limits {
        static let id = 100
        static let title = 500
        static let name = 200
        static let names = 30
        static let description = 4000
        static let url = 2000
        static let pages = 1...100_000
        static let terms = 512
    }

    var source: BookSourceName
    /// As the source calls it.
    var id: String
    var book: BookData

    /// Nil for what cannot be shown: without a title, or without a way to name it.
    init?(_ source: BookSourceName, id: String?, isbn: ISBN?, title: String?) {
        guard let title = BookText.line(title, most: Limits.title) else { return nil }
        let id = isbn?.text13 ?? BookText.line(id, most: Limits.id)
        guard let id, !id.contains(where: \.isWhitespace) else { return nil }
        (self.source, self.id, book) = (source, id, BookData(title: title, isbn: isbn))
    }

    subscript<Part>(dynamicMember part: WritableKeyPath<BookData, Part>) -> Part {
        get { book[keyPath: part] }
        set { book[keyPath: part] = newValue }
    }

    /// As clients name it: two that are equal are one edition.
    var name: String { book.isbn.map { "isbn:\($0)" } ?? "\(source.rawValue):\(id)" }

    /// What it is found by, without a source.
    var terms: [Int32] {
        Array(BookQuery.terms(book.texts).prefix(Limits.terms))
    }

    /// The text that is kept.
    var json: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }
}

/// As one object: the members of the book beside who tells of it.
extension ToldBook: Codable {
    private enum CodingKeys: String, CodingKey {
        case source, id
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        source = try container.decode(BookSourceName.self, forKey: .source)
        id = try container.decode(String.self, forKey: .id)
        book = try BookData(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(id, forKey: .id)
        try book.encode(to: encoder)
    }
}

extension ToldBook: Columned {
    static let columns: SQL = "b.item"

    init(columns: inout Columns) throws {
        let item: String = try columns.next()
        self = try JSONDecoder().decode(ToldBook.self, from: Data(item.utf8))
    }
}

/// A part of what a source has.
struct ToldBooks: Sendable {
    var books: [ToldBook]
    /// How many there are in all.
    let total: Int
}

/// What is made of texts of others.
enum BookText {
    /// One line without control characters and without white space at both ends, and nothing else changed; nil for none.
    static func line(_ text: String?, most: Int) -> String? {
        guard let text else { return nil }
        var kept = String.UnicodeScalarView()
        // White space in front does not count against what may be there.
        for scalar in text.unicodeScalars.drop(while: \.properties.isWhitespace).prefix(most) {
            if scalar.properties.generalCategory != .control {
                kept.append(scalar)
            } else if scalar.properties.isWhitespace, kept.last != " " {
                kept.append(" ")
            }
        }
        let line = String(kept).trimmed
        return line.isEmpty ? nil : line
    }

    /// The same with its line breaks.
    static func paragraph(_ text: String?, most: Int) -> String? {
        guard let text else { return nil }
        let kept = text.unicodeScalars.drop(while: \.properties.isWhitespace).prefix(most)
        let paragraph = String(String.UnicodeScalarView(kept)).withoutControls.trimmed
        return paragraph.isEmpty ? nil : paragraph
    }

    static func names(_ names: [String]) -> [String] {
        Array(names.lazy.compactMap { line($0, most: ToldBook.Limits.name) }.prefix(ToldBook.Limits.names))
    }

    /// A link of the web; nil for anything else.
    static func url(_ text: String?) -> String? {
        guard let text, text.utf8.count <= ToldBook.Limits.url, text.hasPrefix("https://") || text.hasPrefix("http://"),
            !text.unicodeScalars.contains(where: {
                $0.value <= 0x20 || $0.value == 0x7F || "<>\"".unicodeScalars.contains($0)
            }),
            URL(string: text)?.host()?.isEmpty == false
        else { return nil }
        return text
    }

    /// A date as sources write it: whole, its beginning, or the year that is somewhere in it (`May 19, 2014`).
    static func date(_ text: String?) -> PartialDate? {
        guard let text, text.utf8.count <= 64 else { return nil }
        if let date = PartialDate(text.prefix(10)) ?? PartialDate(text) { return date }
        let year = text.split { !("0"..."9").contains($0) }.first { $0.utf8.count == 4 }
        return year.flatMap { PartialDate($0) }
    }

    /// The number of a book among those that one text tells of, such as `8932917248 9788932917245`.
    ///
    /// The thirteen digits count before the ten: shops of Korea make ten digits of a 979 as well, which are another book's.
    static func isbn(_ texts: some Sequence<some StringProtocol>) -> ISBN? {
        let numbers = texts.compactMap { text in
            ISBN(text).map { (isbn: $0, digits: text.utf8.count { (48...57).contains($0) }) }
        }
        return (numbers.first { $0.digits == 13 } ?? numbers.first)?.isbn
    }
}
