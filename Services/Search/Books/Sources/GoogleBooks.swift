// SPDX-License-Identifier: Apache-2.0
// Google Books (https://developers.google.com/books/docs/v1/reference/volumes/list).

import Domain
import JSON
import Outbound

struct GoogleBooks: BookSource {
    private(set) var access: BookAccess
    /// Nil asks as anybody may.
    let key: String?

    var name: BookSourceName { .google }

    init(key: String?, access: BookAccess) {
        self.key = key
        self.access = access
        self.access.secrets = key.map { [$0] } ?? []
    }

    func path(_ call: BookCall) -> String {
        let words =
            switch call {
            case .part(let text, _): text
            case .isbn(let isbn): "isbn:\(isbn)"
            }
        let range = call.range
        let path =
            "/books/v1/volumes?q=\(words.percentEncoded)&startIndex=\(range.lowerBound)&maxResults=\(range.count)"
            + "&printType=books"
        return key.map { "\(path)&key=\($0)" } ?? path
    }

    /// A wrong key is a bad request too.
    func isNothing(_ answer: OutboundAnswer) -> Bool {
        answer.status == 400 && !String(decoding: answer.body, as: UTF8.self).lowercased().contains("key")
    }

    func read(_ answer: RawJSON, to call: BookCall) -> ToldBooks? {
        guard let total = answer.member("totalItems")?.count else { return nil }
        // Where nothing is found, `items` is not there, whatever they count.
        guard let items = answer.member("items")?.elements, !items.isEmpty else {
            return ToldBooks(books: [], total: min(total, call.range.lowerBound))
        }
        return ToldBooks(books: items.compactMap(book), total: total)
    }

    private func book(_ item: RawJSON) -> ToldBook? {
        guard let info = item.member("volumeInfo") else { return nil }
        let identifiers = info.member("industryIdentifiers")?.elements ?? []
        let numbers = identifiers.filter { $0.member("type")?.text?.hasPrefix("ISBN_") == true }
            .compactMap { $0.member("identifier")?.text }
        let title = [info.member("title")?.text, info.member("subtitle")?.text].compactMap { $0 }.filter { !$0.isEmpty }
        let isbn = BookText.isbn(numbers)
        guard let id = item.member("id")?.text,
            var book = ToldBook(.google, id: id, isbn: isbn, title: title.joined(separator: ": "))
        else { return nil }
        book.authors = BookText.names(info.member("authors")?.texts ?? [])
        book.publisher = BookText.line(info.member("publisher")?.text, most: ToldBook.Limits.name)
        book.publishedOn = BookText.date(info.member("publishedDate")?.text)
        book.description = BookText.paragraph(info.member("description")?.text, most: ToldBook.Limits.description)
        book.pages = info.member("pageCount")?.count.flatMap { ToldBook.Limits.pages.contains($0) ? $0 : nil }
        book.language = BookText.line(info.member("language")?.text, most: 16)
        // Told without TLS, had with it.
        let cover = info.member("imageLinks")?.member("thumbnail")?.text
        book.coverURL = BookText.url(
            cover.map { $0.hasPrefix("http://books.google.") ? "https" + $0.dropFirst(4) : $0 }
        )
        book.link = BookText.url(info.member("infoLink")?.text)
        return book
    }
}
