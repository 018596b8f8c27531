// SPDX-License-Identifier: Apache-2.0
// The rows of a result, read by position.

internal import CPostgres

/// The memory of one result; libpq allows several threads to read it at once as long as nobody changes it.
final class ResultMemory: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Nil where rows are text, which has no type to be wrong.
    let statement: SQL?
    let rows: Int32
    let columns: Int32

    /// Takes over the result.
    init(_ pointer: OpaquePointer, statement: SQL?) {
        self.pointer = pointer
        self.statement = statement
        rows = PQntuples(pointer)
        columns = PQnfields(pointer)
    }

    deinit { PQclear(pointer) }
}

/// The rows of one statement's result.
public struct Rows: RandomAccessCollection, Sendable {
    private let memory: ResultMemory?
    private let total: Int
    /// Rows that the statement inserted, updated, deleted or returned.
    public let affected: Int

    init(_ memory: ResultMemory) {
        self.memory = memory
        total = Int(memory.rows)
        affected = Int(cString: PQcmdTuples(memory.pointer)) ?? total
    }

    init(affected: Int) {
        memory = nil
        total = 0
        self.affected = affected
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { total }
    public subscript(position: Int) -> Row { Row(memory: memory, position: position) }
}

extension Int {
    /// A number of libpq's, which is empty when there is none.
    init?(cString: UnsafePointer<CChar>?) {
        guard let cString, let number = Int(String(cString: cString)) else { return nil }
        self = number
    }
}

/// One row. Columns are read from left to right: `var columns = row.columns; let id: PostID = try columns.next()`.
public struct Row: Sendable {
    fileprivate let memory: ResultMemory?
    fileprivate let position: Int

    public var columns: Columns { Columns(memory: memory, row: position) }
}

/// Reads the columns of a row from left to right; every error names the statement and the column.
public struct Columns {
    private let memory: ResultMemory?
    private let row: Int
    private var column: Int32 = 0

    fileprivate init(memory: ResultMemory?, row: Int) {
        self.memory = memory
        self.row = row
    }

    fileprivate mutating func value<Value: PostgresDecodable>() throws -> Value {
        guard let cell = try nextCell() else { throw misread("NULL where a \(Value.self) was expected") }
        return try decode(cell)
    }

    fileprivate mutating func valueIfPresent<Value: PostgresDecodable>() throws -> Value? {
        guard let cell = try nextCell() else { return nil }
        return try decode(cell)
    }

    private func decode<Value: PostgresDecodable>(_ cell: Cell) throws -> Value {
        do { return try Value(cell: cell) } catch { throw misread(error) }
    }

    /// Whether the next column is NULL; false for one that is not there, which its reader complains of.
    var isNull: Bool {
        guard let memory, row >= 0, row < Int(memory.rows), column < memory.columns else { return false }
        return PQgetisnull(memory.pointer, Int32(row), column) != 0
    }

    /// How many columns have been read.
    var position: Int {
        get { Int(column) }
        set { column = Int32(newValue) }
    }

    private mutating func nextCell() throws -> Cell? {
        guard let memory, row >= 0, row < Int(memory.rows), column < memory.columns else {
            throw failure(column + 1, "there is no such column or row")
        }
        defer { column += 1 }
        let row = Int32(self.row)
        let count = Int(PQgetlength(memory.pointer, row, column))
        // NULL has no length.
        guard count > 0 || PQgetisnull(memory.pointer, row, column) == 0,
            let start = PQgetvalue(memory.pointer, row, column)
        else { return nil }
        return Cell(
            type: PQftype(memory.pointer, column),
            memory: memory,
            buffer: UnsafeRawBufferPointer(start: start, count: count)
        )
    }

    /// What is wrong with the column that was read last.
    private func misread(_ reason: String) -> any Error { failure(column, reason) }

    private func misread(_ error: any Error) -> any Error {
        failure(column, (error as? Cell.Mismatch)?.reason ?? "\(error)")
    }

    private func failure(_ column: Int32, _ reason: String) -> PostgresError {
        .decoding(statement: memory?.statement?.text ?? "", column: Int(column), reason)
    }
}

extension PostgresDecodable {
    public static func read(_ columns: inout Columns) throws -> Self { try columns.value() }
    public static func readIfPresent(_ columns: inout Columns) throws -> Self? {
        try columns.valueIfPresent()
    }
}

/// One column of one row: its type and its bytes, never NULL.
public struct Cell {
    /// The OID of the column's type.
    public let type: UInt32
    private let memory: ResultMemory
    private let buffer: UnsafeRawBufferPointer

    fileprivate init(type: UInt32, memory: ResultMemory, buffer: UnsafeRawBufferPointer) {
        self.type = type
        self.memory = memory
        self.buffer = buffer
    }

    /// A copy of the value in PostgreSQL's binary format.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// Reads the value in place; the buffer must not leave `body`.
    public func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try withExtendedLifetime(memory) { try body(buffer) }
    }

    /// An element of this array, in the same memory.
    func element(_ type: UInt32, _ buffer: UnsafeRawBufferPointer) -> Cell {
        Cell(type: type, memory: memory, buffer: buffer)
    }

    /// What `init(cell:)` throws when the value cannot be read.
    public func mismatch(_ reason: String) -> any Error { Mismatch(reason: "\(reason) (type \(type))") }

    struct Mismatch: Error {
        let reason: String
    }
}
