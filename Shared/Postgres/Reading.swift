// SPDX-License-Identifier: Apache-2.0
// How values are read from rows that are joined.

/// Columns that know how many they are.
public struct ColumnList: Sendable {
    public let sql: SQL
    public let count: Int

    private init(_ sql: SQL, _ count: Int) {
        self.sql = sql
        self.count = count
    }

    /// - Parameters:
    ///   - table: the name that the statement gives it.
    ///   - names: such as `id, name`.
    public init(_ table: StaticString, _ names: StaticString) {
        let names = "\(names)".split { ", \n".contains($0) }
        self.init(SQL(stringLiteral: names.map { "\(table).\($0)" }.joined(separator: ", ")), names.count)
    }

    /// One value that is no column, such as an `EXISTS`.
    public init(_ expression: SQL) { self.init(expression, 1) }

    public static func + (left: ColumnList, right: ColumnList) -> ColumnList {
        ColumnList("\(left.sql), \(right.sql)", left.count + right.count)
    }
}

/// A value that an outer join may not find: then, and only then, the first of its columns is NULL.
public protocol Joined: Columned, NullReadable {
    static var list: ColumnList { get }
}

extension Joined {
    public static var columns: SQL { list.sql }

    /// Throws when the reader and the list do not agree.
    public static func readIfPresent(_ columns: inout Columns) throws -> Self? {
        let end = columns.position + list.count
        guard !columns.isNull else {
            columns.position = end
            return nil
        }
        let value = try Self(columns: &columns)
        guard columns.position == end else {
            let reason = "\(Self.self) does not read its columns"
            throw PostgresError.decoding(statement: "", column: columns.position, reason)
        }
        return value
    }
}

extension Rows {
    /// Something of every row, read from its first column on.
    public func all<Value>(_ read: (inout Columns) throws -> Value) throws -> [Value] {
        try map { row in
            var columns = row.columns
            return try read(&columns)
        }
    }

    /// Something of the first row, if there is one.
    public func one<Value>(_ read: (inout Columns) throws -> Value) throws -> Value? {
        guard var columns = first?.columns else { return nil }
        return try read(&columns)
    }

    /// What `make` makes of every row, a value for each of its parameters, from left to right: for a row type whose
    /// properties stand in the order of its `columns`, its memberwise initializer.
    public func all<First: ColumnReadable, each Value: ColumnReadable, Whole>(
        as make: (First, repeat each Value) -> Whole
    ) throws -> [Whole] { try all { try $0.read(make) } }

    /// The same of the first row, if there is one.
    public func one<First: ColumnReadable, each Value: ColumnReadable, Whole>(
        as make: (First, repeat each Value) -> Whole
    ) throws -> Whole? { try one { try $0.read(make) } }

    /// The only number of the only row.
    public func number() throws -> Int { try one { try $0.next() } ?? 0 }
}
