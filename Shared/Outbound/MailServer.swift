// SPDX-License-Identifier: Apache-2.0
// The server that takes letters, as an operator names it.

internal import Foundation

/// A server that speaks SMTP over TLS, from the first byte (`smtps`, RFC 8314) or after STARTTLS (`smtp`, RFC 3207). Nothing goes to
/// one that has neither.
public struct MailServer: Sendable {
    /// Scheme, host and port.
    public let origin: String
    /// By PLAIN, LOGIN or whatever else both know (RFC 4954); nil where nobody asks.
    public var user: String?
    public var password: String?
    /// A file of certificates (PEM) that are believed instead of those in the system's file.
    public var certificates: String?
    /// How we greet (RFC 5321, section 4.1.1.1).
    public var greeting: String

    /// From `smtps://host`, `smtp://host:port`; nil for anything else, also for what has a user or a path.
    public init?(_ text: String, greeting: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let standard = ["smtp": 587, "smtps": 465][scheme], let host = url.host?.lowercased(), !host.isEmpty,
            ["", "/"].contains(url.path), url.user == nil, url.query == nil, url.fragment == nil
        else { return nil }
        let port = url.port ?? standard
        guard (1...65_535).contains(port) else { return nil }
        origin = "\(scheme)://\(host):\(port)"
        self.greeting = greeting
    }

    /// What libcurl is told: it greets by the path.
    var url: String {
        let plain = greeting.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                || byte == 46
        }
        return "\(origin)/\(plain && !greeting.isEmpty ? greeting : "localhost")"
    }
}

/// A letter as it goes.
public struct MailMessage: Sendable {
    /// Of the envelope (RFC 5321, section 4.1.1.2): where those go that say that it did not arrive.
    public let sender: String
    public let recipient: String
    /// Headers and body (RFC 5322), whose lines end with CRLF.
    public let text: String

    public init(sender: String, recipient: String, text: String) {
        self.sender = sender
        self.recipient = recipient
        self.text = text
    }
}

/// What came of handing over a letter.
public enum MailOutcome: Hashable, Sendable {
    /// The server answers for it from here on.
    case accepted
    /// It says that this letter will never be taken; its code, such as `550 5.1.1` (RFC 3463).
    case refused(reason: String)
    /// A reply that it cannot be taken now, none, or one about us instead of the letter. Where the server had the whole letter, it may
    /// have taken it.
    case later(reason: String)
}
