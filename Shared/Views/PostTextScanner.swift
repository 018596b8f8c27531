// SPDX-License-Identifier: Apache-2.0
// Cuts a text into plain text, mentions, hashtags and links.

import Domain

/// Reads the UTF-8 of a text once, from left to right; every byte is looked at a bounded number of times.
struct PostTextScanner {
    enum Kind {
        case text
        /// With the name's range, without `@` and domain.
        case mention(Username, Range<Int>)
        /// A name at another domain, which is text to us.
        case remoteMention(Range<Int>)
        /// The name's range, without `#`.
        case tag(Range<Int>)
        case url
    }

    struct Token {
        let kind: Kind
        let range: Range<Int>
    }

    let bytes: [UInt8]
    private let domain: [UInt8]
    private var position = 0
    private var pending: Token?

    init(_ text: String, domain: String) {
        bytes = Array(text.utf8)
        self.domain = Array(domain.lowercased().utf8)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func next() -> Token? {
        if let token = pending {
            pending = nil
            return token
        }
        let start = position
        while position < bytes.count {
            if let token = token(at: position) {
                let plain = start..<position
                position = token.range.upperBound
                guard !plain.isEmpty else { return token }
                pending = token
                return Token(kind: .text, range: plain)
            }
            position += 1
            // What follows the first letter of a failed name or link is passed over by the caller's own checks.
        }
        return start < bytes.count ? Token(kind: .text, range: start..<bytes.count) : nil
    }

    private mutating func token(at index: Int) -> Token? {
        switch bytes[index] {
        case UInt8(ascii: "@"): mention(at: index)
        case UInt8(ascii: "#"): tag(at: index, sign: 1)
        case 0xEF where has([0xEF, 0xBC, 0x83], at: index): tag(at: index, sign: 3)
        case UInt8(ascii: "h"), UInt8(ascii: "H"): url(at: index)
        default: nil
        }
    }

    // MARK: Mentions

    private mutating func mention(at index: Int) -> Token? {
        guard !follows(index, orOneOf: "=/@") else { return nil }
        let start = index + 1
        var end = start
        while end < bytes.count, Username.allows(bytes[end]) { end += 1 }
        let name = start..<end
        guard let username = Username(text(name)) else {
            if end > start { position = end - 1 }
            return nil
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "@"), let host = host(from: end + 1) else {
            return Token(kind: .mention(username, name), range: index..<end)
        }
        let whole = index..<host.upperBound
        let isOurs = bytes[host].map(lowercased) == domain
        return Token(kind: isOurs ? .mention(username, name) : .remoteMention(name), range: whole)
    }

    /// A domain with an optional port, without what ends a sentence.
    private func host(from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, isHost(bytes[end]) { end += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") || bytes[end - 1] == UInt8(ascii: "-") { end -= 1 }
        guard end > start else { return nil }
        return start..<port(from: end)
    }

    private func port(from start: Int) -> Int {
        guard start < bytes.count, bytes[start] == UInt8(ascii: ":") else { return start }
        var end = start + 1
        while end < bytes.count, end < start + 6, isDigit(bytes[end]) { end += 1 }
        return end > start + 1 ? end : start
    }

    // MARK: Hashtags

    private mutating func tag(at index: Int, sign: Int) -> Token? {
        guard !follows(index, orOneOf: "=/)&#") else { return nil }
        let start = index + sign
        var end = start
        var hasLetter = false
        var lastWord = start
        while end < bytes.count {
            let (scalar, length) = scalar(at: end)
            if isWord(scalar) {
                if !isNumber(scalar) { hasLetter = hasLetter || scalar != "_" }
                lastWord = end + length
            } else if !isTagSeparator(scalar) || end == start {
                break
            }
            end += length
        }
        guard hasLetter, lastWord - start <= 300 else {
            if lastWord > start { position = lastWord - 1 }
            return nil
        }
        return Token(kind: .tag(start..<lastWord), range: index..<lastWord)
    }

    // MARK: Links

    private mutating func url(at index: Int) -> Token? {
        let scheme: Int
        if has("https://".utf8, at: index) {
            scheme = 8
        } else if has("http://".utf8, at: index) {
            scheme = 7
        } else {
            return nil
        }
        guard !follows(index, orOneOf: "@#") else { return nil }
        let hostStart = index + scheme
        var end = hostEnd(from: hostStart)
        guard end > hostStart else { return nil }
        end = port(from: end)
        if hasCredentials(at: end) { return nil }
        if end < bytes.count, "/?#".utf8.contains(bytes[end]) { end = pathEnd(from: end) }
        return Token(kind: .url, range: index..<end)
    }

    /// Whether what was taken for a host is a user's name: `user@host`, `user:password@host`.
    private func hasCredentials(at index: Int) -> Bool {
        var end = index
        if end < bytes.count, bytes[end] == UInt8(ascii: ":") {
            while end < bytes.count, bytes[end] > 0x20, !"/?#@".utf8.contains(bytes[end]) { end += 1 }
        }
        return end < bytes.count && bytes[end] == UInt8(ascii: "@")
    }

    /// Letters of any script; but what follows a top-level domain of ASCII letters without a space, as a particle
    /// does in Korean, is not part of it.
    private func hostEnd(from start: Int) -> Int {
        var end = start
        var label = start
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: ".") {
                label = end + 1
                end += 1
            } else if isHost(bytes[end]) {
                end += 1
            } else if bytes[end] >= 0x80, label == end || bytes[label] >= 0x80 {
                let (scalar, length) = scalar(at: end)
                guard isWord(scalar) else { break }
                end += length
            } else {
                break
            }
        }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") || bytes[end - 1] == UInt8(ascii: "-") { end -= 1 }
        guard end > start, bytes[start] != UInt8(ascii: "."), bytes[start] != UInt8(ascii: "-") else { return start }
        return end
    }

