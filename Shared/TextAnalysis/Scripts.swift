// SPDX-License-Identifier: Apache-2.0
// What a folded scalar is, and what Hangul and kana do to each other.

/// How a folded scalar takes part in words.
enum Script: Sendable {
    case hangul, kana, han
    /// A letter of a script that parts its words by spaces, and its marks.
    case letter
    case digit
    case emoji
    /// Neither in a word nor between words: spaces are told apart, because Korean may be written without them.
    case space
    case other

    /// Scripts whose words are not parted by spaces, or not reliably.
    var isDense: Bool { self == .hangul || self == .kana || self == .han }

    static func of(_ scalar: UInt32) -> Script {
        switch scalar {
        case 0x61...0x7A: return .letter
        case 0x30...0x39: return .digit
        case 0x20, 0x09, 0x0A, 0x0D, 0x3000: return .space
        case 0..<0x80: return .other
        case 0xAC00...0xD7A3, 0x3131...0x318E, 0x1100...0x11FF: return .hangul
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF: return .kana
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return .han
        case 0x1F000...0x1FAFF, 0x2600...0x27BF, 0x2B00...0x2BFF: return .emoji
        default: break
        }
        guard let properties = Unicode.Scalar(scalar)?.properties else { return .other }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            return .letter
        case .decimalNumber, .letterNumber, .otherNumber: return .digit
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .space
        default: return .other
        }
    }
}

/// Syllables and their letters (The Unicode Standard, 3.12).
public enum Hangul {
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars.map(\.value))
    private static let vowels = "ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ".split(separator: " ")
        .map { Array($0.unicodeScalars.map(\.value)) }
    private static let finals =
        "ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ".split(separator: " ")
        .map { Array($0.unicodeScalars.map(\.value)) }
    private static let vowelLetters = Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".unicodeScalars.map(\.value))
    private static let finalLetters = Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars.map(\.value))

    static func isSyllable(_ scalar: UInt32) -> Bool { (0xAC00...0xD7A3).contains(scalar) }

    /// A letter by itself, as keyboards write one.
    static func isJamo(_ scalar: UInt32) -> Bool { (0x3131...0x3163).contains(scalar) }

    static func isConsonant(_ scalar: UInt32) -> Bool { (0x3131...0x314E).contains(scalar) }

    /// The syllable of two conjoining letters, or of a syllable and its end.
    static func join(_ left: UInt32, _ right: UInt32) -> UInt32? {
        if (0x1100...0x1112).contains(left), (0x1161...0x1175).contains(right) {
            return 0xAC00 + ((left - 0x1100) * 21 + (right - 0x1161)) * 28
        }
        if isSyllable(left), (left - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(right) {
            return left + right - 0x11A7
        }
        return nil
    }

    /// What a conjoining letter that found no other is shown as.
    static func alone(_ scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x1100...0x1112: initials[Int(scalar - 0x1100)]
        case 0x1161...0x1175: vowelLetters[Int(scalar - 0x1161)]
        case 0x11A8...0x11C2: finalLetters[Int(scalar - 0x11A8)]
        default: nil
        }
    }

    /// The keys that write a syllable, in their order: 관 is ㄱㅗㅏㄴ, so that each state of the composition (ㄱ, 고, 과, 관) is the
    /// beginning of the next, and of what follows a consonant that moves on (곡 of 고구마).
    static func keys(_ scalar: UInt32) -> [UInt32] {
        guard isSyllable(scalar) else {
            if let index = vowelLetters.firstIndex(of: scalar) { return vowels[index] }
            if let index = finalLetters.firstIndex(of: scalar) { return finals[index] }
            return [scalar]
        }
        let index = Int(scalar - 0xAC00)
        let end = index % 28
        return [initials[index / 588]] + vowels[index % 588 / 28] + (end == 0 ? [] : finals[end - 1])
    }

    /// The consonant that a syllable begins with.
    static func initial(_ scalar: UInt32) -> UInt32? {
        isSyllable(scalar) ? initials[Int(scalar - 0xAC00) / 588] : nil
    }

    /// The syllables that the one being written may become: 고 may become 곡, 곤…; 과 of 고 takes two keys of the vowel, so 고 also
    /// becomes 과, 관… A syllable with an end stands for itself.
    public static func completions(_ scalar: UInt32) -> [UInt32] {
        guard isSyllable(scalar), (scalar - 0xAC00) % 28 == 0 else { return [scalar] }
        let keys = keys(scalar)
        let initial = (scalar - 0xAC00) / 588
        return vowels.indices.filter { vowels[$0].starts(with: keys.dropFirst()) }.flatMap { vowel in
            (0..<28).map { 0xAC00 + (initial * 21 + UInt32(vowel)) * 28 + $0 }
        }
    }
}

/// Kana whose marks stand by themselves, and marks that repeat.
enum Kana {
    static let long: UInt32 = 0x30FC
    static let iteration: UInt32 = 0x3005

    static func isMark(_ scalar: UInt32) -> Bool { scalar == 0x3099 || scalar == 0x309A }

    private static let voiced = pairs("かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔゝゞ")
    private static let plosive = pairs("はぱひぴふぷへぺほぽ")
    /// ヴァイオリン is バイオリン as well.
    private static let labial = pairs("ぁばぃびぇべぉぼ")

    private static func pairs(_ text: String) -> [UInt32: UInt32] {
        let scalars = text.unicodeScalars.map(\.value)
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: scalars.count - 1, by: 2).map { (scalars[$0], scalars[$0 + 1]) }
        )
    }

    static func join(_ left: UInt32, _ right: UInt32) -> UInt32? {
        switch right {
        case 0x3099: voiced[left]
        case 0x309A: plosive[left]
        default: left == 0x3094 ? labial[right] : nil
        }
    }

    static func repetition(of last: UInt32, by mark: UInt32) -> UInt32? {
        guard Script.of(last) == .kana, last != long else { return nil }
        return mark == 0x309D ? last : mark == 0x309E ? voiced[last] ?? last : nil
    }
}

extension AnalyzedText {
    /// Of what a run is made.
    public enum RunKind: Sendable {
        case hangul, kana, han
    }

    public static func kind(_ scalar: UInt32) -> RunKind {
        switch Script.of(scalar) {
        case .hangul: .hangul
        case .kana: .kana
        default: .han
        }
    }

    public static func isDense(_ scalar: UInt32) -> Bool { Script.of(scalar).isDense }

    /// Whether it is a letter of Hangul and no syllable.
    public static func isLetterOfHangul(_ scalar: UInt32) -> Bool { Hangul.isJamo(scalar) }
}
