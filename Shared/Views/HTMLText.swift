// SPDX-License-Identifier: Apache-2.0
// Writes the small part of HTML that posts and notes are shown in.

/// Collects escaped text and our own markup; line breaks become `<br>`, empty lines new paragraphs.
struct HTMLText {
    private var bytes: [UInt8] = []
    private let paragraphs: Bool
    private var isOpen = false
    private var lineBreaks = 0

    /// Characters of a link that stay visible.
    private static let visibleLink = 30

    init(paragraphs: Bool, capacity: Int) {
        self.paragraphs = paragraphs
        bytes.reserveCapacity(capacity)
    }

    /// Writes text from outside, with its line breaks.
    mutating func text(_ text: ArraySlice<UInt8>) {
        var clean = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == 0x0A || text[index] == 0x0D {
                if clean < index { escaped(text[clean..<index]) }
                if text[index] == 0x0A { lineBreaks += 1 }
                clean = index + 1
            }
            index += 1
        }
        if clean < text.endIndex { escaped(text[clean...]) }
    }

    /// Writes text from outside that has no line breaks.
    mutating func escaped(_ text: some Collection<UInt8>) {
        open()
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            default: bytes.append(byte)
            }
        }
    }

    /// Writes markup of our own.
    mutating func markup(_ markup: StaticString) {
        open()
        markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a link whose scheme and far end are hidden from the eye, as clients of the Mastodon API expect.
    mutating func link(_ url: ArraySlice<UInt8>) {
        let text = String(decoding: url, as: UTF8.self)
        var hidden = text.lowercased().hasPrefix("https://") ? 8 : 7
        if text.lowercased().dropFirst(hidden).hasPrefix("www.") { hidden += 4 }
        let shown = text.dropFirst(hidden)
        let visible = shown.prefix(HTMLText.visibleLink)
        let rest = shown.dropFirst(HTMLText.visibleLink)
        markup(#"<a href=""#)
        escaped(url)
        markup(#"" target="_blank" rel="nofollow noopener noreferrer"><span class="invisible">"#)
        escaped(text.prefix(hidden).utf8)
        if rest.isEmpty { markup(#"</span><span class="">"#) } else { markup(#"</span><span class="ellipsis">"#) }
        escaped(visible.utf8)
        markup(#"</span><span class="invisible">"#)
        escaped(rest.utf8)
        markup("</span></a>")
    }

    mutating func finish() -> String {
        if isOpen, paragraphs { bytes.append(contentsOf: "</p>".utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the breaks that came before what follows; those at either end of the text are dropped.
    private mutating func open() {
        defer { lineBreaks = 0 }
        guard isOpen else {
            isOpen = true
            if paragraphs { bytes.append(contentsOf: "<p>".utf8) }
            return
        }
        guard lineBreaks > 0 else { return }
        if !paragraphs {
            bytes.append(UInt8(ascii: " "))
        } else {
            bytes.append(contentsOf: (lineBreaks == 1 ? "<br>" : "</p><p>").utf8)
        }
    }
}
