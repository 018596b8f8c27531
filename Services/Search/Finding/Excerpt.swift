// SPDX-License-Identifier: Apache-2.0
// The part of a text in which something was found.

enum Excerpt {
    /// How many characters of a text are shown.
    static let length = 200

    /// The text around the first of `highlights`, as HTML, with `<em>` around what matched.
    static func html(_ hit: SearchHit) -> String {
        let bytes = Array(hit.text.utf8)
        let marks = hit.highlights.map { $0.clamped(to: 0..<bytes.count) }.filter { !$0.isEmpty }
        let shown = part(of: hit.text, around: marks.first?.lowerBound ?? 0)
        var html = shown.lowerBound > 0 ? "…" : ""
        var place = shown.lowerBound
        for mark in marks.map({ $0.clamped(to: shown) }) where !mark.isEmpty {
            html += escaped(bytes[place..<mark.lowerBound]) + "<em>" + escaped(bytes[mark]) + "</em>"
            place = mark.upperBound
        }
        html += escaped(bytes[place..<shown.upperBound])
        return shown.upperBound < bytes.count ? html + "…" : html
    }

    /// The characters to show, in UTF-8: a quarter of them before the first mark, where there are more behind it.
    private static func part(of text: String, around mark: Int) -> Range<Int> {
        guard text.utf8.count > length else { return 0..<text.utf8.count }
        var offsets: [Int] = []
        var offset = 0
        for character in text {
            offsets.append(offset)
            offset += character.utf8.count
        }
        offsets.append(offset)
        let characters = offsets.count - 1
        let first = max(0, (offsets.firstIndex { $0 > mark } ?? 1) - 1)
        let start = max(0, min(first - length / 4, characters - length))
        return offsets[start]..<offsets[min(characters, start + length)]
    }

    private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        var escaped: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "&"): escaped += Array("&amp;".utf8)
            case UInt8(ascii: "<"): escaped += Array("&lt;".utf8)
            case UInt8(ascii: ">"): escaped += Array("&gt;".utf8)
            case UInt8(ascii: "\""): escaped += Array("&quot;".utf8)
            case UInt8(ascii: "'"): escaped += Array("&#39;".utf8)
            // One line.
            case 0x0A, 0x0D: escaped.append(0x20)
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