    private func pathEnd(from start: Int) -> Int {
        var end = start
        var depth = (round: 0, square: 0)
        while end < bytes.count {
            let (scalar, length) = scalar(at: end)
            if isLinkEnd(scalar) { break }
            switch scalar {
            case "(": depth.round += 1
            case ")": depth.round -= 1
            case "[": depth.square += 1
            case "]": depth.square -= 1
            default: break
            }
            end += length
        }
        while end > start {
            let (scalar, length) = scalarBefore(end)
            switch scalar {
            case ")" where depth.round < 0: depth.round += 1
            case "]" where depth.square < 0: depth.square += 1
            case ".", ",", ";", ":", "!", "?", "'", "*", "~", "…", "。", "、", "！", "？", "」", "』", "）", "，": break
            default: return end
            }
            end -= length
        }
        return end
    }

    // MARK: Characters

    /// Whether the byte at `index` directly follows a word or one of `others`.
    private func follows(_ index: Int, orOneOf others: String) -> Bool {
        guard index > 0 else { return false }
        let (scalar, _) = scalarBefore(index)
        return isWord(scalar) || others.unicodeScalars.contains(scalar)
    }

    private func has(_ expected: some Collection<UInt8>, at index: Int) -> Bool {
        guard bytes.count - index >= expected.count else { return false }
        return zip(bytes[index...], expected).allSatisfy { lowercased($0) == $1 }
    }

    private func scalar(at index: Int) -> (Unicode.Scalar, Int) {
        let first = bytes[index]
        guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard index + length <= bytes.count else { return ("\u{FFFD}", 1) }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    private func scalarBefore(_ index: Int) -> (Unicode.Scalar, Int) {
        var start = index - 1
        while start > 0, index - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return (scalar(at: start).0, index - start)
    }

    private func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
    private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private func isHost(_ byte: UInt8) -> Bool {
        isDigit(byte) || (97...122).contains(byte | 0x20) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private func isNumber(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? isDigit(UInt8(truncatingIfNeeded: scalar.value)) : scalar.properties.generalCategory == .decimalNumber
    }

    private func isTagSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{B7}" || scalar == "\u{30FB}" || scalar == "\u{200C}"
    }

    private func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return Username.allows(UInt8(truncatingIfNeeded: scalar.value)) }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .connectorPunctuation:
            true
        default: false
        }
    }

    private func isLinkEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", ">", "\"", "`", "{", "}", "|", "\\", "^": true
        default: scalar.value <= 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace
        }
    }
}
