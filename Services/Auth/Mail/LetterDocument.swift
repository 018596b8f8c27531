// SPDX-License-Identifier: Apache-2.0
// A letter as it goes: headers (RFC 5322), and its words as text and as HTML (RFC 2046).

import Domain
import Foundation

/// What somebody reads.
struct LetterWords: Sendable {
    let subject: String
    let paragraphs: [String]
    var link: Link?

    /// A button of the HTML, an address of the text.
    struct Link: Sendable {
        let label: String
        let url: String
    }
}

/// The same bytes whenever it is made of the same letter: a server that is given it twice is given one letter twice.
struct LetterDocument: Sendable {
    /// A UUID, as text.
    let id: String
    let from: MailSender
    let to: String
    let language: Language
    let words: LetterWords
    let date: Timestamp

    /// With CRLF at the end of each line. None is longer than 78 octets but where one word is.
    var text: String {
        let boundary = "madang-\(id)"
        let sender = from.name.map { "\(HeaderText.encoded($0)) <\(from.address)>" } ?? from.address.text
        let head = [
            "From: \(sender)",
            "To: \(to)",
            "Subject: \(HeaderText.encoded(words.subject))",
            "Date: \(date.httpDate.replacing("GMT", with: "+0000"))",
            "Message-ID: <\(id)@\(from.domain)>",
            "MIME-Version: 1.0",
            // Nobody's absence answers it (RFC 3834, section 5).
            "Auto-Submitted: auto-generated",
            "Content-Language: \(language.rawValue)",
            "Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"",
        ]
        let parts = [("text/plain", plain), ("text/html", html)].flatMap { type, content in
            [
                "--\(boundary)", "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: base64", "",
            ] + LetterDocument.lines(content)
        }
        return (head + [""] + parts + ["--\(boundary)--", ""]).joined(separator: "\r\n")
    }

    private var plain: String {
        let link = words.link.map { ["\($0.label):\r\n\($0.url)"] } ?? []
        return (words.paragraphs + link).joined(separator: "\r\n\r\n") + "\r\n"
    }

    private var html: String {
        let paragraphs = words.paragraphs.map { paragraph in
            "<p>\(LetterDocument.escaped(paragraph).replacing("\n", with: "<br>"))</p>"
        }
        let link = words.link.map { link in
            let url = LetterDocument.escaped(link.url)
            return [
                "<p><a href=\"\(url)\">\(LetterDocument.escaped(link.label))</a></p>", "<p>\(url)</p>",
            ]
        }
        let title = "<title>\(LetterDocument.escaped(words.subject))</title>"
        let head =
            "<!DOCTYPE html>\r\n<html lang=\"\(language.rawValue)\"><head><meta charset=\"utf-8\">\(title)</head><body>"
        return ([head] + paragraphs + (link ?? []) + ["</body></html>", ""]).joined(separator: "\r\n")
    }

    private static func lines(_ content: String) -> [String] {
        let code = Array(Data(content.utf8).base64EncodedString().utf8)
        return stride(from: 0, to: code.count, by: 76).map { start in
            String(decoding: code[start..<min(start + 76, code.count)], as: UTF8.self)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

/// Text in headers, which are ASCII (RFC 2047).
enum HeaderText {
    /// As it is where it is plain, else as words of 75 characters at most, each on a line of its own. Nothing in it ends a line: what is
    /// not plain is Base64.
    static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 32
                || byte == 45
        }
        // A line of 78 characters has room for the name of the header as well.
        if isPlain, text.utf8.count <= 60, text.trimmed == text { return text }
        var words: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            // 45 octets are 60 characters of Base64, and no character is divided.
            var (count, end) = (0, rest.startIndex)
            let scalars = rest.unicodeScalars
            while end < scalars.endIndex, count + UTF8.width(scalars[end]) <= 45 {
                count += UTF8.width(scalars[end])
                end = scalars.index(after: end)
            }
            words.append("=?utf-8?B?\(Data(rest[..<end].utf8).base64EncodedString())?=")
            rest = rest[end...]
        }
        return words.joined(separator: "\r\n ")
    }
}
