// SPDX-License-Identifier: Apache-2.0
// What a worker finds in a page.

/// What a page says of itself in Open Graph, for Twitter, and in HTML: text, cleaned and cut, and links as the page has them.
package struct PageFacts: Codable, Hashable, Sendable {
    package var title: String?
    package var description: String?
    package var siteName: String?
    /// `og:type`.
    package var type: String?
    package var image: String?
    package var imageDescription: String?
    /// Where its description by oEmbed is, in JSON.
    package var oEmbed: String?
    package var author: String?
    package var language: String?
    /// RFC 3339, as the page has it.
    package var publishedAt: String?

    package init() {}
}

/// Text of strangers that is shown as text.
package enum PlainText {
    /// Without what looks like a tag, without what is not seen, with single spaces, cut after so many characters, or four times as many bytes. Nil if
    /// nothing is left.
    package static func clean(_ text: String, most: Int) -> String? {
        var clean = ""
        var count = 0
        var isSpace = true
        for character in withoutTags(visible(text.prefix(most * 8))) {
            guard count < most, clean.utf8.count < most * 4 else { break }
            // A character has no bound of its own.
            let scalars = character.unicodeScalars.prefix(16)
            guard let first = scalars.first else { continue }
            if !first.properties.isWhitespace {
                clean.unicodeScalars.append(contentsOf: scalars)
                isSpace = false
            } else if !isSpace {
                clean.append(" ")
                isSpace = true
            }
            count += 1
        }
        if clean.last == " " { clean.removeLast() }
        return clean.isEmpty ? nil : clean
    }

    private static func visible(_ text: Substring) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isInvisible($0) }))
    }

    private static func withoutTags(_ text: String) -> String {
        guard text.contains("<") else { return text }
        var rest = text[...]
        var kept = ""
        while let open = rest.firstIndex(of: "<") {
            let inside = rest[rest.index(after: open)...]
            guard let first = inside.unicodeScalars.first, isTagStart(first) else {
                kept += rest[...open]
                rest = inside
                continue
            }
            kept += rest[..<open]
            // What stood before the tag must not open another one now.
            while kept.last == "<" { kept.removeLast() }
            guard let close = inside.firstIndex(of: ">") else { return kept }
            rest = inside[inside.index(after: close)...]
        }
        return kept + rest
    }

    private static func isTagStart(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "/" || scalar == "!" || scalar == "?"
    }

    /// What changes how other text is read, or says nothing: controls but white space, marks of direction, tags, what is unassigned.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: !scalar.properties.isWhitespace
        // Between the parts of an emoji, and in words of Persian and of the languages of India.
        case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
        case .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
