// SPDX-License-Identifier: Apache-2.0
// In which letters a page is written that does not say so.

/// Tells Korean and Japanese pages from western ones by what their bytes are in each encoding: the right one makes syllables of
/// them, the wrong ones make letters that nobody writes, or nothing.
enum Guess {
    /// Bytes that are looked at, from the first that is not ASCII on.
    private static let sample = 64 << 10

    private struct Candidate {
        let encoding: String
        /// Of the page or of the country of its address.
        let hints: Set<String>
    }

    private static let candidates = [
        Candidate(encoding: "CP949", hints: ["ko", "kr"]),
        Candidate(encoding: "CP932", hints: ["ja", "jp"]),
        Candidate(encoding: "EUC-JP-MS", hints: ["ja", "jp"]),
    ]

    /// The likeliest encoding by iconv's name; nil where it is none of these.
    ///
    /// - Parameter hints: the language that the page says it is in, and the last part of its host's name.
    static func encoding(of bytes: [UInt8], hints: Set<String>) -> String? {
        // What is before is ASCII in all of them, so that a character begins here.
        let strange = bytes.drop { $0 < 0x80 }.prefix(sample)
        let weights = candidates.compactMap { candidate -> (candidate: Candidate, weight: Double)? in
            guard let text = Charset.exactly(strange, in: candidate.encoding) else { return nil }
            return (candidate, weight(of: text) - (candidate.encoding == "CP949" ? rarity(of: strange) : 0))
        }
        // Chinese characters alone look like any of these: then it counts where the page is from.
        let hinted = weights.filter { $0.weight >= 0 && !$0.candidate.hints.isDisjoint(with: hints) }
        let found = hinted.isEmpty ? weights.filter { $0.weight >= likely } : hinted
        return found.max { $0.weight < $1.weight }?.candidate.encoding
    }

    /// From here on it is more than chance.
    private static let likely = 1.0 / 3

    /// From 1 where all that is not ASCII is Hangul and Kana, below 0 where it is what nobody writes much of.
    private static func weight(of text: String) -> Double {
        var (weight, count) = (0, 0)
        for scalar in text.unicodeScalars where scalar.value >= 0x80 {
            count += 1
            switch scalar.value {
            // Syllables of Hangul, and full Kana.
            case 0xAC00...0xD7A3, 0x3041...0x30FF: weight += 1
            // Greek, Cyrillic, parts of tables, letters of Hangul by themselves.
            case 0x0370...0x04FF, 0x2500...0x257F, 0x3130...0x318F: weight -= 1
            // Nobody's own characters, half Kana.
            case 0xE000...0xF8FF, 0xFF61...0xFF9F: weight -= 2
            default: break
            }
        }
        return count == 0 ? 0 : Double(weight) / Double(count)
    }

    /// How much of it would be syllables that CP949 has beyond EUC-KR: some in ten thousand of a Korean text, half of a Japanese one.
    private static func rarity(of bytes: ArraySlice<UInt8>) -> Double {
        var (rare, count, index) = (0, 0, bytes.startIndex)
        while index < bytes.endIndex {
            let lead = bytes[index]
            guard lead >= 0x80, bytes.indices.contains(index + 1) else {
                index += 1
                continue
            }
            count += 1
            if lead < 0xA1 || bytes[index + 1] < 0xA1 { rare += 1 }
            index += 2
        }
        return count == 0 ? 0 : 2 * Double(rare) / Double(count)
    }
}
