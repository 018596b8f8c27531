// SPDX-License-Identifier: Apache-2.0
// Writes JSON straight into bytes.

public import Domain

/// Writes JSON (RFC 8259) into bytes, in the order of the calls.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false
    /// Where `leaveHole` left a place, by the bytes before it.
    public private(set) var holes: [Int] = []

    public init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// Writes an object whose members `body` writes with `member`.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// An object as bytes, whose members `body` writes.
    public static func object(capacity: Int = 1024, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        json.object(body)
        return json.bytes
    }

    /// Writes an array whose elements `body` writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of a member; the value must follow.
    public mutating func name(_ name: StaticString) {
        append(name.utf8CodeUnitCount + 3) { json in
            json.append(UInt8(ascii: "\""))
            json.append(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            json.append(UInt8(ascii: "\""))
            json.append(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    /// Writes the name of a member that is not known in advance; the value must follow.
    public mutating func dynamicName(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    public mutating func member(_ name: StaticString, _ value: String) { self.name(name); string(value) }
    public mutating func member(_ name: StaticString, _ value: Bool) { self.name(name); bool(value) }
    public mutating func member(_ name: StaticString, _ value: Int) { self.name(name); integer(Int64(value)) }
    public mutating func member(_ name: StaticString, _ value: Int64) { self.name(name); integer(value) }
    public mutating func member<Kind>(_ name: StaticString, _ value: ID<Kind>) {
        self.name(name); digits(of: value)
    }
    public mutating func member(_ name: StaticString, _ value: Timestamp) { self.name(name); moment(value) }

    public mutating func member(_ name: StaticString, _ values: [String]) {
        self.name(name)
        array { json in for value in values { json.string(value) } }
    }

    /// Writes `null` for nil.
    public mutating func member(_ name: StaticString, _ value: String?) {
        self.name(name)
        if let value { string(value) } else { null() }
    }

    /// Writes `null` for nil.
    public mutating func member(_ name: StaticString, _ value: Int?) {
        self.name(name)
        if let value { integer(Int64(value)) } else { null() }
    }

    /// Writes `null` for nil.
    public mutating func member<Kind>(_ name: StaticString, _ value: ID<Kind>?) {
        self.name(name)
        if let value { digits(of: value) } else { null() }
    }

    /// Writes `null` for nil.
    public mutating func member(_ name: StaticString, _ value: Timestamp?) {
        self.name(name)
        if let value { moment(value) } else { null() }
    }

    public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    public mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        array(body)
    }

    /// Writes an array of objects, of each the members that `members` writes.
    public mutating func array<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        _ members: (inout JSONWriter, Element) -> Void
    ) {
        array(name) { json in for element in elements { json.object { json in members(&json, element) } } }
    }

    /// Writes bytes that are one JSON value already; for nil such a value as `absent`.
    public mutating func member(_ name: StaticString, written json: [UInt8]?, absent: StaticString = "null") {
        self.name(name)
        if let json { raw(json) } else { word(absent) }
    }

    public mutating func null(_ name: StaticString) { self.name(name); null() }

    public mutating func null() { word("null") }
    public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }
    public mutating func integer(_ value: Int64) { append(20) { json in json.append(decimal: value) } }

    private mutating func word(_ word: StaticString) {
        append(word.utf8CodeUnitCount) { json in
            json.append(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }
    }

    mutating func digits<Kind>(of id: ID<Kind>) {
        append(22) { json in
            json.append(UInt8(ascii: "\""))
            json.append(decimal: id.rawValue)
            json.append(UInt8(ascii: "\""))
        }
    }

    mutating func moment(_ moment: Timestamp) {
        append(Timestamp.capacity + 2) { json in
            json.append(UInt8(ascii: "\""))
            moment.writeRFC3339(to: &json)
            json.append(UInt8(ascii: "\""))
        }
    }

    /// Writes bytes that are one JSON value already.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// The same for bytes in another collection.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// Leaves a place for members of an object that has some already.
    public mutating func leaveHole() { holes.append(bytes.count) }

    /// Writes bytes that are one JSON value, with the same members in each of its holes.
    ///
    /// - Parameter members: each with a comma before it.
    public mutating func raw(_ json: [UInt8], filling holes: [Int], with members: [UInt8]) {
        separate()
        var written = 0
        for hole in holes {
            bytes.append(contentsOf: json[written..<hole])
            bytes.append(contentsOf: members)
            written = hole
        }
        bytes.append(contentsOf: json[written...])
        needsComma = true
    }

    public mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { string($0) }
    }

    /// Writes a text that is given as its bytes.
    public mutating func string(utf8: [UInt8]) { utf8.withUnsafeBufferPointer { string($0) } }

    private mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        JSONText.append(text, to: &bytes)
        needsComma = true
    }

    /// Writes up to so many bytes in place, after the comma that they need; a comma follows them.
    private mutating func append(_ capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        let needsComma = needsComma
        bytes.append(addingCapacity: capacity + 1) { json in
            if needsComma { json.append(UInt8(ascii: ",")) }
            body(&json)
        }
        self.needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }
}
