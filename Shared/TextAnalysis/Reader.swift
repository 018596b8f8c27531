// SPDX-License-Identifier: Apache-2.0
// Where words begin and end.

/// What becomes of a text that is read: what stands in its form, one after the other, and from where in the source's UTF-8.
protocol ReadText {
    /// - Parameter written: not stemmed.
    mutating func word(_ written: ArraySlice<UInt32>, from start: Int, to end: Int)
    /// - Parameter joins: whether it goes on with the run before it, from which one space parts it.
    /// - Returns: where it begins, for `endRun`.
    mutating func beginRun(joins: Bool) -> Int
    /// One more scalar of a run.
    mutating func append(_ scalar: UInt32, from source: Range<Int>)
    mutating func endRun(from first: Int)
    /// - Returns: where it begins, for `close`.
    mutating func open(_ mark: AnalyzedText.Mark, at start: Int) -> Int
    mutating func close(_ mark: AnalyzedText.Mark, from first: Int, at end: Int)
}

/// Walks over folded text once.
struct Reader {
    private let text: FoldedText
    private let scripts: [Script]
    private var position = 0
    /// Whether one space and nothing else lies between here and the last run.
    private var joins = false

    init(_ text: FoldedText) {
        self.text = text
        scripts = text.scalars.map(Script.of)
    }

    mutating func read(into result: inout some ReadText) {
        while position < text.scalars.count {
            switch scripts[position] {
            case .hangul, .kana, .han: readRun(into: &result)
            case .letter:
                if !readAddress(into: &result) { readWord(into: &result) }
            case .digit: readNumber(into: &result)
            case .emoji: readEmoji(into: &result)
            case .space: readSpace()
            case .other: readOther(into: &result)
            }
        }
    }

    private func scalar(_ index: Int) -> UInt32 { index < text.scalars.count ? text.scalars[index] : 0 }
    private func script(_ index: Int) -> Script { index < scripts.count ? scripts[index] : .space }
    private func isWord(_ index: Int) -> Bool {
        let script = script(index)
        return script == .letter || script == .digit || script.isDense
    }

    private mutating func readSpace() {
        let isOne = position > 0 && scripts[position - 1].isDense && scalar(position) == 0x20
        joins = isOne && script(position + 1).isDense
        position += 1
    }

    private mutating func readRun(into result: inout some ReadText) {
        let first = result.beginRun(joins: joins)
        var kana = 0
        while position < scripts.count, scripts[position].isDense {
            let scalar = text.scalars[position]
            kana = scripts[position] == .kana ? kana + 1 : 0
            // サーバー is サーバ as well, but ビール is not ビル.
            let isIdle = scalar == Kana.long && kana > 3 && script(position + 1) != .kana
            if !isIdle { result.append(scalar, from: text.places[position]) }
            position += 1
        }
        result.endRun(from: first)
        joins = false
    }

    private mutating func readWord(into result: inout some ReadText) {
        let first = position
        var word: [UInt32] = []
        while position < scripts.count {
            if scripts[position] == .letter {
                word.append(text.scalars[position])
                position += 1
            } else if isApostrophe(scalar(position)), script(position + 1) == .letter {
                if !readApostrophe(&word) { break }
            } else {
                break
            }
        }
        // C, C++ and C# are three languages.
        if word.count == 1, (0x61...0x7A).contains(word[0]) {
            if scalar(position) == 0x2B, scalar(position + 1) == 0x2B, !isWord(position + 2) {
                word += [0x2B, 0x2B]
                position += 2
            } else if scalar(position) == 0x23, !isWord(position + 1) {
                word.append(0x23)
                position += 1
            }
        }
        emit(word, from: first, into: &result)
    }

    private func isApostrophe(_ scalar: UInt32) -> Bool { scalar == 0x27 || scalar == 0x2019 }

