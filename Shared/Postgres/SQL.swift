// SPDX-License-Identifier: Apache-2.0
// A statement whose values are always bound.

/// One SQL statement, or a part of one. An interpolation is a bound value, never text:
/// `"SELECT id FROM posts WHERE id = \(id)"`; or another part, which keeps its own bound values.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// With `SQL.place` in place of each value: parts are put together on every call, so no number is written before the
    /// server needs it, once for each connection that prepares the statement.
    let form: String
    public let binds: [Bind]

    private static let place: Unicode.Scalar = "\u{1}"

    public init(stringLiteral text: String) {
        form = text
        binds = []
    }

    public init(stringInterpolation: StringInterpolation) {
        form = stringInterpolation.form
        binds = stringInterpolation.binds
    }

    /// With `$1`, `$2`… in place of the values.
    public var text: String {
        var number = 0
        return form.unicodeScalars.reduce(into: "") { text, scalar in
            guard scalar == SQL.place else { return text.unicodeScalars.append(scalar) }
            number += 1
            text += "$\(number)"
        }
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var form = ""
        fileprivate var binds: [Bind] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            form.reserveCapacity(literalCapacity + interpolationCount)
            binds.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { form += literal }

        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            append(Bind(value))
        }

        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            append(Bind(value))
        }

        /// Puts a part here, with its values.
        public mutating func appendInterpolation(_ part: SQL) {
            form += part.form
            binds += part.binds
        }

        private mutating func append(_ bind: Bind) {
            binds.append(bind)
            form.unicodeScalars.append(SQL.place)
        }
    }
}

/// A bound value in PostgreSQL's binary format; nil bytes are NULL.
public struct Bind: Sendable {
    public let type: UInt32
    public let bytes: [UInt8]?

    public init<Value: PostgresEncodable>(_ value: Value?) {
        type = Value.postgresType
        bytes = value.map { value in
            var bytes: [UInt8] = []
            value.encode(into: &bytes)
            return bytes
        }
    }
}

/// A value that can be bound, with the OID of its type (pg_type.dat) and its binary form.
public protocol PostgresEncodable: Sendable {
    static var postgresType: UInt32 { get }
    func encode(into bytes: inout [UInt8])
}

/// A value that a column can be read as.
public protocol PostgresDecodable: NullReadable {
    /// Throws `cell.mismatch(…)` when the column has another type or a value out of range; the reader of the row
    /// turns it into `PostgresError.decoding`.
    init(cell: Cell) throws
}
