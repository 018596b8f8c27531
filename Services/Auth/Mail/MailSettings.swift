// SPDX-License-Identifier: Apache-2.0
// Whether and how letters go out, as the operator says.

import Domain
import Outbound
import ServiceKit

/// What the environment says of mail.
struct MailSettings: Sendable {
    var server: MailServer
    var from: MailSender
    /// Whether somebody who signs up must confirm their address.
    var confirms = false
    /// Before the first repetition; twice as long before each further one, up to `longestPause`.
    var firstPause = Duration.seconds(30)

    static let longestPause = Duration.seconds(900)
}

/// Whom letters are from.
struct MailSender: Sendable {
    let address: EmailAddress
    /// Nil for the address alone.
    let name: String?

    /// From `no-reply@example.org` or `Our place <no-reply@example.org>`; nil for anything else.
    init?(_ text: String) {
        let text = text.trimmed
        guard text.utf8.count <= 300, !text.hasControls else { return nil }
        guard let open = text.lastIndex(of: "<") else {
            guard let address = EmailAddress(text) else { return nil }
            (self.address, name) = (address, nil)
            return
        }
        let rest = text[text.index(after: open)...]
        guard rest.last == ">", let address = EmailAddress(String(rest.dropLast())) else { return nil }
        let name = String(text[..<open]).trimmed
        (self.address, self.name) = (address, name.isEmpty ? nil : name)
    }

    /// For ids of letters.
    var domain: Substring { address.text.drop { $0 != "@" }.dropFirst() }
}

extension MailSettings {
    /// Nil where no server is named.
    static func read(_ settings: inout Settings, site: Site) -> MailSettings? {
        let greeting = String(site.domain.prefix { $0 != ":" })
        let server = settings.parsed(
            "MADANG_SMTP_URL",
            default: "none",
            expected: "smtps://host or smtp://host (STARTTLS), perhaps with a port, or none",
            meaning: "the server that takes letters to people; it turns mail on",
            parse: { text in text == "none" ? .some(nil) : MailServer(text, greeting: greeting).map { .some($0) } }
        ).flatMap { $0 }
        let isOn = server != nil
        let user = settings.optional("MADANG_SMTP_USER", meaning: "the user at that server, where it asks for one")
        let password = settings.optional("MADANG_SMTP_PASSWORD", secret: true, meaning: "the password of that user")
        let from = settings.parsed(
            "MADANG_MAIL_FROM",
            default: "none",
            expected: "an address such as Madang <no-reply@example.org> beside MADANG_SMTP_URL, or none",
            meaning: "whom letters are from",
            parse: { text -> MailSender?? in
                guard isOn else { return .some(nil) }
                return MailSender(text).map { .some($0) }
            }
        ).flatMap { $0 }
        let certificates = settings.certificates(
            "MADANG_SMTP_CERTIFICATES",
            meaning: "whose certificates that server may have instead of those in the system's file"
        )
        let confirms = settings.parsed(
            "MADANG_MAIL_CONFIRMATION",
            default: "false",
            expected: "true beside MADANG_SMTP_URL, or false",
            meaning: "whether somebody who signs up must confirm their address before they get in",
            parse: { ["true": isOn ? true : nil, "false": false][$0.lowercased()] ?? nil }
        )
        let pause = settings.integer(
            "MADANG_MAIL_RETRY",
            default: 30,
            in: 1...900,
            meaning: "seconds until a letter that was not taken is sent again, doubled with each try up to 900"
        )
        guard var server, let from else { return nil }
        (server.user, server.password) = (user, password)
        server.certificates = certificates
        return MailSettings(server: server, from: from, confirms: confirms ?? false, firstPause: .seconds(pause))
    }
}
