// SPDX-License-Identifier: Apache-2.0
// The rows of a result, read by position.

/// The rows of one statement's result.
package struct Rows: RandomAccessCollection, Sendable {
    package var startIndex: Int { 0 }
    package var endIndex: Int { fatalError("stub") }
    /// Rows that the statement inserted, updated, deleted or returned.
    package var affected: Int { fatalError("stub") }
    package subscript(position: Int) -> Row { fatalError("stub") }
}

/// One row. Columns are read from left to right: `var columns = row.columns; let id: PostID = try columns.next()`.
package struct Row: Sendable {
    package var columns: Columns { fatalError("stub") }
}

/// Reads the columns of a row from left to right; every error names the statement and the column.
package struct Columns {
    package mutating func next<Value: PostgresDecodable>(_: Value.Type = Value.self) throws -> Value { fatalError("stub") }
    /// Nil for NULL.
    package mutating func next<Value: PostgresDecodable>(_: Value?.Type = Value?.self) throws -> Value? { fatalError("stub") }
}
