// SPDX-License-Identifier: Apache-2.0
// What an answer shows, as JSON.

/// Whoever has a view writes it with `JSONWriter`.
@_exported public import JSON

/// A value that knows its JSON form.
public protocol View: Sendable {
    func write(to json: inout JSONWriter)
}

/// A value whose JSON form is an object.
public protocol ObjectView: View {
    func writeMembers(to json: inout JSONWriter)
}

extension ObjectView {
    public func write(to json: inout JSONWriter) { json.object { json in writeMembers(to: &json) } }
}

extension JSONWriter {
    public mutating func array(_ views: some Sequence<some View>) {
        array { json in for view in views { view.write(to: &json) } }
    }

    public mutating func member(_ name: StaticString, _ value: some View) {
        self.name(name); value.write(to: &self)
    }
    public mutating func member(_ name: StaticString, _ values: [some View]) {
        self.name(name); array(values)
    }

    public mutating func member<Value: View>(_ name: StaticString, _ value: Value?) {
        self.name(name)
        if let value { value.write(to: &self) } else { null() }
    }
}

/// A value whose JSON is written already.
public struct WrittenView: View {
    private let json: [UInt8]

    public init(_ view: some View) { json = view.json() }

    public func write(to writer: inout JSONWriter) { writer.raw(json) }
}

extension View {
    /// The JSON as bytes.
    public func json(capacity: Int = 1024) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(to: &writer)
        return writer.bytes
    }
}
