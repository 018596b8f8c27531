// SPDX-License-Identifier: Apache-2.0
// Values that are read from rows.

/// A value that is read from the columns of a row: from one, from those it names, or, where it is optional, perhaps from
/// none.
public protocol ColumnReadable: Sendable {
    static func read(_ columns: inout Columns) throws -> Self
}

/// A value of whose absence NULL tells.
public protocol NullReadable: ColumnReadable {
    /// Nil, and past its columns, for NULL.
    static func readIfPresent(_ columns: inout Columns) throws -> Self?
}

extension Optional: ColumnReadable where Wrapped: NullReadable {
    public static func read(_ columns: inout Columns) throws -> Wrapped? { try Wrapped.readIfPresent(&columns) }
}

/// A value that names the columns it is read from, in the order in which it reads them.
public protocol Columned: ColumnReadable {
    static var columns: SQL { get }

    init(columns: inout Columns) throws
}

extension Columned {
    public static func read(_ columns: inout Columns) throws -> Self { try Self(columns: &columns) }
}

extension Columns {
    public mutating func next<Value: ColumnReadable>(_: Value.Type = Value.self) throws -> Value {
        try Value.read(&self)
    }

    /// What `make` makes of the next columns, a value for each of its parameters, from left to right.
    public mutating func read<First: ColumnReadable, each Value: ColumnReadable, Whole>(
        _ make: (First, repeat each Value) -> Whole
    ) throws -> Whole { make(try First.read(&self), repeat try (each Value).read(&self)) }
}
