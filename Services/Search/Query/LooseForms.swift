// SPDX-License-Identifier: Apache-2.0
// What a run of Hangul, kana or Han may be besides itself, when it is not found often enough.

import TextAnalysis

enum LooseForms {
    /// Parts that must all be there, and how close they are to what was typed.
    static func of(_ run: [UInt32]) -> [(parts: [[UInt32]], closeness: Double)] {
        guard run.count <= 24 else { return [] }
        let kinds = run.map(AnalyzedText.kind)
        if kinds.allSatisfy({ $0 == .hangul }) { return korean(run) }
        if kinds.contains(.hangul) { return [(Self.parts(run, kinds), 0.5)] }
        return japanese(run, kinds)
    }

    // MARK: Korean

    /// Particles and endings, longer ones first. What is left must have two syllables, or one where the ending has two.
    private static let endings: [[UInt32]] = """
        이었습니다 했습니다 입니다 합니다 습니다 했어요 이에요 에서는 에서도 으로는 에게서 이라는 이라도 하면서 했는데 하는데 하려고 하세요 할까요 \
        까지 부터 에서 에게 한테 처럼 보다 마다 조차 밖에 이나 이랑 하고 으로 라는 라도 에는 에도 예요 이다 하다 했다 하는 하기 하며 해요 하면 했던 할때 \
        어요 아요 네요 는데 려고 으면 지만 거나 던데 었다 았다 는법 워서 워요 운 은 는 이 가 을 를 의 에 로 와 과 도 만 랑 나 다 한 할 해 고 서 게 지 면 기 요 님
        """.split { $0 == " " || $0 == "\n" }.map { $0.unicodeScalars.map(\.value) }.sorted { $0.count > $1.count }

    private static func korean(_ run: [UInt32]) -> [([[UInt32]], Double)] {
        var forms: [([[UInt32]], Double)] = []
        var bases = [run]
        // Twice, for an ending behind an ending: 도서관에서는.
        for _ in 0..<2 {
            guard let base = bases.last, let ending = endings.first(where: { isEnding($0, of: base) }) else { break }
            bases.append(Array(base.dropLast(ending.count)))
        }
        for base in bases.dropFirst() { forms.append(([base], 0.7)) }
        for base in bases where base.count >= 4 {
            for place in 2...(base.count - 2) {
                forms.append(([Array(base[..<place]), Array(base[place...])], 0.6))
            }
        }
        return forms
    }

    private static func isEnding(_ ending: [UInt32], of run: [UInt32]) -> Bool {
        let rest = run.count - ending.count
        return (rest >= 2 || rest == 1 && (ending.count >= 2 || Self.sure.contains(ending)))
            && run.suffix(ending.count).elementsEqual(ending)
    }

    /// Endings that are hardly ever the second syllable of a word that has no ending: 책을, 읽다.
    private static let sure: Set<[UInt32]> = Set(["을", "를", "은", "는", "에", "다"].map { $0.unicodeScalars.map(\.value) })

    // MARK: Japanese

    private static let particles: Set<[UInt32]> = Set(
        [
            "の", "は", "が", "を", "に", "で", "と", "も", "へ", "や", "から", "まで", "より", "する", "した", "します", "しました", "したい", "して",
            "な", "です",
        ]
        .map { $0.unicodeScalars.map(\.value) }
    )

    private static func japanese(_ run: [UInt32], _ kinds: [AnalyzedText.RunKind]) -> [([[UInt32]], Double)] {
        var forms: [([[UInt32]], Double)] = []
        // 食べる, 食べたい and 食べました begin alike.
        if let lastHan = kinds.lastIndex(of: .han), lastHan + 2 < run.count {
            forms.append(([Array(run[...(lastHan + 1)])], 0.7))
        }
        let parts = parts(run, kinds)
        if parts != [run], !parts.isEmpty { forms.append((parts, 0.6)) }
        if kinds.allSatisfy({ $0 == .han }), run.count >= 4 {
            for place in 2...(run.count - 2) { forms.append(([Array(run[..<place]), Array(run[place...])], 0.6)) }
        }
        return forms
    }

    /// Cut where the script changes, and at の; without particles, and without the kana that end a verb.
    private static func parts(_ run: [UInt32], _ kinds: [AnalyzedText.RunKind]) -> [[UInt32]] {
        var parts: [(text: [UInt32], kind: AnalyzedText.RunKind)] = []
        for (index, scalar) in run.enumerated() {
            let isNo = scalar == 0x306E && index >= 2 && index + 2 < run.count
            if isNo {
                parts.append(([], .kana))
            } else if let last = parts.last, last.kind == kinds[index] {
                parts[parts.count - 1].text.append(scalar)
            } else {
                parts.append(([scalar], kinds[index]))
            }
        }
        var kept: [[UInt32]] = []
        for (index, part) in parts.enumerated() where !part.text.isEmpty {
            if part.kind == .kana, particles.contains(part.text) { continue }
            if part.kind == .kana, part.text.count <= 3, index > 0, parts[index - 1].kind == .han { continue }
            kept.append(part.text)
        }
        return kept
    }
}

/// A syllable that is still being written.
enum Unfinished {
    /// What the last syllable of a run may become. A letter by itself is left out: it may become too much.
    static func completions(_ run: [UInt32]) -> [[UInt32]] {
        guard let last = run.last, run.count > 1 else { return [] }
        if AnalyzedText.isLetterOfHangul(last) { return [Array(run.dropLast())] }
        return Hangul.completions(last).filter { $0 != last }.prefix(64).map { run.dropLast() + [$0] }
    }
}
