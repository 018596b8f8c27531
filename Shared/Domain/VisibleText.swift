// SPDX-License-Identifier: Apache-2.0
// Names that show what they are.

extension String {
    /// The text as a name: on one line, without what nobody sees and without white space at both ends.
    public var visibleLine: String {
        split { $0.isNewline || $0 == "\t" }.joined(separator: " ").withoutHiddenCharacters.trimmed
    }

    /// The text without what nobody sees: controls, what turns the direction of the text around it, zero-width and other
    /// invisible characters. Those stay that shape the character before them, as in emoji, Persian and Japanese names.
    public var withoutHiddenCharacters: String {
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isHidden(after: kept.last) { kept.append(scalar) }
        // What joined or shaped something that did not follow.
        while let last = kept.last, last.value == 0x200C || last.value == 0x200D { kept.removeLast() }
        return String(kept)
    }

    /// The text without control characters other than breaks and tabs.
    public var withoutControls: String {
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isControl || "\n\r\t".unicodeScalars.contains(scalar) {
            kept.append(scalar)
        }
        return String(kept)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }

    fileprivate func isHidden(after last: Unicode.Scalar?) -> Bool {
        if value == 0x09 { return false }
        // The blank of Braille is a letter by its properties.
        guard
            isControl || properties.isDefaultIgnorableCodePoint || value == 0x2800 || (0xFFF9...0xFFFB).contains(value)
        else { return false }
        guard let last else { return true }
        switch value {
        case 0x200D: return !(last.isPictograph || last.isMark || last.isLetterThatJoins)
        case 0x200C: return !(last.isMark || last.isLetterThatJoins)
        // Variations of the character before, and the letters of flags of regions.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D: return last.properties.isWhitespace
        case 0xE0020...0xE007F: return !(last.value == 0x1F3F4 || (0xE0020...0xE007E).contains(last.value))
        default: return true
        }
    }

    private var isPictograph: Bool { properties.isEmojiPresentation || value == 0xFE0F || properties.isEmojiModifier }
    private var isMark: Bool { properties.generalCategory == .nonspacingMark && value > 0x0300 && !isControl }
    /// Of scripts from Hebrew to Mongolian, where letters join.
    private var isLetterThatJoins: Bool { (0x0590...0x18AF).contains(value) && properties.isAlphabetic }
}
