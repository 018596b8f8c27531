// SPDX-License-Identifier: Apache-2.0
// A text that the operator writes: the rules, the privacy policy.

import Domain
import ServiceKit
import Views

/// Plain text of a few kinds of blocks: `# ` begins a heading, `- ` an item of a list, everything else is paragraphs, with
/// an empty line between two. Nothing in it is markup.
struct SiteText: Sendable, Equatable {
    enum Block: Sendable, Equatable {
        case heading(String)
        /// With its lines.
        case paragraph([String])
        case items([String])
    }

    let blocks: [Block]

    init(_ text: String) {
        var blocks: [Block] = []
        var isApart = true
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.isEmpty {
                isApart = true
            } else if line.hasPrefix("# ") {
                blocks.append(.heading(String(line.dropFirst(2))))
                isApart = true
            } else if line.hasPrefix("- ") {
                let item = String(line.dropFirst(2))
                if case .items(let items) = blocks.last {
                    blocks[blocks.count - 1] = .items(items + [item])
                } else {
                    blocks.append(.items([item]))
                }
                isApart = true
            } else {
                if !isApart, case .paragraph(let lines) = blocks.last {
                    blocks[blocks.count - 1] = .paragraph(lines + [String(line)])
                } else {
                    blocks.append(.paragraph([String(line)]))
                }
                isApart = false
            }
        }
        self.blocks = blocks
    }

    /// The items of all its lists: each rule, where these are the rules.
    var items: [String] {
        blocks.flatMap { block -> [String] in
            if case .items(let items) = block { items } else { [] }
        }
    }

    /// As the API gives it.
    var html: String {
        blocks.map { block in
            switch block {
            case .heading(let text): "<h2>\(HTMLText.escaped(text))</h2>"
            case .paragraph(let lines): "<p>\(lines.map { HTMLText.escaped($0) }.joined(separator: "<br>"))</p>"
            case .items(let items): "<ul>\(items.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>"
            }
        }.joined()
    }

    /// As the page's template takes it.
    var values: [[String: Any]] {
        blocks.map { block in
            switch block {
            case .heading(let text): ["heading": text]
            case .paragraph(let lines): ["paragraph": ["lines": lines]]
            case .items(let items): ["has_items": true, "items": items]
            }
        }
    }
}

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

enum HTMLText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
