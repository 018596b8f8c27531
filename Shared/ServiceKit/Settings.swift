// SPDX-License-Identifier: Apache-2.0
// Settings from the environment, all checked at the start.

/// Reads settings and collects what is wrong with them, so that a start names every bad variable at once.
///
/// A variable `NAME` may be given as `NAME_FILE`, a path whose content (without a trailing newline) is the value.
package struct Settings: Sendable {
    /// Thrown by `finish`: one line for each bad variable.
    package struct Invalid: Error, CustomStringConvertible {
        package let problems: [String]
        package var description: String { problems.joined(separator: "\n") }
    }

    package init(environment: [String: String]) { fatalError("stub") }

    /// The text of a variable. `secret` keeps the value out of `effective`.
    package mutating func string(_ name: String, default: String? = nil, secret: Bool = false, meaning: String) -> String { fatalError("stub") }
    package mutating func optional(_ name: String, secret: Bool = false, meaning: String) -> String? { fatalError("stub") }
    package mutating func integer(_ name: String, default: Int? = nil, in range: ClosedRange<Int>, meaning: String) -> Int { fatalError("stub") }
    package mutating func boolean(_ name: String, default: Bool? = nil, meaning: String) -> Bool { fatalError("stub") }
    /// One of the raw values of an enumeration.
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, default: Choice? = nil, meaning: String) -> Choice { fatalError("stub") }
    /// `host:port`.
    package mutating func address(_ name: String, default: String? = nil, meaning: String) -> (host: String, port: Int) { fatalError("stub") }
    /// A value parsed by `parse`; nil means bad, and `expected` says what it should be.
    package mutating func parsed<Value>(_ name: String, default: String? = nil, secret: Bool = false, expected: String, meaning: String, parse: (String) -> Value?) -> Value? { fatalError("stub") }

    /// Throws `Invalid` when any variable read so far was missing or bad.
    package func finish() throws { fatalError("stub") }

    /// Every setting read: name, effective value (secrets as `***`) and meaning.
    package var effective: [(name: String, value: String, meaning: String)] { fatalError("stub") }
}
