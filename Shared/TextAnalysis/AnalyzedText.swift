// SPDX-License-Identifier: Apache-2.0
// Text as an index knows it: the same for documents and for what people look for.

/// Words of a text in the one form in which texts are compared.
///
/// `form` is what a match is looked for in. Words that spaces part (Latin, Cyrillic…) stand in it by their stems, numbers whole, each
/// between spaces. Hangul, kana and Han stand as they are, and one space between two of them is left out, because Korean may be
/// written with it or without: `독서 모임` is `독서모임`. A hashtag is `# tag ;`, a mention `@ name ;`, so that both are found as what they
/// are and as words. Of an address the words are kept. Linear in the text and bounded.
public struct AnalyzedText: Sendable {
    /// How much of a text is looked at, in folded scalars.
    public static let limit = 16_384
    /// How long a word may be; the rest of a longer one is passed over.
    public static let wordLimit = 40

    public enum Mark: UInt32, Sendable {
        case tag = 0x23
        case mention = 0x40
    }

    /// A word, or a run of Hangul, kana and Han.
    public struct Token: Sendable {
        /// Where it stands in `form`.
        public let place: Range<Int>
        public let isDense: Bool
        /// As it was written, folded but not stemmed; empty for a run.
        public let written: String
    }

    public private(set) var form: [UInt32] = [0x20]
    public private(set) var tokens: [Token] = []
    /// Hashtags and mentions, whole, with their places in `form` from `#` or `@` to `;`.
    public private(set) var marked: [(mark: Mark, place: Range<Int>)] = []

    public init(_ text: String) {
        let folded = FoldedText(text, limit: Self.limit)
        form.reserveCapacity(folded.scalars.count + 16)
        var reader = Reader(folded)
        reader.read(into: &self)
    }

    /// `form` as text.
    public var formText: String { String(scalars: form) }

    public func text(of place: Range<Int>) -> String { String(scalars: form[place.clamped(to: form.indices)]) }
}

extension AnalyzedText: ReadText {
    mutating func word(_ written: ArraySlice<UInt32>, from start: Int, to end: Int) {
        let text = String(scalars: written)
        let stem = EnglishStem.of(text)
        let first = form.count
        if stem == text { form += written } else { form += stem.unicodeScalars.lazy.map(\.value) }
        tokens.append(Token(place: first..<form.count, isDense: false, written: text))
        form.append(0x20)
    }

    mutating func beginRun(joins: Bool) -> Int {
        guard joins, let last = tokens.last, last.isDense else { return form.count }
        tokens.removeLast()
        form.removeLast()
        return last.place.lowerBound
    }

    mutating func append(_ scalar: UInt32, from source: Range<Int>) { form.append(scalar) }

    mutating func endRun(from first: Int) {
        tokens.append(Token(place: first..<form.count, isDense: true, written: ""))
        form.append(0x20)
    }

    mutating func open(_ mark: Mark, at start: Int) -> Int {
        form += [mark.rawValue, 0x20]
        return form.count - 2
    }

    mutating func close(_ mark: Mark, from first: Int, at end: Int) {
        form.append(0x3B)
        marked.append((mark, first..<form.count))
        form.append(0x20)
    }
}

extension String {
    /// Scalars that came from text.
    public init(scalars: some Sequence<UInt32>) {
        var view = UnicodeScalarView()
        for scalar in scalars { Unicode.Scalar(scalar).map { view.append($0) } }
        self.init(view)
    }
}
