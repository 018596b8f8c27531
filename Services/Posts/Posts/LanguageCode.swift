// SPDX-License-Identifier: Apache-2.0
// The language in which a post is written.

/// An ISO 639 code of two or three letters, perhaps with a script or a region, such as `ko`, `ain` or `zh-TW`.
struct LanguageCode: Hashable, Sendable {
    let text: String

    /// Nil unless the text has that form; a code of two letters must be one of ISO 639-1.
    init?(_ text: String) {
        guard text.utf8.count <= 11 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let code = parts.first?.lowercased(), LanguageCode.isLetters(code),
            code.utf8.count == 2 || code.utf8.count == 3,
            code.utf8.count == 3 || LanguageCode.iso639Part1.contains(code), parts.count <= 3,
            parts.dropFirst().allSatisfy({ LanguageCode.isLetters($0) && ($0.utf8.count == 2 || $0.utf8.count == 4) })
        else { return nil }
        self.text = ([code] + parts.dropFirst().map(String.init)).joined(separator: "-")
    }

    static func isWellFormed(_ text: String) -> Bool { LanguageCode(text) != nil }

    private static func isLetters(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { (97...122).contains($0 | 32) }
    }

    private static let iso639Part1 = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
        es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
        ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
        no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
        te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
