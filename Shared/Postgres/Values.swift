// SPDX-License-Identifier: Apache-2.0
// The Swift types that PostgreSQL's types are bound from and read as.

public import Domain

// int8: Int, Int64, ID; int4: Int32; bool; text: String, Username, Visibility…; bytea: [UInt8];
// timestamptz: Timestamp; date: Day; jsonb: JSONB; float8: Double; arrays in Arrays.swift.
// int2, int4, int8, oid and xid columns are all read as Int and Int64; text, varchar, name and "char" as String.

/// The OIDs of pg_type.dat.
enum TypeOID {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let char: UInt32 = 18
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let xid: UInt32 = 28
    static let json: UInt32 = 114
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let unknown: UInt32 = 705
    static let bpchar: UInt32 = 1042
    static let varchar: UInt32 = 1043
    static let date: UInt32 = 1082
    static let timestamptz: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
}

extension FixedWidthInteger {
    /// Appends the number in network byte order.
    func appendBigEndian(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Nil unless the buffer has exactly this width.
    init?(bigEndianBytes buffer: UnsafeRawBufferPointer) {
        guard buffer.count == MemoryLayout<Self>.size else { return nil }
        self = Self(bigEndian: buffer.loadUnaligned(as: Self.self))
    }
}

extension Cell {
    /// The value of an integer column of any width.
    fileprivate func integer() throws -> Int64 {
        let value: Int64? = withBytes { buffer in
            switch type {
            case TypeOID.int8: Int64(bigEndianBytes: buffer)
            case TypeOID.int4: Int32(bigEndianBytes: buffer).map(Int64.init)
            case TypeOID.int2: Int16(bigEndianBytes: buffer).map(Int64.init)
            case TypeOID.oid, TypeOID.xid: UInt32(bigEndianBytes: buffer).map(Int64.init)
            default: nil
            }
        }
        guard let value else { throw mismatch("not an integer") }
        return value
    }
}

extension Int64: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.int8 }
    public func encode(into bytes: inout [UInt8]) { appendBigEndian(to: &bytes) }
    public init(cell: Cell) throws { self = try cell.integer() }
}

extension Int: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.int8 }
    public func encode(into bytes: inout [UInt8]) { Int64(self).appendBigEndian(to: &bytes) }
    public init(cell: Cell) throws { self = Int(try cell.integer()) }
}

extension Int32: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.int4 }
    public func encode(into bytes: inout [UInt8]) { appendBigEndian(to: &bytes) }
    public init(cell: Cell) throws {
        guard let value = Int32(exactly: try cell.integer()) else { throw cell.mismatch("beyond 32 bits") }
        self = value
    }
}

extension Double: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.float8 }
    public func encode(into bytes: inout [UInt8]) { bitPattern.appendBigEndian(to: &bytes) }
    public init(cell: Cell) throws {
        let value: Double? = cell.withBytes { buffer in
            switch cell.type {
            case TypeOID.float8: UInt64(bigEndianBytes: buffer).map(Double.init(bitPattern:))
            case TypeOID.float4: UInt32(bigEndianBytes: buffer).map { Double(Float(bitPattern: $0)) }
            default: nil
            }
        }
        guard let value else { throw cell.mismatch("not a floating-point number") }
        self = value
    }
}

extension Bool: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.bool }
    public func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    public init(cell: Cell) throws {
        guard cell.type == TypeOID.bool, let byte = cell.withBytes({ UInt8(bigEndianBytes: $0) }) else {
            throw cell.mismatch("not a boolean")
        }
        self = byte != 0
    }
}

extension String: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.text }
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
    public init(cell: Cell) throws {
        switch cell.type {
        case TypeOID.text, TypeOID.varchar, TypeOID.name, TypeOID.char, TypeOID.bpchar, TypeOID.unknown, TypeOID.json:
            self = cell.withBytes { String(decoding: $0, as: UTF8.self) }
        default: throw cell.mismatch("not a text")
        }
    }
}

