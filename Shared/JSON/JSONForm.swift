// SPDX-License-Identifier: Apache-2.0
// Values that are written as JSON and read again without Foundation.

public import Domain

/// A value with one form in JSON, that of `Codable`: the members of an object in the order of their names, without those that are nil, and no
/// white space. What another writes another way is for `JSONDecoder` to read.
public protocol JSONForm: Sendable {
    /// Whether its form has all of it; else it is for `JSONEncoder` to write.
    var hasForm: Bool { get }
    func write(to json: inout JSONWriter)
    init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch)
}

extension JSONForm {
    public var hasForm: Bool { true }
}

extension JSONWriter {
    /// A value as bytes; nil for one that has no form.
    public static func form(of value: Any) -> [UInt8]? {
        guard let form = value as? any JSONForm, form.hasForm else { return nil }
        var json = JSONWriter()
        form.write(to: &json)
        return json.bytes
    }

    public mutating func member(_ name: StaticString, _ value: some JSONForm) {
        self.name(name)
        value.write(to: &self)
    }

    /// Writes nothing for nil.
    public mutating func optional(_ name: StaticString, _ value: (some JSONForm)?) {
        if let value { member(name, value) }
    }
}

extension JSONFormReader {
    /// Reads a value of any type; nil for a type without a form, and for what is not in it.
    public static func value<Value>(
        _: Value.Type,
        from bytes: ArraySlice<UInt8>,
        by writer: Writer = .form
    ) -> Value? {
        // An optional type has no form, and nothing would pass for a value of it.
        guard let form = Value.self as? any JSONForm.Type, let value = form.value(from: bytes, by: writer) else {
            return nil
        }
        return value as? Value
    }
}

extension JSONForm {
    fileprivate static func value(from bytes: ArraySlice<UInt8>, by writer: JSONFormReader.Writer) -> Any? {
        try? JSONFormReader.read(Self.self, from: bytes, by: writer)
    }
}

extension JSONForm where Self: RawRepresentable<String> {
    public func write(to json: inout JSONWriter) { json.string(rawValue) }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        guard let value = Self(rawValue: try json.string()) else { throw JSONFormReader.Mismatch() }
        self = value
    }
}

extension String: JSONForm {
    public func write(to json: inout JSONWriter) { json.string(self) }
    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) { self = try json.string() }
}

extension Bool: JSONForm {
    public func write(to json: inout JSONWriter) { json.bool(self) }
    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) { self = try json.bool() }
}

extension Int: JSONForm {
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) { self = Int(try json.integer()) }
}

extension Int64: JSONForm {
    public func write(to json: inout JSONWriter) { json.integer(self) }
    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) { self = try json.integer() }
}

extension Array: JSONForm where Element: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.array { json in for element in self { element.write(to: &json) } }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        self = try json.array { (json) throws(JSONFormReader.Mismatch) in try Element(from: &json) }
    }
}

extension ID: JSONForm {
    public func write(to json: inout JSONWriter) { json.digits(of: self) }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        self = try json.ascii { ID(digits: $0) }
    }

    private init?(digits: ArraySlice<UInt8>) {
        guard (1...19).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int64(digit - 48))
            guard !isTooLarge, !overflows else { return nil }
            value = sum
        }
        self.init(value)
    }
}

extension Timestamp: JSONForm {
    public func write(to json: inout JSONWriter) { json.moment(self) }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        guard let moment = Timestamp(rfc3339: try json.string()) else { throw JSONFormReader.Mismatch() }
        self = moment
    }
}

extension Username: JSONForm {
    public func write(to json: inout JSONWriter) { json.string(text) }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        guard let name = Username(try json.string()) else { throw JSONFormReader.Mismatch() }
        self = name
    }
}

extension Visibility: JSONForm {}
extension Restriction: JSONForm {}
