// SPDX-License-Identifier: Apache-2.0
// The texts that were published, asked of auth once a minute: they stand in place of those of the settings.

import Calls
import Domain
import Surface
import Views
import Web

/// The newest texts that are known; nil where none was published.
struct PublishedSite: Sendable {
    struct Text: Sendable {
        let texts: SiteTexts
        let published: Timestamp
    }

    var rules: Text?
    var privacy: Text?
    var terms: Text?

    init() {}

    init(_ published: PublishedTexts) {
        for document in published.documents where !document.texts.isEmpty {
            let text = Text(texts: SiteTexts(published: document.texts), published: document.published)
            switch document.kind {
            case "rules": rules = text
            case "privacy": privacy = text
            case "terms": terms = text
            default: break
            }
        }
    }

    func text(of page: LocalPages.Name) -> Text? {
        switch page {
        case .landing: nil
        case .rules: rules
        case .privacy: privacy
        case .terms: terms
        }
    }
}

final class SiteDocuments {
    /// Bytes: of three texts in three languages, each of at most 60,000 before its line breaks are escaped.
    private static let largest = 2 << 20

    private struct PageKey: Hashable {
        let name: LocalPages.Name
        let language: Language
    }

    private let answer: KeptAnswer<AuthCall, PublishedTexts>
    private var known = PublishedTexts(documents: [])
    private var site = PublishedSite()
    private var pages: [PageKey: Answer] = [:]

    init(pool: UpstreamPool, secret: String) {
        let limit = SiteDocuments.largest
        answer = KeptAnswer(.showDocuments, PublishedTexts(documents: []), pool: pool, secret: secret, limit: limit)
    }

    /// The newest texts there are; what was known last when auth does not answer.
    func read(now: Milliseconds, completion: @escaping (PublishedSite) -> Void) {
        answer.read(now: now) { texts in
            self.keep(texts)
            completion(self.site)
        }
    }

    /// A page of a text that was published, made once a version.
    func page(_ name: LocalPages.Name, _ language: Language, make: (PublishedSite.Text) -> Answer) -> Answer? {
        guard let text = site.text(of: name) else { return nil }
        let key = PageKey(name: name, language: language)
        if let made = pages[key] { return made }
        let made = make(text)
        pages[key] = made
        return made
    }

    private func keep(_ texts: PublishedTexts) {
        guard texts != known else { return }
        known = texts
        site = PublishedSite(texts)
        pages = [:]
    }
}
