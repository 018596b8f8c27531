// SPDX-License-Identifier: Apache-2.0
// Kakao's (Daum's) book search (https://developers.kakao.com/docs/latest/ko/daum-search/dev-guide#search-book).

import Domain
import Foundation
import JSON

struct KakaoBooks: BookSource {
    private(set) var access: BookAccess
    let key: String

    var name: BookSourceName { .kakao }

    var headers: [(name: String, value: String)] { [("Authorization", "KakaoAK \(key)")] }

    init(key: String, access: BookAccess) {
        self.key = key
        self.access = access
        self.access.secrets = [key]
    }

    func path(_ call: BookCall) -> String {
        switch call {
        case .part(let text, let number):
            "/v3/search/book?query=\(text.percentEncoded)&sort=accuracy&page=\(number + 1)&size=\(BookCall.size)"
        case .isbn(let isbn):
            "/v3/search/book?query=\(isbn)&target=isbn&page=1&size=\(call.range.count)"
        }
    }

    func read(_ answer: RawJSON, to call: BookCall) -> ToldBooks? {
        guard let items = answer.member("documents")?.elements else { return nil }
        let meta = answer.member("meta")
        // They page through fewer than they count, and repeat the last page behind it.
        let end = meta?.member("is_end")?.boolean == true ? call.range.upperBound : .max
        let total = min(meta?.member("pageable_count")?.count ?? 0, end)
        return ToldBooks(books: items.compactMap(book), total: total)
    }

    private func book(_ item: RawJSON) -> ToldBook? {
        let isbn = BookText.isbn((item.member("isbn")?.text ?? "").split(separator: " "))
        let link = BookText.url(item.member("url")?.text)
        let id = link.flatMap(Self.number)
        guard var book = ToldBook(.kakao, id: id, isbn: isbn, title: item.member("title")?.text) else { return nil }
        book.authors = BookText.names(item.member("authors")?.texts ?? [])
        book.translators = BookText.names(item.member("translators")?.texts ?? [])
        book.publisher = BookText.line(item.member("publisher")?.text, most: ToldBook.Limits.name)
        // A moment in Korea, of which the day counts.
        book.publishedOn = BookText.date(item.member("datetime")?.text)
        book.description = BookText.paragraph(item.member("contents")?.text, most: ToldBook.Limits.description)
        book.coverURL = BookText.url(item.member("thumbnail")?.text)
        book.link = link
        return book
    }

    /// `bookId` of the link to its page.
    private static func number(_ link: String) -> String? {
        URLComponents(string: link)?.queryItems?.first { $0.name == "bookId" }?.value
    }
}
