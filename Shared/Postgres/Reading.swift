// SPDX-License-Identifier: Apache-2.0
// How types are read from rows.

/// The columns that a type is read from, in the order of its reader.
package struct ColumnList: Sendable {
    package let sql: SQL
    package let count: Int

    /// - Parameter columns: one each.
    package init(_ columns: SQL...) {
        sql = columns.dropFirst().reduce(columns.first ?? "") { "\($0), \($1)" }
        count = columns.count
    }

    private init(sql: SQL, count: Int) {
        self.sql = sql
        self.count = count
    }

    package static func + (left: ColumnList, right: ColumnList) -> ColumnList {
        ColumnList(sql: "\(left.sql), \(right.sql)", count: left.count + right.count)
    }
}

extension SQL.StringInterpolation {
    package mutating func appendInterpolation(_ list: ColumnList) { appendInterpolation(list.sql) }
}

extension Columns {
    /// Reads what an outer join may not have found: where the first of its columns is NULL, passes over them all and gives
    /// nil.
    package mutating func next<Value>(
        _ list: ColumnList,
        _ read: (inout Columns) throws -> Value
    ) throws -> Value? {
        guard isNull else { return try read(&self) }
        skip(list.count)
        return nil
    }
}

extension Rows {
    /// Every row, read from its first column on.
    package func all<Value>(_ read: (inout Columns) throws -> Value) throws -> [Value] {
        try map { row in
            var columns = row.columns
            return try read(&columns)
        }
    }

    /// The first row, if there is one.
    package func one<Value>(_ read: (inout Columns) throws -> Value) throws -> Value? {
        guard var columns = first?.columns else { return nil }
        return try read(&columns)
    }

    /// The only number of the only row.
    package func number() throws -> Int { try one { try $0.next() } ?? 0 }
}
