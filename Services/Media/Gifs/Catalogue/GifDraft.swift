// SPDX-License-Identifier: Apache-2.0
// What somebody says of a GIF, from a request.

import Domain
import TextAnalysis
import Web

enum GifLimits {
    /// Unicode scalars.
    static let title = 200
    static let altText = 1500
    static let word = 50
    static let tags = 30
    /// Results that are counted and paged through.
    static let found = 5000
    /// Unicode scalars of what is looked for, as GIPHY has it.
    static let query = 50
    static let page = 50
    static let ids = 100
}

extension GifText {
    /// Takes over what a request says; throws a problem for what cannot be.
    mutating func change(by parameters: Parameters) throws {
        if let name = try parameters.string("kind") {
            guard let kind = GifKind(name) else { throw Problem.invalid("kind", "inclusion") }
            self.kind = kind
        }
        if let name = try parameters.string("rating") {
            guard let rating = GifRating(name) else { throw Problem.invalid("rating", "inclusion") }
            self.rating = rating
        }
        if let title = try parameters.string("title") { self.title = try GifText.line(title, "title", GifLimits.title) }
        if let text = try parameters.string("alt_text") {
            altText = try GifText.line(text, "alt_text", GifLimits.altText)
        }
        if let tags = try parameters.strings("tags") {
            self.tags = GifText.tags(tags)
            guard self.tags.count <= GifLimits.tags, self.tags.allSatisfy({ GifText.isShort($0, GifLimits.word) })
            else {
                throw Problem.invalid("tags", "too_long")
            }
        }
        if let category = try parameters.string("category") {
            self.category = try GifText.line(category, "category", GifLimits.word)
        }
        if let subcategory = try parameters.string("subcategory") {
            self.subcategory = try GifText.line(subcategory, "subcategory", GifLimits.word)
        }
        if category.isEmpty { subcategory = "" }
        if let language = try parameters.string("language") {
            guard language.isEmpty || GifText.isLanguage(language) else { throw Problem.invalid("language", "invalid") }
            self.language = language.isEmpty ? nil : language
        }
    }

    /// Tags from texts that each may hold several, parted by commas: folded, each once, in their order.
    static func tags(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.flatMap { $0.split(separator: ",") }.map { folded($0.drop { $0 == "#" || $0 == " " }) }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// As tags and categories are compared.
    static func folded(_ text: some StringProtocol) -> String {
        FoldedText(String(text), limit: 200).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// One line: what parts lines is a space.
    private static func line(_ text: String, _ name: String, _ limit: Int) throws -> String {
        guard isShort(text, limit) else { throw Problem.invalid(name, "too_long") }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func isShort(_ text: String, _ limit: Int) -> Bool { text.unicodeScalars.count <= limit }

    /// Two or three small letters (ISO 639), perhaps with a region.
    static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { (2...3).contains($0.utf8.count) && $0.allSatisfy(\.isLetter) }
            && text.utf8.allSatisfy { $0 < 0x80 }
    }
}
