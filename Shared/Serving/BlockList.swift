// SPDX-License-Identifier: Apache-2.0
// What may not be written here.

public import Domain
public import Events
import HTTPTypes
import TextAnalysis
import Views
public import Web

/// The blocked words and domains of a version, ready to be looked for.
public struct BlockList: Sendable {
    public struct Term: Hashable, Sendable {
        public let id: BlockedTermID
        public let text: String
        public let action: TermAction
        public let seesThroughDigits: Bool

        public init(id: BlockedTermID, text: String, action: TermAction, seesThroughDigits: Bool = false) {
            self.id = id
            self.text = text
            self.action = action
            self.seesThroughDigits = seesThroughDigits
        }
    }

    public struct Domain: Hashable, Sendable {
        public let name: String
        public let blocksMail: Bool
        public let blocksLinks: Bool

        public init(name: String, blocksMail: Bool, blocksLinks: Bool) {
            self.name = name
            self.blocksMail = blocksMail
            self.blocksLinks = blocksLinks
        }
    }

    /// Those that refuse first: of words that are looked for alike the first is found.
    private let terms: [Term]
    private let matcher: TermMatcher
    private let mail: Set<String>
    private let links: Set<String>

    public init(terms: [Term] = [], domains: [Domain] = []) {
        self.terms = terms.filter { $0.action == .refuse } + terms.filter { $0.action != .refuse }
        matcher = TermMatcher(self.terms.map { TermMatcher.Word($0.text, seesThroughDigits: $0.seesThroughDigits) })
        mail = Set(domains.filter(\.blocksMail).map(\.name))
        links = Set(domains.filter(\.blocksLinks).map(\.name))
    }

    /// Throws what the writer is told, which does not say which word it is.
    ///
    /// - Returns: the word of which whoever runs the place wants to hear; nil for none.
    public func check(_ texts: [String?]) throws -> BlockedTermID? {
        for text in texts.lazy.compactMap(\.self) where blocksLink(in: text) { throw Problem.blockedLink }
        guard let term = term(in: texts) else { return nil }
        guard term.action != .refuse else { throw Problem.blockedContent }
        return term.id
    }

    /// Whether a name has a blocked word in it, whatever is done about those: its words are parted by digits, too.
    public func blocks(name: String) -> Bool {
        let parted = String(name.map { $0.isASCII && $0.isNumber ? " " : $0 })
        return term(in: [name, parted]) != nil
    }

    /// Whether nobody signs up with an address of this domain.
    public func blocksMail(at domain: some StringProtocol) -> Bool { isBlocked(domain, in: mail) }

    /// Whether a page at this host is neither linked to nor looked at.
    public func blocksLink(to host: some StringProtocol) -> Bool { isBlocked(host, in: links) }

    /// Whether a text links to a page that is not linked to.
    public func blocksLink(in text: String) -> Bool {
        guard !links.isEmpty else { return false }
        return PostText.links(in: text).contains { link in
            LinkURL.canonical(link).map { blocksLink(to: LinkURL.host(of: $0)) } ?? false
        }
    }

    private func isBlocked(_ host: some StringProtocol, in domains: Set<String>) -> Bool {
        guard !domains.isEmpty, let name = HostName(host) else { return false }
        return name.wholes.contains(where: domains.contains)
    }

    /// The word that weighs most.
    private func term(in texts: [String?]) -> Term? {
        var found: Term?
        for text in texts.lazy.compactMap(\.self) where found?.action != .refuse {
            matcher.search(text) { place in
                guard terms.indices.contains(place) else { return true }
                if found == nil || terms[place].action == .refuse { found = terms[place] }
                return found?.action != .refuse
            }
        }
        return found
    }
}

extension Problem {
    public static var blockedContent: Problem {
        own(
            .unprocessableContent,
            "blocked-content",
            english: "This contains words that are not allowed here.",
            korean: "이곳에서 쓸 수 없는 표현이 들어 있습니다.",
            japanese: "ここでは使えない表現が含まれています。"
        )
    }

    public static var blockedLink: Problem {
        own(
            .unprocessableContent,
            "blocked-link",
            english: "This links to a site that is not allowed here.",
            korean: "이곳에서 허용되지 않는 사이트로 연결되는 링크가 있습니다.",
            japanese: "ここでは許可されていないサイトへのリンクが含まれています。"
        )
    }
}
