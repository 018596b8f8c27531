// SPDX-License-Identifier: Apache-2.0
// Tables as text, as others write them and as we do.

import Domain
import Testing

@Suite struct CSVTests {
    @Test(arguments: [
        ("", []),
        ("a,b\n\"c\nd\",\"\"\n,\n", [["a", "b"], ["c\nd", ""], ["", ""]]),
        ("a\r\n\"b\"\"\"", [["a"], ["b\""]]),
        ("\"never ends", [["never ends"]]),
        ("\u{FEFF}제목,저자\r\n\r\n\"홍길동, 전\",허균", [["제목", "저자"], ["홍길동, 전", "허균"]]),
        ("a\rb\r", [["a"], ["b"]]),
        ("\"a\"b,c\"d", [["ab", "c\"d"]]),
        ("\"a\r\nb\"", [["a\nb"]]),
    ])
    func tablesAreReadAsTheyAreWritten(text: String, rows: [[String]]) {
        #expect(CSV(text).rows.map(\.fields) == rows)
    }

    @Test func rowsKnowWhereTheyBegin() {
        let table = CSV("a\r\n\r\n\"b\r\n\nc\"\r\nd\n\ne")
        #expect(table.rows.map(\.line) == [1, 3, 6, 8])
        #expect(!table.isCut)
        #expect(CSV("a\n\"b").isCut)
        #expect(!CSV("a,\"b\"").isCut)
    }

    @Test func whatIsWrittenIsReadAgain() {
        let rows = [
            ["a", "", "b,c", "d\"e", "f\ng"], ["=1+1", "+82", "-", "@x", "'", "'=x"], ["\tx", " y ", "책", "", ""],
        ]
        let text = rows.map(CSV.line).joined()
        #expect(CSV(text).rows.map { $0.fields.map(CSV.unguarded) } == rows.map { $0.map { $0 == "'=x" ? "=x" : $0 } })
        #expect(CSV.line(["=1+1", "@x", "a"]) == "'=1+1,'@x,a\r\n")
    }
}
