// SPDX-License-Identifier: Apache-2.0
// Reads JSON that is as JSONForm has it, straight from bytes.

/// Reads JSON (RFC 8259) as long as it is exactly as asked for: the members of an object that are read, and no others, and no white space
/// but what its writer always leaves. Whoever is told of a mismatch reads it in another way.
public struct JSONFormReader: ~Copyable {
    /// It may be other JSON, or none.
    public struct Mismatch: Error {}

    public enum Writer {
        /// `JSONForm.write`: members in the order in which they are read.
        case form
        /// PostgreSQL, of a `jsonb`: members in any order, and a space after each comma and each colon.
        case jsonb
    }

    /// An object of which members are being read.
    private struct Opened {
        var members: [(name: Range<Int>, value: Range<Int>)] = []
        /// Where it ends.
        var end = 0
        /// How many members were read, and where the value of the last ends.
        var read = 0
        var valueEnd: Int?
    }

    private let bytes: ArraySlice<UInt8>
    private let writer: Writer
    private var index: Int
    private let end: Int
    private var needsComma = false
    /// What of a `jsonb` is being read, the innermost last.
    private var opened: [Opened] = []

    private init(_ bytes: ArraySlice<UInt8>, by writer: Writer) {
        self.bytes = bytes
        self.writer = writer
        (index, end) = (bytes.startIndex, bytes.endIndex)
    }

    /// Reads one value, which must be all that there is.
    public static func read<Value: JSONForm>(
        _: Value.Type = Value.self,
        from bytes: ArraySlice<UInt8>,
        by writer: Writer = .form
    ) throws(Mismatch) -> Value {
        var reader = JSONFormReader(bytes, by: writer)
        let value = try Value(from: &reader)
        guard reader.index == reader.end else { throw Mismatch() }
        return value
    }

    // MARK: Objects and arrays

    public mutating func beginObject() throws(Mismatch) {
        try begin(UInt8(ascii: "{"))
        if writer == .jsonb { opened.append(try membersHere()) }
    }

    /// All members must have been read.
    public mutating func endObject() throws(Mismatch) {
        if writer == .jsonb {
            guard let object = opened.popLast(), object.read == object.members.count,
                object.valueEnd.map({ $0 == index }) ?? true
            else { throw Mismatch() }
            index = object.end
        }
        try finish(UInt8(ascii: "}"))
    }

    /// Reads the member that has this name.
    public mutating func member<Value: JSONForm>(_ name: StaticString) throws(Mismatch) -> Value {
        guard try find(name) else { throw Mismatch() }
        return try Value(from: &self)
    }

    /// Reads the member that has this name if there is one.
    public mutating func optional<Value: JSONForm>(_ name: StaticString) throws(Mismatch) -> Value? {
        try find(name) ? try Value(from: &self) : nil
    }

    /// Goes to the value of a member.
    private mutating func find(_ name: StaticString) throws(Mismatch) -> Bool {
        guard writer == .jsonb else { return take(name) }
        guard var object = opened.popLast(), object.valueEnd.map({ $0 == index }) ?? true else { throw Mismatch() }
        defer { opened.append(object) }
        let length = name.utf8CodeUnitCount
        let found = object.members.first { $0.name.count == length && isThere(name, at: $0.name.lowerBound) }
        guard let found else { return false }
        index = found.value.lowerBound
        object.read += 1
        object.valueEnd = found.value.upperBound
        needsComma = false
        return true
    }

    /// Where the members of the object are in which we stand, by its brackets and quotes alone: their values are yet to be read.
    private func membersHere() throws(Mismatch) -> Opened {
        var (object, place) = (Opened(), index)
        while place < end, bytes[place] != UInt8(ascii: "}") {
            if !object.members.isEmpty {
                guard isThere(", ", at: place) else { throw Mismatch() }
                place += 2
            }
            let afterName = try endOfValue(at: place)
            guard isThere(": ", at: afterName) else { throw Mismatch() }
            let value = afterName + 2
            let afterValue = try endOfValue(at: value)
            guard afterName - place >= 2, bytes[place] == UInt8(ascii: "\""), afterValue > value else {
                throw Mismatch()
            }
            object.members.append((name: (place + 1)..<(afterName - 1), value: value..<afterValue))
            place = afterValue
        }
        object.end = place
        return object
    }

