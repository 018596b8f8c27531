// SPDX-License-Identifier: Apache-2.0
// Letters as they go.

import Domain
import Events
import Foundation
import Outbound
import Testing

@testable import AuthService

@Suite struct LetterDocumentTests {
    private static let moment = Timestamp(milliseconds: 1_767_323_100_000)
    private static let site = Site(domain: "madang.example", origin: "https://madang.example")

    private static let letters: [Letter] =
        [
            .confirmation, .passwordReset, .passwordChanged(at: moment),
            .newDevice(name: "Firefox · Linux", at: moment),
            .newDevice(name: "", at: moment), .leaving(deletion: moment), .deleted, .exportReady(expires: moment),
            .decision(action: .warn, reason: "", until: nil, appealUntil: nil),
        ]
        + DecisionAction.allCases.map {
            .decision(action: $0, reason: "욕설", until: moment, appealUntil: moment, decision: DecisionID(5))
        }

    private static func document(_ letter: Letter, _ language: Language, name: String? = "minji") throws
        -> LetterDocument
    {
        LetterDocument(
            id: "00000000-0000-7000-8000-000000000007",
            from: try #require(MailSender("마당 <no-reply@madang.example>")),
            to: "minji@example.com",
            language: language,
            words: LetterWords(
                letter,
                to: name,
                in: language,
                link: String(repeating: "a", count: 43),
                appeal: "a-token",
                site: site
            ),
            date: moment
        )
    }

    @Test func saysEverythingInEveryLanguage() throws {
        for letter in Self.letters {
            for language in Language.allCases {
                let read = ReadLetter(try Self.document(letter, language).text)
                #expect(!read.subject.isEmpty && !read.subject.contains("letter_"), "\(letter) \(language)")
                for text in [read.plain, read.html] {
                    #expect(!text.contains("letter_") && !text.contains("{") && !text.contains("}"), "\(text)")
                    #expect(text.contains("@minji"), "\(text)")
                }
            }
        }
    }

    @Test func isAsTheStandardsWantIt() throws {
        for letter in Self.letters {
            for language in Language.allCases {
                let text = try Self.document(letter, language).text
                #expect(text.utf8.allSatisfy { $0 < 128 })
                let lines = text.components(separatedBy: "\r\n")
                #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("\r") && $0.utf8.count <= 90 }, "\(text)")
                let read = ReadLetter(text)
                let names = read.headers.map(\.name)
                #expect(Set(names).count == names.count)
                #expect(read.header("Message-ID") == "<00000000-0000-7000-8000-000000000007@madang.example>")
                #expect(read.header("Date") == "Fri, 02 Jan 2026 03:05:00 +0000")
                #expect(read.header("Auto-Submitted") == "auto-generated")
                #expect(read.header("Content-Language") == language.rawValue)
                #expect(read.header("From")?.hasSuffix(" <no-reply@madang.example>") == true)
                #expect(try Self.document(letter, language).text == text)
            }
        }
    }

    @Test func linksLeadHere() throws {
        let reset = ReadLetter(try Self.document(.passwordReset, .korean).text)
        let token = String(repeating: "a", count: 43)
        #expect(reset.plain.contains("https://madang.example/auth/password/reset?token=\(token)&lang=ko"))
        #expect(reset.html.contains("href=\"https://madang.example/auth/password/reset?token=\(token)&amp;lang=ko\""))
        let confirmation = ReadLetter(try Self.document(.confirmation, .english).text)
        #expect(confirmation.plain.contains("https://madang.example/auth/confirm?token=\(token)"))
        #expect(ReadLetter(try Self.document(.deleted, .english).text).plain.contains("https://") == false)
    }

    @Test func whatPeopleWriteIsText() throws {
        let name = "<b>{time}</b>\r\n.\r\nBcc: everybody@example.com"
        let read = ReadLetter(try Self.document(.newDevice(name: name, at: Self.moment), .english).text)
        #expect(read.header("Bcc") == nil)
        #expect(read.plain.contains("<b>{time}</b>"))
        #expect(read.html.contains("&lt;b&gt;{time}&lt;/b&gt;") && !read.html.contains("<b>"))
    }

    @Test func headersAreASCII() {
        #expect(HeaderText.encoded("A new password for example") == "A new password for example")
        #expect(HeaderText.encoded("a: b\r\nBcc: x").hasPrefix("=?utf-8?B?"))
        #expect(!HeaderText.encoded("a: b\r\nBcc: x").contains("Bcc"))
        #expect(HeaderText.encoded("=?utf-8?B?eA==?=").hasPrefix("=?utf-8?B?PT91"))
        let long = String(repeating: "가나다 라마바 ", count: 12)
        let words = HeaderText.encoded(long).components(separatedBy: "\r\n ")
        #expect(words.count > 2)
        let decoded = words.map { word -> String in
            #expect(word.utf8.count <= 75 && word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
            // Each is whole characters of its own.
            return Data(base64Encoded: String(word.dropFirst(10).dropLast(2)))
                .flatMap { String(data: $0, encoding: .utf8) } ?? "?"
        }
        #expect(decoded.joined() == long)
    }

    @Test func knowsWhomLettersAreFrom() {
        #expect(MailSender("no-reply@example.org")?.name == nil)
        #expect(MailSender("no-reply@example.org")?.domain == "example.org")
        #expect(MailSender(" 마당 <no-reply@example.org> ")?.name == "마당")
        #expect(MailSender("<no-reply@example.org>")?.address.text == "no-reply@example.org")
        for wrong in ["", "nobody", "a <b@example.org", "a@example.org\r\nBcc: b@example.org", "a\n <b@example.org>"] {
            #expect(MailSender(wrong) == nil, "\(wrong)")
        }
    }

    @Test func lettersAreKeptAsTheyAre() throws {
        for letter in Self.letters {
            let coded = try JSONEncoder().encode(letter)
            #expect(try JSONDecoder().decode(Letter.self, from: coded) == letter)
        }
    }
}