    /// Passes over what an apostrophe joins to a word: `'s` and its like say nothing, `n't` does.
    ///
    /// - Returns: false where another word begins, as in l'amour.
    private mutating func readApostrophe(_ word: inout [UInt32]) -> Bool {
        var end = position + 1
        while script(end) == .letter, end - position <= 3 { end += 1 }
        let tail = String(scalars: text.scalars[(position + 1)..<end])
        guard ["s", "t", "ll", "re", "ve", "d", "m"].contains(tail) else { return false }
        if tail == "t" { word.append(0x74) }
        position = end
        return true
    }

    private mutating func readNumber(into result: inout some ReadText) {
        let first = position
        var number: [UInt32] = []
        while position < scripts.count {
            if scripts[position] == .digit {
                number.append(text.scalars[position])
                position += 1
            } else if scalar(position) == 0x2E, script(position + 1) == .digit {
                number.append(0x2E)
                position += 1
            } else if scalar(position) == 0x2C, (1...3).allSatisfy({ script(position + $0) == .digit }),
                script(position + 4) != .digit
            {
                position += 1
            } else {
                break
            }
        }
        emit(number, from: first, into: &result)
    }

    private mutating func readEmoji(into result: inout some ReadText) {
        let scalar = text.scalars[position]
        position += 1
        emit([scalar], from: position - 1, into: &result)
    }

    private func emit(_ word: [UInt32], from first: Int, into result: inout some ReadText) {
        guard !word.isEmpty, first < position else { return }
        result.word(
            word.prefix(AnalyzedText.wordLimit),
            from: text.places[first].lowerBound,
            to: text.places[position - 1].upperBound
        )
    }

    private mutating func readOther(into result: inout some ReadText) {
        let scalar = text.scalars[position]
        guard let mark = AnalyzedText.Mark(rawValue: scalar), position == 0 || !isWord(position - 1) else {
            position += 1
            return
        }
        var end = position + 1
        while isWord(end) || scalar == 0x23 && self.scalar(end) == 0x5F || mark == .mention && isOfName(end) {
            end += 1
        }
        // A number alone is no hashtag.
        guard
            (position + 1..<end).contains(where: { script($0) == .letter || script($0).isDense })
                || mark == .mention && end > position + 1
        else {
            position += 1
            return
        }
        readMarked(mark, upTo: end, into: &result)
    }

    /// What a name may hold besides letters, where it goes on after it: `_`, and `@`, `.` and `-` of a domain.
    private func isOfName(_ index: Int) -> Bool {
        scalar(index) == 0x5F || [0x40, 0x2E, 0x2D].contains(scalar(index)) && isWord(index + 1)
    }

    private mutating func readMarked(_ mark: AnalyzedText.Mark, upTo end: Int, into result: inout some ReadText) {
        let first = result.open(mark, at: text.places[position].lowerBound)
        position += 1
        while position < end {
            switch scripts[position] {
            case .hangul, .kana, .han: readRun(into: &result)
            case .letter: readWord(into: &result)
            case .digit: readNumber(into: &result)
            default: position += 1
            }
        }
        result.close(mark, from: first, at: text.places[position - 1].upperBound)
        joins = false
    }

    /// Keeps the words of an address that begins here.
    private mutating func readAddress(into result: inout some ReadText) -> Bool {
        guard scalar(position) == 0x68, let length = ["https://", "http://"].first(where: isHere)?.utf8.count else {
            return false
        }
        position += length
        if isHere("www.") { position += 4 }
        var words = 0
        while position < scripts.count, scripts[position] != .space, !scripts[position].isDense {
            let before = position
            switch scripts[position] {
            case .letter where words < 24: readWord(into: &result)
            case .digit where words < 24: readNumber(into: &result)
            default: position += 1
            }
            if position > before + 1 { words += 1 }
        }
        return true
    }

    private func isHere(_ text: String) -> Bool {
        text.unicodeScalars.enumerated().allSatisfy { scalar(position + $0.offset) == $0.element.value }
    }
}