    private func endOfValue(at start: Int) throws(Mismatch) -> Int {
        var (place, depth, isInString) = (start, 0, false)
        while place < end {
            switch bytes[place] {
            case UInt8(ascii: "\\") where isInString: place += 1
            case UInt8(ascii: "\""):
                isInString.toggle()
                if !isInString, depth == 0 { return place + 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if !isInString { depth += 1 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if isInString { break }
                guard depth > 0 else { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if !isInString, depth == 0 { return place }
            default: break
            }
            place += 1
        }
        throw Mismatch()
    }

    /// Reads an array, each element of which `element` reads.
    public mutating func array<Element>(
        _ element: (inout JSONFormReader) throws(Mismatch) -> Element
    ) throws(Mismatch) -> [Element] {
        try begin(UInt8(ascii: "["))
        var elements: [Element] = []
        while index < end, bytes[index] != UInt8(ascii: "]") { elements.append(try element(&self)) }
        try finish(UInt8(ascii: "]"))
        return elements
    }

    private mutating func begin(_ bracket: UInt8) throws(Mismatch) {
        try separate()
        try take(bracket)
        needsComma = false
    }

    private mutating func finish(_ bracket: UInt8) throws(Mismatch) {
        try take(bracket)
        needsComma = true
    }

    /// Takes the name of a member, with the comma before it and the colon after it, if it is the next.
    private mutating func take(_ name: StaticString) -> Bool {
        let start = needsComma ? index + 1 : index
        let length = name.utf8CodeUnitCount
        guard start + length + 3 <= end, !needsComma || bytes[index] == UInt8(ascii: ","),
            bytes[start] == UInt8(ascii: "\""), bytes[start + length + 1] == UInt8(ascii: "\""),
            bytes[start + length + 2] == UInt8(ascii: ":"),
            isThere(name, at: start + 1)
        else { return false }
        index = start + length + 3
        needsComma = false
        return true
    }

    private mutating func separate() throws(Mismatch) {
        guard needsComma else { return }
        try take(UInt8(ascii: ","))
        if writer == .jsonb { try take(UInt8(ascii: " ")) }
        needsComma = false
    }

    private mutating func take(_ byte: UInt8) throws(Mismatch) {
        guard index < end, bytes[index] == byte else { throw Mismatch() }
        index += 1
    }

    // MARK: Values

    public mutating func bool() throws(Mismatch) -> Bool {
        try separate()
        needsComma = true
        if take(word: "true") { return true }
        if take(word: "false") { return false }
        throw Mismatch()
    }

    private mutating func take(word: StaticString) -> Bool {
        guard isThere(word, at: index) else { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    private func isThere(_ word: StaticString, at start: Int) -> Bool {
        guard start + word.utf8CodeUnitCount <= end else { return false }
        return word.withUTF8Buffer { word in word.indices.allSatisfy { bytes[start + $0] == word[$0] } }
    }

    /// A whole number of 64 bits, without an exponent.
    public mutating func integer() throws(Mismatch) -> Int64 {
        try separate()
        let isNegative = index < end && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let start = index
        var value: Int64 = 0
        while index < end, (48...57).contains(bytes[index]) {
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(bytes[index] - 48)
            let (sum, overflows) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !tooLarge, !overflows else { throw Mismatch() }
            value = sum
            index += 1
        }
        let digits = index - start
        guard digits > 0, digits == 1 && !isNegative || bytes[start] != UInt8(ascii: "0") else { throw Mismatch() }
        if index < end, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[index]) {
            throw Mismatch()
        }
        needsComma = true
        return value
    }

    /// A string's text.
    public mutating func string() throws(Mismatch) -> String {
        let inner = try inside()
        guard let text = String(validating: bytes[inner.range], as: UTF8.self) else { throw Mismatch() }
        guard inner.hasEscapes else { return text }
        guard let unescaped = JSONText.unescaped(text.utf8) else { throw Mismatch() }
        return unescaped
    }

    /// A string as bytes of ASCII, none of which is escaped.
    public mutating func ascii<Value>(_ body: (ArraySlice<UInt8>) -> Value?) throws(Mismatch) -> Value {
        let inner = try inside()
        guard !inner.hasEscapes, let value = body(bytes[inner.range]) else { throw Mismatch() }
        return value
    }

    /// Takes a string; where its inside is, of which only quotes, backslashes and control characters may be escaped.
    private mutating func inside() throws(Mismatch) -> (range: Range<Int>, hasEscapes: Bool) {
        try separate()
        try take(UInt8(ascii: "\""))
        let start = index
        var hasEscapes = false
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                needsComma = true
                return (start..<(index - 1), hasEscapes)
            }
            guard byte >= 0x20 else { throw Mismatch() }
            index += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            hasEscapes = true
            guard index < end else { throw Mismatch() }
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"),
                UInt8(ascii: "b"), UInt8(ascii: "f"):
                index += 1
            case UInt8(ascii: "u"):
                guard take(word: "u00"), index + 1 < end, (48...49).contains(bytes[index]),
                    bytes[index + 1] != UInt8(ascii: "\""), bytes[index + 1] != UInt8(ascii: "\\")
                else { throw Mismatch() }
            default: throw Mismatch()
            }
        }
        throw Mismatch()
    }
}
