// SPDX-License-Identifier: Apache-2.0
// What a token allows.

/// An OAuth scope of the Mastodon API, such as `read` or `write:statuses`.
///
/// A scope without a part grants all parts of its kind: `write` grants `write:statuses`.
public struct Scope: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Nil for a scope that Madang does not know.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard Scope.known.contains(text) else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The scopes that grant this one among others: `admin:read` and `admin` for `admin:read:accounts`.
    public var wholes: [Scope] {
        text.indices.filter { text[$0] == ":" }.map { Scope(unchecked: String(text[..<$0])) }
    }

    /// Whether an app may ask for it and only few people can grant it: those who hold a role.
    public var isPrivileged: Bool { text == "admin" || text.hasPrefix("admin:") }

    public var description: String { text }

    /// Every scope that can be asked for (docs.joinmastodon.org/api/oauth-scopes), and those of chat, of shelves and of
    /// projects, which are ours.
    public static let known: Set<String> = {
        let read = [
            "accounts", "blocks", "bookmarks", "chat", "favourites", "filters", "follows", "library", "lists", "mutes",
            "notifications", "projects", "search", "statuses",
        ]
        let write = [
            "accounts", "blocks", "bookmarks", "chat", "conversations", "favourites", "filters", "follows", "library",
            "lists", "media", "mutes", "notifications", "projects", "reports", "statuses",
        ]
        let admin = [
            "accounts", "canonical_email_blocks", "domain_allows", "domain_blocks", "email_domain_blocks", "ip_blocks",
            "reports",
        ]
        let all = ["profile", "read", "write", "follow", "push", "admin", "admin:read", "admin:write"]
        return Set(
            all + read.map { "read:\($0)" } + write.map { "write:\($0)" }
                + admin.flatMap { ["admin:read:\($0)", "admin:write:\($0)"] }
        )
    }()

    fileprivate static let followParts: Set<String> = [
        "read:blocks", "write:blocks", "read:follows", "write:follows", "read:mutes", "write:mutes",
    ]
}

extension Scope: ExpressibleByStringLiteral {
    /// For scopes named in code; a test checks that each is known.
    public init(stringLiteral text: String) { self.text = text }
}

/// The scopes of a token or an app, in the order in which they were asked for.
public struct ScopeSet: Hashable, Sendable, CustomStringConvertible {
    public let scopes: [Scope]

    /// Parses scopes separated by spaces or plus signs; nil when one is unknown or none is given.
    public init?(_ text: some StringProtocol) {
        var scopes: [Scope] = []
        for part in text.split(whereSeparator: { $0 == " " || $0 == "+" }) {
            guard let scope = Scope(part) else { return nil }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        guard !scopes.isEmpty else { return nil }
        self.scopes = scopes
    }

    public init(_ scopes: [Scope]) { self.scopes = scopes }

    /// Whether a token with these scopes may do what needs `scope`.
    public func allows(_ scope: Scope) -> Bool {
        if scopes.contains(scope) || scope.wholes.contains(where: scopes.contains) { return true }
        return scopes.contains("follow") && Scope.followParts.contains(scope.text)
    }

    /// Whether each of `other` is allowed by these.
    public func contains(_ other: ScopeSet) -> Bool { other.scopes.allSatisfy(allows) }

    /// Without those that only few people can grant; nil when nothing is left.
    public var unprivileged: ScopeSet? {
        let usual = scopes.filter { !$0.isPrivileged }
        return usual.isEmpty ? nil : ScopeSet(usual)
    }

    /// Separated by spaces.
    public var description: String { scopes.map(\.text).joined(separator: " ") }
}
