// SPDX-License-Identifier: Apache-2.0
// Text that is what it looks like.

extension String {
    /// With a space for each end of a line: Pleroma-FE's name has one, of the file from which its version is read.
    var onOneLine: String { String(map { ["\n", "\r", "\r\n"].contains($0) ? " " : $0 }) }

    /// Whether the text has a character that no name has: controls, what turns the direction of text, what is not seen.
    var hasControls: Bool { hasControls(apartFrom: []) }

    /// - Parameter allowed: characters that may be there all the same, such as the end of a line.
    func hasControls(apartFrom allowed: Set<Unicode.Scalar>) -> Bool {
        var before: Unicode.Scalar?
        for scalar in unicodeScalars {
            defer { before = scalar }
            if allowed.contains(scalar) { continue }
            // Emoji of several parts, such as a family.
            if scalar.value == 0x200D, before?.canBeJoined == true { continue }
            if scalar.isUnseen { return true }
        }
        return false
    }

    /// On one line and as it is written, whatever a terminal makes of control characters; at most `limit` of them.
    func escaped(limit: Int = 200) -> String {
        var text = ""
        for scalar in unicodeScalars.prefix(limit) {
            if scalar.isUnseen || scalar == "\\" {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Controls, marks of direction, joiners, fillers and blanks that are letters by their category.
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator, .unassigned: true
        default:
            switch value {
            // Hangul fillers, the empty pattern of Braille, vowels of Khmer that are not written.
            case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x17B4, 0x17B5: true
            default: false
            }
        }
    }

    fileprivate var canBeJoined: Bool {
        value == 0xFE0F || (properties.isEmoji && value > 0x7F) || properties.isEmojiModifier
    }
}
