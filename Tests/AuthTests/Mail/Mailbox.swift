// SPDX-License-Identifier: Apache-2.0
// A server that takes letters, in memory, and what stands in them.

import Domain
import Foundation
import Outbound
import Postgres
import ServiceKit
import Support
import Testing

@testable import AuthService

/// Keeps what it takes, and answers as it is told.
actor Mailbox {
    private(set) var messages: [MailMessage] = []
    private var outcomes: [MailOutcome] = []

    /// The next answers; after them every letter is accepted.
    func answer(_ outcomes: MailOutcome...) { self.outcomes = outcomes }

    func take(_ message: MailMessage) -> MailOutcome {
        messages.append(message)
        return outcomes.isEmpty ? .accepted : outcomes.removeFirst()
    }

    var letters: [ReadLetter] { messages.map { ReadLetter($0.text) } }
}

/// A letter as somebody reads it.
struct ReadLetter {
    let headers: [(name: String, value: String)]
    let plain: String
    let html: String

    init(_ text: String) {
        let unfolded = text.replacingOccurrences(of: "\r\n ", with: " ")
        let halves = unfolded.components(separatedBy: "\r\n\r\n")
        headers = halves[0].components(separatedBy: "\r\n").map { line in
            let parts = line.components(separatedBy: ": ")
            return (parts[0], parts.dropFirst().joined(separator: ": "))
        }
        let boundary = text.components(separatedBy: "boundary=\"").last?.components(separatedBy: "\"").first ?? ""
        let parts = text.components(separatedBy: "--\(boundary)\r\n").dropFirst().map { part in
            let body = part.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            let code = body.components(separatedBy: "\r\n--")[0].replacingOccurrences(of: "\r\n", with: "")
            return Data(base64Encoded: code).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        (plain, html) = (parts.first ?? "", parts.last ?? "")
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    var subject: String {
        let words = (header("Subject") ?? "").components(separatedBy: " ")
        let decoded = words.map { word -> String in
            guard word.hasPrefix("=?utf-8?B?"), word.hasSuffix("?=") else { return word }
            let code = String(word.dropFirst(10).dropLast(2))
            return Data(base64Encoded: code).map { String(decoding: $0, as: UTF8.self) } ?? word
        }
        return decoded.joined(separator: words[0].hasPrefix("=?") ? "" : " ")
    }

    /// What stands in its link.
    var token: String? {
        plain.components(separatedBy: "token=").dropFirst().first.map { String($0.prefix(43)) }
    }
}

extension AuthWorld {
    /// Settings under which letters go to a `Mailbox`.
    static func mail(confirms: Bool = false) throws -> MailSettings {
        MailSettings(
            server: try #require(MailServer("smtps://mail.example", greeting: "localhost")),
            from: try #require(MailSender("마당 <no-reply@example.org>")),
            confirms: confirms
        )
    }

    /// Sends all that is due.
    func sendLetters() async throws {
        let worker = MailWorker(dependencies: dependencies, metrics: Metrics())
        while try await worker.step() > 0 {}
    }

    /// What came of the letters: kind, outcome and reason, in the order in which they were written.
    func letters() async throws -> [String] {
        try await database.query(
            "SELECT kind || ' ' || coalesce(outcome, 'waits') || coalesce(' ' || reason, '') FROM letters ORDER BY created_at, id"
        ).map { row in
            var columns = row.columns
            return try columns.next()
        }
    }
}
