// SPDX-License-Identifier: Apache-2.0
// What an operator says of mail.

import Domain
import Outbound
import ServiceKit
import Testing

@testable import AuthService

@Suite struct MailSettingsTests {
    private static func read(_ environment: [String: String]) throws -> MailSettings? {
        var settings = Settings(environment: environment)
        let mail = MailSettings.read(&settings, site: Site(domain: "madang.example:443", origin: nil))
        try settings.finish()
        return mail
    }

    private static let usual = [
        "MADANG_SMTP_URL": "smtps://mail.example", "MADANG_MAIL_FROM": "Madang <no-reply@example.org>",
    ]

    @Test func isOffByItself() throws {
        #expect(try Self.read([:]) == nil)
        // Beside nothing it means nothing.
        #expect(try Self.read(["MADANG_MAIL_FROM": "Madang <no-reply@example.org>"]) == nil)
    }

    @Test func readsAllThatThereIs() throws {
        let mail = try #require(
            try Self.read(
                Self.usual.merging([
                    "MADANG_SMTP_USER": "madang", "MADANG_SMTP_PASSWORD": "secret", "MADANG_MAIL_CONFIRMATION": "true",
                    "MADANG_MAIL_RETRY": "5",
                ]) { $1 }
            )
        )
        #expect(mail.server.origin == "smtps://mail.example:465" && mail.server.greeting == "madang.example")
        #expect(mail.server.user == "madang" && mail.server.password == "secret" && mail.server.certificates == nil)
        #expect(mail.from.name == "Madang" && mail.from.address.text == "no-reply@example.org")
        #expect(mail.confirms && mail.firstPause == .seconds(5))
        let submission = try Self.read(Self.usual.merging(["MADANG_SMTP_URL": "smtp://mail.example"]) { $1 })
        #expect(submission?.server.origin == "smtp://mail.example:587" && submission?.confirms == false)
    }

    @Test func whatIsWrongStopsTheStart() throws {
        for (name, value) in [
            ("MADANG_SMTP_URL", "http://mail.example"), ("MADANG_SMTP_URL", "smtp://user:x@mail.example"),
            ("MADANG_SMTP_URL", "smtp://mail.example/path"), ("MADANG_SMTP_URL", "mail.example:25"),
            ("MADANG_SMTP_URL", "smtp://mail.example:99999"), ("MADANG_MAIL_FROM", ""), ("MADANG_MAIL_FROM", "none"),
            ("MADANG_MAIL_FROM", "nobody"), ("MADANG_MAIL_FROM", "a <b@example.org>\r\nBcc: c@example.org"),
            ("MADANG_SMTP_CERTIFICATES", "/nowhere/at/all.pem"), ("MADANG_MAIL_CONFIRMATION", "perhaps"),
            ("MADANG_MAIL_RETRY", "0"),
        ] {
            #expect(throws: Settings.Invalid.self, "\(name) \(value)") {
                try Self.read(Self.usual.merging([name: value]) { $1 })
            }
        }
        #expect(throws: Settings.Invalid.self) { try Self.read(["MADANG_MAIL_CONFIRMATION": "true"]) }
    }
}
