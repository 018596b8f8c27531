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
        let isWritten: Void? = text.withContiguousStorageIfAvailable { text in
            var clean = 0
            for index in text.indices {
                guard let entity = HTMLText.entity(text[index]) else { continue }
                bytes.append(contentsOf: text[clean..<index])
                entity.withUTF8Buffer { bytes.append(contentsOf: $0) }
                clean = index + 1
            }
            bytes.append(contentsOf: text[clean...])
        }
        if isWritten == nil { escaped(Array(text)) }
    }

    private static func entity(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }

    /// Writes markup of our own.
    mutating func markup(_ markup: StaticString) {
        open()
        markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a link whose scheme and far end are hidden from the eye, as clients of the Mastodon API expect.
    mutating func link(_ url: ArraySlice<UInt8>) {
        var hidden = url.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s") ? 8 : 7
        let host = url.dropFirst(hidden).prefix(4).map { $0 | 0x20 }
        if host.starts(with: "www.".utf8.map { $0 | 0x20 }) { hidden += 4 }
        let shown = url.dropFirst(hidden)
        let visible = HTMLText.beginning(of: shown)
        let rest = shown[visible.endIndex...]
        markup(#"<a href=""#)
        escaped(url)
        markup(#"" target="_blank" rel="nofollow noopener noreferrer"><span class="invisible">"#)
        escaped(url.prefix(hidden))
        if rest.isEmpty { markup(#"</span><span class="">"#) } else { markup(#"</span><span class="ellipsis">"#) }
        escaped(visible)
        markup(#"</span><span class="invisible">"#)
        escaped(rest)
        markup("</span></a>")
    }

    /// As much as stays visible, without cutting a character in two.
    private static func beginning(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = text.prefix(visibleLink)
        guard !start.allSatisfy({ $0 < 0x80 }) || text.dropFirst(visibleLink).first.map({ $0 >= 0x80 }) == true else {
            return start
        }
        let visible = String(decoding: text, as: UTF8.self).prefix(visibleLink)
        return text.prefix(visible.utf8.count)
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
