// SPDX-License-Identifier: Apache-2.0
// Where in a text its form came from.

/// Of each octet of an analysed form in UTF-8 (`AnalyzedText.formText`) the part of the text from which it was made. Words are not stemmed
/// again: what they became stands in the form.
public struct Origins: Sendable {
    private let form: [UInt8]
    /// In the text's UTF-8; empty for what stands between words.
    private var places: [Range<Int32>] = []
    private var endsInRun = false

    /// Nil where this is not the form of that text.
    public init?(of text: String, form: [UInt8]) {
        self.form = form
        places.reserveCapacity(form.count)
        separate(at: 0)
        var reader = Reader(FoldedText(text, limit: AnalyzedText.limit))
        reader.read(into: &self)
        guard places.count == form.count, zip(form, places).allSatisfy(Self.isFitting) else { return nil }
    }

    /// The part of the text from which a part of the form was made; nil for an empty one.
    public func source(of part: Range<Int>) -> Range<Int>? {
        var found: Range<Int32>?
        for place in places[part.clamped(to: places.indices)] where !place.isEmpty {
            found = min(found?.lowerBound ?? .max, place.lowerBound)..<max(found?.upperBound ?? 0, place.upperBound)
        }
        return found.map { Int($0.lowerBound)..<Int($0.upperBound) }
    }

    private static func isFitting(_ octet: UInt8, _ place: Range<Int32>) -> Bool {
        place.isEmpty ? [0x20, 0x23, 0x40, 0x3B].contains(octet) : octet != 0x20
    }

    private mutating func separate(at place: Int) { add(octets: 1, from: place..<place) }

    private mutating func add(octets: Int, from source: Range<Int>) {
        let place = Int32(truncatingIfNeeded: source.lowerBound)..<Int32(truncatingIfNeeded: source.upperBound)
        for _ in 0..<octets { places.append(place) }
    }
}

extension Origins: ReadText {
    mutating func word(_ written: ArraySlice<UInt32>, from start: Int, to end: Int) {
        let rest = form[min(places.count, form.count)...]
        add(octets: (rest.firstIndex(of: 0x20) ?? rest.endIndex) - rest.startIndex, from: start..<end)
        separate(at: end)
        endsInRun = false
    }

    mutating func beginRun(joins: Bool) -> Int {
        if joins, endsInRun { places.removeLast() }
        return places.count
    }

    mutating func append(_ scalar: UInt32, from source: Range<Int>) {
        add(octets: scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4, from: source)
    }

    mutating func endRun(from first: Int) {
        separate(at: Int(places.last?.upperBound ?? 0))
        endsInRun = true
    }

    mutating func open(_ mark: AnalyzedText.Mark, at start: Int) -> Int {
        separate(at: start)
        separate(at: start)
        return places.count - 2
    }

    mutating func close(_ mark: AnalyzedText.Mark, from first: Int, at end: Int) {
        separate(at: end)
        separate(at: end)
    }
}
