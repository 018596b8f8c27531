// SPDX-License-Identifier: Apache-2.0
// A text that the operator writes: the rules, the privacy policy, the terms of service.

import Domain

/// Plain text of a few kinds of blocks: `# ` begins a heading, `- ` an item of a list, everything else is paragraphs, with
/// an empty line between two. Nothing in it is markup.
public struct SiteText: Sendable, Equatable {
    public enum Block: Sendable, Equatable {
        case heading(String)
        /// With its lines.
        case paragraph([String])
        case items([String])
    }

    public let blocks: [Block]

    public init(_ text: String) {
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
    public var items: [String] {
        blocks.flatMap { block -> [String] in
            if case .items(let items) = block { items } else { [] }
        }
    }

    /// As the API gives it.
    public var html: String {
        blocks.map { block in
            switch block {
            case .heading(let text): "<h2>\(SiteText.escaped(text))</h2>"
            case .paragraph(let lines): "<p>\(lines.map { SiteText.escaped($0) }.joined(separator: "<br>"))</p>"
            case .items(let items): "<ul>\(items.map { "<li>\(SiteText.escaped($0))</li>" }.joined())</ul>"
            }
        }.joined()
    }

    /// As the page's template takes it.
    public var values: [[String: Any]] {
        blocks.map { block in
            switch block {
            case .heading(let text): ["heading": text]
            case .paragraph(let lines): ["paragraph": ["lines": lines]]
            case .items(let items): ["has_items": true, "items": items]
            }
        }
    }

    /// Text as HTML has it.
    public static func escaped(_ text: String) -> String {
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