extension Timestamp: PostgresEncodable, PostgresDecodable {
    /// PostgreSQL counts microseconds since 2000-01-01, in milliseconds since 1970.
    private static var epoch: Int64 { 946_684_800_000 }

    public static var postgresType: UInt32 { TypeOID.timestamptz }

    public func encode(into bytes: inout [UInt8]) {
        let (shifted, early) = milliseconds.subtractingReportingOverflow(Timestamp.epoch)
        let (microseconds, wide) = shifted.multipliedReportingOverflow(by: 1000)
        // The extremes themselves mean infinity; their neighbours are out of range, so that the server refuses them.
        let value = early || wide ? (milliseconds < 0 ? Int64.min + 1 : Int64.max - 1) : microseconds
        value.appendBigEndian(to: &bytes)
    }

    public init(cell: Cell) throws {
        guard cell.type == TypeOID.timestamptz, let microseconds = cell.withBytes({ Int64(bigEndianBytes: $0) }) else {
            throw cell.mismatch("not a timestamptz")
        }
        guard microseconds != .max, microseconds != .min else { throw cell.mismatch("an infinite time") }
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
        self.init(milliseconds: (remainder < 0 ? quotient - 1 : quotient) + Timestamp.epoch)
    }
}

extension Day: PostgresEncodable, PostgresDecodable {
    /// PostgreSQL counts days since 2000-01-01.
    private static var epoch: Int64 { 10_957 }

    public static var postgresType: UInt32 { TypeOID.date }
    public func encode(into bytes: inout [UInt8]) {
        Int32(truncatingIfNeeded: days - Day.epoch).appendBigEndian(to: &bytes)
    }
    public init(cell: Cell) throws {
        guard cell.type == TypeOID.date, let days = cell.withBytes({ Int32(bigEndianBytes: $0) }) else {
            throw cell.mismatch("not a date")
        }
        let since1970 = Int64(days) + Day.epoch
        self.init(days: since1970)
        guard self.days == since1970 else { throw cell.mismatch("a date beyond the years 1 to 9999") }
    }
}

extension ID: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.int8 }
    public func encode(into bytes: inout [UInt8]) { rawValue.appendBigEndian(to: &bytes) }
    public init(cell: Cell) throws { self.init(try cell.integer()) }
}

extension Username: PostgresEncodable, PostgresDecodable {
    public static var postgresType: UInt32 { TypeOID.text }
    public func encode(into bytes: inout [UInt8]) { text.encode(into: &bytes) }
    public init(cell: Cell) throws {
        guard let name = Username(try String(cell: cell)) else { throw cell.mismatch("not a username") }
        self = name
    }
}

/// One of some words, which is kept as text.
public protocol ColumnWord: RawRepresentable<String>, PostgresEncodable, PostgresDecodable {}

extension ColumnWord {
    public static var postgresType: UInt32 { TypeOID.text }
    public func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }
    public init(cell: Cell) throws {
        guard let word = Self(rawValue: try String(cell: cell)) else { throw cell.mismatch("not a \(Self.self)") }
        self = word
    }
}

extension Visibility: ColumnWord {}

/// A jsonb value as its JSON text.
public struct JSONB: PostgresEncodable, PostgresDecodable {
    public let json: [UInt8]
    public init(_ json: [UInt8]) { self.json = json }

    public static var postgresType: UInt32 { TypeOID.jsonb }

    public func encode(into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + json.count + 1)
        bytes.append(1)
        bytes.append(contentsOf: json)
    }

    public init(cell: Cell) throws {
        let json: [UInt8]? = cell.withBytes { buffer in
            switch cell.type {
            // The binary form of jsonb is a version and the text.
            case TypeOID.jsonb: buffer.first == 1 ? Array(buffer.dropFirst()) : nil
            case TypeOID.json: Array(buffer)
            default: nil
            }
        }
        guard let json else { throw cell.mismatch("not a jsonb") }
        self.json = json
    }
}
