// SPDX-License-Identifier: Apache-2.0
// Naver's book search (https://developers.naver.com/docs/serviceapi/search/book/book.md).

import Domain
import JSON

struct NaverBooks: BookSource {
    private(set) var access: BookAccess
    let id: String
    let secret: String

    var name: BookSourceName { .naver }

    var headers: [(name: String, value: String)] { [("X-Naver-Client-Id", id), ("X-Naver-Client-Secret", secret)] }

    init(id: String, secret: String, access: BookAccess) {
        self.id = id
        self.secret = secret
        self.access = access
        self.access.secrets = [id, secret]
    }

    /// The search by numbers alone answers XML; a number among the words finds the same.
    func path(_ call: BookCall) -> String {
        let words =
            switch call {
            case .part(let text, _): text
            case .isbn(let isbn): isbn.text13
            }
        let range = call.range
        return "/v1/search/book.json?query=\(words.percentEncoded)&display=\(range.count)"
            + "&start=\(range.lowerBound + 1)&sort=sim"
    }

    func read(_ answer: RawJSON, to call: BookCall) -> ToldBooks? {
        guard let items = answer.member("items")?.elements else { return nil }
        return ToldBooks(books: items.compactMap(book), total: answer.member("total")?.count ?? 0)
    }

    private func book(_ item: RawJSON) -> ToldBook? {
        // Documented as a number, told as a text: `8932917248 9788932917245`.
        let number = item.member("isbn")
        let isbn = BookText.isbn((number?.text ?? number?.integer.map(String.init) ?? "").split(separator: " "))
        let link = BookText.url(item.member("link")?.text)
        let title = item.member("title")?.text.map(Self.unmarked)
        guard var book = ToldBook(.naver, id: link.flatMap(Self.number), isbn: isbn, title: title) else { return nil }
        let authors = item.member("author")?.text.map(Self.unmarked) ?? ""
        book.authors = BookText.names(authors.split { $0 == "^" || $0 == "|" }.map(String.init))
        book.publisher = BookText.line(item.member("publisher")?.text.map(Self.unmarked), most: ToldBook.Limits.name)
        book.publishedOn = BookText.date(item.member("pubdate")?.text)
        book.description = BookText.paragraph(
            item.member("description")?.text.map(Self.unmarked),
            most: ToldBook.Limits.description
        )
        book.coverURL = BookText.url(item.member("image")?.text)
        book.link = link
        return book
    }

    /// The last digits of the link to its page, `https://search.shopping.naver.com/book/catalog/32441604669`.
    private static func number(_ link: String) -> String? {
        let digits = link.utf8.reversed().prefix { (48...57).contains($0) }.reversed()
        return digits.isEmpty ? nil : String(decoding: Array(digits), as: UTF8.self)
    }

    /// A text without what marks the words that were looked for, `<b>` and `</b>`, and with what is escaped in HTML as it is, once.
    /// Nothing else is changed.
    static func unmarked(_ text: String) -> String {
        var kept: [UInt8] = []
        var rest = Array(text.utf8)[...]
        kept.reserveCapacity(rest.count)
        while let byte = rest.first {
            if byte == UInt8(ascii: "<"), rest.starts(with: "<b>".utf8) {
                rest = rest.dropFirst(3)
            } else if byte == UInt8(ascii: "<"), rest.starts(with: "</b>".utf8) {
                rest = rest.dropFirst(4)
            } else if byte == UInt8(ascii: "&"), let (character, length) = escaped(rest) {
                kept.append(contentsOf: String(character).utf8)
                rest = rest.dropFirst(length)
            } else {
                kept.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// The character at the beginning of `text` and how many bytes write it; nil for none.
    private static func escaped(_ text: ArraySlice<UInt8>) -> (character: Unicode.Scalar, length: Int)? {
        let name = text.dropFirst().prefix(9).prefix { $0 != UInt8(ascii: ";") }
        guard text.dropFirst(1 + name.count).first == UInt8(ascii: ";") else { return nil }
        let word = String(decoding: name, as: UTF8.self)
        let scalar: Unicode.Scalar? =
            if word.hasPrefix("#x") || word.hasPrefix("#X") {
                UInt32(word.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            } else if word.hasPrefix("#") {
                UInt32(word.dropFirst()).flatMap(Unicode.Scalar.init)
            } else {
                named[word]
            }
        return scalar.map { ($0, name.count + 2) }
    }
}
