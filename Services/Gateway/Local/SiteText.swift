// SPDX-License-Identifier: Apache-2.0
// The rules and the privacy policy as the settings have them.

import Domain
import ServiceKit
import Views

/// A text in every language: the operator's own, or what stands here.
struct SiteTexts: Sendable {
    private let texts: [Language: SiteText]
    /// Whether the operator wrote it.
    let isOwn: Bool
    /// Languages in which it is there.
    private let own: Set<Language>

    /// - Parameter name: the setting of the text in any language; one in Korean has `_KO` behind it, one in Japanese
    ///   `_JA`. Each may also be named by a file, as every setting.
    init(_ settings: inout Settings, _ name: String, meaning: String, standard: [Language: String]) {
        let common = settings.optional(name, meaning: "\(meaning); with _FILE behind its name, the file that holds it")
        var texts: [Language: String] = [:]
        if let common { texts[.english] = common }
        for (language, ending) in [(Language.korean, "KO"), (.japanese, "JA")] {
            texts[language] = settings.optional("\(name)_\(ending)", meaning: "the same in another language")
        }
        isOwn = !texts.isEmpty
        let standing = isOwn ? texts : standard
        own = Set(standing.keys)
        var all: [Language: SiteText] = [:]
        for language in Language.allCases {
            let text = standing[language] ?? standing[.english] ?? standing.values.first ?? ""
            all[language] = SiteText(text)
        }
        self.texts = all
    }

    /// What was published.
    init(published texts: [Language: String]) {
        isOwn = true
        own = Set(texts.keys)
        self.texts = Dictionary(
            uniqueKeysWithValues: Language.allCases.map { language in
                let any = texts.sorted { $0.key.rawValue < $1.key.rawValue }.first?.value
                return (language, SiteText(texts[language] ?? texts[.english] ?? any ?? ""))
            }
        )
    }

    func text(_ language: Language) -> SiteText { texts[language] ?? SiteText("") }

    /// In which language a reader of another one gets it.
    func language(for language: Language) -> Language? { own.contains(language) ? language : nil }

    /// Each rule with its translations, which are there when every language has as many.
    func writeRules(to json: inout JSONWriter) {
        let rules = text(.english).items
        let translated = own.filter { $0 != .english && text($0).items.count == rules.count }
            .sorted { $0.rawValue < $1.rawValue }
        json.array { json in
            for (place, rule) in rules.enumerated() {
                json.object { json in
                    json.member("id", String(place + 1))
                    json.member("text", rule)
                    json.member("hint", "")
                    json.object("translations") { json in
                        for language in translated {
                            let items = text(language).items
                            json.dynamicName(language.rawValue)
                            json.object { json in
                                json.member("text", items.indices.contains(place) ? items[place] : rule)
                                json.member("hint", "")
                            }
                        }
                    }
                }
            }
        }
    }
}
