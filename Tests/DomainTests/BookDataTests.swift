// SPDX-License-Identifier: Apache-2.0
// What is known of a book, and how two words on it become one.

import Domain
import Foundation
import Testing

@Suite struct BookDataTests {
    private let known = BookData(
        title: "소년이 온다",
        publisher: "창비",
        publishedOn: PartialDate(year: 2014, month: 5),
        isbn: ISBN("9788936434120")
    )

    @Test func itKeepsWhatItKnowsAndTakesTheRest() {
        let other = BookData(
            title: "Human Acts",
            authors: ["한강"],
            publisher: "Changbi",
            publishedOn: PartialDate(year: 2016),
            pages: 216,
            link: "https://books.example/1"
        )
        var expected = known
        (expected.authors, expected.pages, expected.link) = (["한강"], 216, "https://books.example/1")
        #expect(known.filled(from: other) == expected)
        #expect(expected.filled(from: BookData(title: "", authors: ["another"], pages: 1)) == expected)
    }

    @Test func itIsFoundByAllItsTexts() {
        #expect(known.texts == ["소년이 온다", "창비", "9788936434120", "8936434128"])
    }

    @Test func aDateOfWhichOnlyTheMonthIsKnownStaysSo() throws {
        let text = try JSONEncoder().encode(known)
        #expect(try JSONDecoder().decode(BookData.self, from: text) == known)
        #expect(String(decoding: text, as: UTF8.self).contains(#""published_on":"2014-05""#))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PartialDate].self, from: Data(#"["May 2014"]"#.utf8))
        }
    }
}
