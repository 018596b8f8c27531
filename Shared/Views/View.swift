// SPDX-License-Identifier: Apache-2.0
// What an answer shows, as JSON.

/// Whoever has a view writes it with `JSONWriter`.
@_exported public import JSON

/// A value that knows its JSON form.
package protocol View: Sendable {
    func write(to json: inout JSONWriter)
}

/// A value whose JSON form is an object.
package protocol ObjectView: View {
    func writeMembers(to json: inout JSONWriter)
}

extension ObjectView {
    package func write(to json: inout JSONWriter) { json.object { json in writeMembers(to: &json) } }
}

extension JSONWriter {
    package mutating func array(_ views: some Sequence<some View>) {
        array { json in for view in views { view.write(to: &json) } }
    }

    package mutating func member(_ name: StaticString, _ value: some View) {
        self.name(name); value.write(to: &self)
    }
    package mutating func member(_ name: StaticString, _ values: [some View]) {
        self.name(name); array(values)
    }

    package mutating func member<Value: View>(_ name: StaticString, _ value: Value?) {
        self.name(name)
        if let value { value.write(to: &self) } else { null() }
    }
}

/// A value whose JSON is written already.
package struct WrittenView: View {
    private let json: [UInt8]

    package init(_ view: some View) { json = view.json() }

    package func write(to writer: inout JSONWriter) { writer.raw(json) }
}

extension View {
    /// The JSON as bytes.
    package func json(capacity: Int = 1024) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(to: &writer)
        return writer.bytes
    }
}
