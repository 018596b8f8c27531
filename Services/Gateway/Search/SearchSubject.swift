// SPDX-License-Identifier: Apache-2.0
// What somebody looks for: words, somebody's whole name, or an address of ours that was pasted.

import Domain

enum SearchSubject: Hashable, Sendable {
    case words
    /// `@name@domain`; nil for nobody here.
    case handle(Username?)
    case post(PostID)
    case account(Username)
    case tag(String)

    /// Addresses are read as answers write them and as browsers show them: `/@name`, `/@name/ID`, `/users/name`,
    /// `/users/name/statuses/ID`, `/tags/name`; with a query or a slash behind them, too.
    init(_ text: String, site: Site) {
        let text = String(text.drop(while: \.isWhitespace).prefix(2048))
        if let path = SearchSubject.path(text, site: site) {
            self = SearchSubject.address(path, site: site) ?? .words
        } else {
            self = SearchSubject.handle(text, site: site)
        }
    }

    /// The parts of an address of ours, decoded; nil for any other text.
    private static func path(_ text: String, site: Site) -> [String]? {
        let text = text.prefix { !$0.isWhitespace }
        guard let scheme = text.firstRange(of: "://"),
            ["http", "https"].contains(text[..<scheme.lowerBound].lowercased())
        else { return nil }
        let rest = text[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let host = rest[..<slash].lowercased()
        let origin = site.origin.lowercased()
        guard host == site.domain.lowercased() || origin.hasSuffix("://\(host)") else { return nil }
        return rest[slash...].split(separator: "/").map { PercentCoding.repaired($0.utf8) }
    }

    private static func address(_ path: [String], site: Site) -> SearchSubject? {
        switch path.first {
        case "tags"? where path.count == 2: return .tag(path[1].lowercased())
        case "users"? where path.count == 2: return Username(path[1]).map { .account($0) }
        case "users"? where path.count == 4 && path[2] == "statuses": return PostID(path[3]).map { .post($0) }
        case let name? where name.hasPrefix("@") && path.count == 1:
            return Username(acct: name, domain: site.domain).map { .account($0) }
        case let name? where name.hasPrefix("@") && path.count == 2: return PostID(path[1]).map { .post($0) }
        default: return nil
        }
    }

    private static func handle(_ text: String, site: Site) -> SearchSubject {
        let name = text.drop(while: { $0 == "@" }).reversed().drop(while: \.isWhitespace).reversed()
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, Username(String(parts[0])) != nil, !parts[1].isEmpty,
            !parts[1].contains(where: \.isWhitespace)
        else { return .words }
        return .handle(Username(acct: String(name), domain: site.domain))
    }
}
