// SPDX-License-Identifier: Apache-2.0
// A statement whose values are always bound.

/// One SQL statement, or a part of one. An interpolation is a bound value, never text:
/// `"SELECT id FROM posts WHERE id = \(id)"`; or another part, which keeps its own bound values.
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// With `$1`, `$2`… in place of the values.
    package let text: String
    package let binds: [Bind]

    package init(stringLiteral text: String) {
        self.text = text
        binds = []
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        binds = stringInterpolation.binds
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var binds: [Bind] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 3)
            binds.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            append(Bind(value))
        }

        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            append(Bind(value))
        }

        /// Puts a part here; its values are numbered behind those that came before.
        package mutating func appendInterpolation(_ part: SQL) {
            let before = binds.count
            var rest = part.text[...]
            while let dollar = rest.utf8.firstIndex(of: UInt8(ascii: "$")) {
                let digits = rest[rest.utf8.index(after: dollar)...].prefix { $0.isASCII && $0.isNumber }
                text += rest[...dollar]
                if let number = Int(digits) { text += String(before + number) }
                rest = rest[digits.endIndex...]
            }
            text += rest
            binds += part.binds
        }

        private mutating func append(_ bind: Bind) {
            binds.append(bind)
            text += "$"
            text += String(binds.count)
        }
    }
}

/// A bound value in PostgreSQL's binary format; nil bytes are NULL.
package struct Bind: Sendable {
    package let type: UInt32
    package let bytes: [UInt8]?

    package init<Value: PostgresEncodable>(_ value: Value?) {
        type = Value.postgresType
        bytes = value.map { value in
            var bytes: [UInt8] = []
            value.encode(into: &bytes)
            return bytes
        }
    }
}

/// A value that can be bound, with the OID of its type (pg_type.dat) and its binary form.
package protocol PostgresEncodable: Sendable {
    static var postgresType: UInt32 { get }
    func encode(into bytes: inout [UInt8])
}

/// A value that a column can be read as.
package protocol PostgresDecodable: NullReadable {
    /// Throws `cell.mismatch(…)` when the column has another type or a value out of range; the reader of the row
    /// turns it into `PostgresError.decoding`.
    init(cell: Cell) throws
}
