// SPDX-License-Identifier: Apache-2.0
// Numbers of books, and dates of which only a part is known.

import Domain
import Foundation
import Support
import Testing

@Suite struct ISBNTests {
    @Test func tenDigitsAndThirteenAreOneNumber() {
        // 소년이 온다, 挪威的森林's Japanese original, and one whose ten digits end with an X.
        for (ten, thirteen) in [
            ("8936434128", "9788936434120"), ("4062748681", "9784062748681"), ("080442957X", "9780804429573"),
        ] {
            #expect(ISBN(ten)?.text13 == thirteen)
            #expect(ISBN(thirteen)?.text10 == ten)
            #expect(ISBN(ten) == ISBN(thirteen))
        }
        #expect(ISBN("9791190090018")?.text13 == "9791190090018")
        #expect(ISBN("9791190090018")?.text10 == nil)
    }

    @Test(arguments: [
        "978-89-364-3412-0", "978 89 364 3412 0", " 9788936434120 ", "978\u{2010}89\u{2013}364\u{2011}3412\u{2012}0",
        "89-364-3412-8", "978\u{A0}8936434120",
    ])
    func hyphensAndSpacesDoNotCount(_ text: String) { #expect(ISBN(text)?.text13 == "9788936434120") }

    @Test(arguments: [
        "", " ", "-", "X", "XXXXXXXXXX", "9788936434121", "8936434127", "080442957x0", "X804429570", "08044X9570",
        "978893643412", "97889364341200", "9770000000003", "9790260000438", "978893643412X", "９７８８９３６４３４１２０",
        "isbn9788936434120", "9788936434120\u{0}", "9788936434120a", "٩٧٨٨٩٣٦٤٣٤١٢٠",
        String(repeating: "-", count: 60) + "9788936434120", String(repeating: "9", count: 1_000_000),
    ])
    func whatIsNoneIsNone(_ text: String) { #expect(ISBN(text) == nil) }

    @Test func everyOtherCheckDigitIsWrong() {
        var random = TestSeed()
        for _ in 0..<200 {
            let body = (0..<9).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let tens = ((0...9).map(String.init) + ["X"]).compactMap { ISBN(body + $0) }
            #expect(tens.count == 1, "\(body)")
            let thirteens = (0...9).compactMap { ISBN("978\(body)\($0)") }
            #expect(thirteens == tens, "\(body)")
            #expect(thirteens.first?.text10.flatMap { ISBN($0) } == tens.first)
        }
    }

    @Test func itIsCodedAsItsDigits() throws {
        let isbn = try #require(ISBN("080442957x"))
        let json = try JSONEncoder().encode([isbn])
        #expect(String(decoding: json, as: UTF8.self) == #"["9780804429573"]"#)
        #expect(try JSONDecoder().decode([ISBN].self, from: json) == [isbn])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ISBN].self, from: Data(#"["1"]"#.utf8)) }
    }
}

@Suite struct PartialDateTests {
    @Test(arguments: [
        ("2014", "2014"), ("2014-05", "2014-05"), ("2014-05-19", "2014-05-19"), ("20140519", "2014-05-19"),
        ("201405", "2014-05"), ("20140500", "2014-05"), ("20140000", "2014"), ("0800-02-29", "0800-02-29"),
        ("20240229", "2024-02-29"), ("2014-00", "2014"),
    ])
    func aPartOfADateIsRead(_ text: String, _ date: String) { #expect(PartialDate(text)?.description == date) }

    @Test(arguments: [
        "", "-", "0000", "214", "20145", "2014-", "2014-5", "2014-13", "2014-02-29", "20140431", "20140019",
        "2014-0519",
        "201405-19", "2014/05/19", "２０１４", "2014-05-19T00:00:00Z", "99999", "2014-05-19-", "--20140519",
        String(repeating: "1", count: 100_000),
    ])
    func whatIsNoDateIsNone(_ text: String) { #expect(PartialDate(text) == nil) }

    @Test func noNumberTraps() {
        for number in [Int.min, -1, 0, 32, 10_000, Int.max] {
            #expect(PartialDate(year: number) == nil || number == 32)
            #expect(PartialDate(year: 2024, month: number) == nil)
            #expect(PartialDate(year: 2024, month: 1, day: number) == nil)
        }
        #expect(PartialDate(year: 2024, day: 1) == nil)
        #expect(PartialDate(year: 1900, month: 2, day: 29) == nil)
    }
}
