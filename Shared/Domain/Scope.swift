// SPDX-License-Identifier: Apache-2.0
// What a token allows.

/// An OAuth scope of the Mastodon API, such as `read` or `write:statuses`.
///
/// A scope without a part grants all parts of its kind: `write` grants `write:statuses`.
package struct Scope: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Nil for a scope that Madang does not know.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard Scope.known.contains(text) else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The scope that grants all parts of this one's kind.
    package var whole: Scope {
        guard let colon = text.firstIndex(of: ":") else { return self }
        return Scope(unchecked: String(text[..<colon]))
    }

    package var description: String { text }

    /// Every scope that can be asked for (docs.joinmastodon.org/api/oauth-scopes), and those of chat, which are ours.
    package static let known: Set<String> = {
        let read = [
            "accounts", "blocks", "bookmarks", "chat", "favourites", "filters", "follows", "lists", "mutes",
            "notifications", "search", "statuses",
        ]
        let write = [
            "accounts", "blocks", "bookmarks", "chat", "conversations", "favourites", "filters", "follows", "lists",
            "media",
            "mutes", "notifications", "reports", "statuses",
        ]
        return Set(
            ["profile", "read", "write", "follow", "push"] + read.map { "read:\($0)" } + write.map { "write:\($0)" }
        )
    }()

    fileprivate static let followParts: Set<String> = [
        "read:blocks", "write:blocks", "read:follows", "write:follows", "read:mutes", "write:mutes",
    ]
}

extension Scope: ExpressibleByStringLiteral {
    /// For scopes named in code; a test checks that each is known.
    package init(stringLiteral text: String) { self.text = text }
}

/// The scopes of a token or an app, in the order in which they were asked for.
package struct ScopeSet: Hashable, Sendable, CustomStringConvertible {
    package let scopes: [Scope]

    /// Parses scopes separated by spaces or plus signs; nil when one is unknown or none is given.
    package init?(_ text: some StringProtocol) {
        var scopes: [Scope] = []
        for part in text.split(whereSeparator: { $0 == " " || $0 == "+" }) {
            guard let scope = Scope(part) else { return nil }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        guard !scopes.isEmpty else { return nil }
        self.scopes = scopes
    }

    package init(_ scopes: [Scope]) { self.scopes = scopes }

    /// Whether a token with these scopes may do what needs `scope`.
    package func allows(_ scope: Scope) -> Bool {
        if scopes.contains(scope) || scopes.contains(scope.whole) { return true }
        return scopes.contains("follow") && Scope.followParts.contains(scope.text)
    }

    /// Whether each of `other` is allowed by these.
    package func contains(_ other: ScopeSet) -> Bool { other.scopes.allSatisfy(allows) }

    /// Separated by spaces.
    package var description: String { scopes.map(\.text).joined(separator: " ") }
}
