// SPDX-License-Identifier: Apache-2.0
// bytea and PostgreSQL's arrays.

public import Domain

/// bytea, int8[], text[] and other arrays of one dimension: `[UInt8]`, `[Int64]`, `[ID]`, `[String]`…
extension Array: PostgresEncodable, PostgresDecodable, NullReadable, ColumnReadable
where Element: PostgresArrayElement {
    public static var postgresType: UInt32 { Element.postgresArrayType }
    public func encode(into bytes: inout [UInt8]) { Element.encodeArray(self, into: &bytes) }
    public init(cell: Cell) throws { self = try Element.decodeArray(cell) }
}

/// A value that can stand in an array; `UInt8` makes the array a bytea.
public protocol PostgresArrayElement: Sendable {
    static var postgresArrayType: UInt32 { get }
    static func encodeArray(_ elements: [Self], into bytes: inout [UInt8])
    static func decodeArray(_ cell: Cell) throws -> [Self]
}

extension UInt8: PostgresArrayElement {
    public static var postgresArrayType: UInt32 { TypeOID.bytea }
    public static func encodeArray(_ elements: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(contentsOf: elements)
    }
    public static func decodeArray(_ cell: Cell) throws -> [UInt8] {
        guard cell.type == TypeOID.bytea || cell.type == TypeOID.uuid else { throw cell.mismatch("not a bytea") }
        return cell.bytes
    }
}

extension Int64: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1016 } }
extension Int: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1016 } }
extension Int32: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1007 } }
extension Bool: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1000 } }
extension String: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1009 } }
extension ID: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1016 } }
extension Username: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1009 } }
extension Visibility: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1009 } }
extension Day: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1182 } }
extension Timestamp: PostgresArrayElement { public static var postgresArrayType: UInt32 { 1185 } }
extension JSONB: PostgresArrayElement { public static var postgresArrayType: UInt32 { 3807 } }
/// bytea[].
extension Array: PostgresArrayElement where Element == UInt8 {
    public static var postgresArrayType: UInt32 { 1001 }
}

extension PostgresArrayElement where Self: PostgresEncodable & PostgresDecodable {
    public static func encodeArray(_ elements: [Self], into bytes: inout [UInt8]) {
        Int32(elements.isEmpty ? 0 : 1).appendBigEndian(to: &bytes)  // dimensions
        Int32(0).appendBigEndian(to: &bytes)  // no NULL among them
        postgresType.appendBigEndian(to: &bytes)
        guard !elements.isEmpty else { return }
        Int32(truncatingIfNeeded: elements.count).appendBigEndian(to: &bytes)
        Int32(1).appendBigEndian(to: &bytes)  // the first index
        for element in elements {
            let start = bytes.count
            Int32(0).appendBigEndian(to: &bytes)
            element.encode(into: &bytes)
            let length = UInt32(truncatingIfNeeded: bytes.count - start - 4)
            bytes[start] = UInt8(truncatingIfNeeded: length >> 24)
            bytes[start + 1] = UInt8(truncatingIfNeeded: length >> 16)
            bytes[start + 2] = UInt8(truncatingIfNeeded: length >> 8)
            bytes[start + 3] = UInt8(truncatingIfNeeded: length)
        }
    }

    public static func decodeArray(_ cell: Cell) throws -> [Self] {
        try cell.withBytes { buffer in
            var rest = buffer[...]
            func number() throws -> Int32 {
                guard rest.count >= 4,
                    let value = Int32(bigEndianBytes: UnsafeRawBufferPointer(rebasing: rest.prefix(4)))
                else { throw cell.mismatch("not an array") }
                rest = rest.dropFirst(4)
                return value
            }
            let dimensions = try number()
            _ = try number()
            let type = UInt32(bitPattern: try number())
            guard dimensions != 0 else { return [] }
            guard dimensions == 1 else { throw cell.mismatch("an array of \(dimensions) dimensions") }
            let count = try number()
            _ = try number()
            guard count >= 0, Int(count) <= rest.count / 4 else { throw cell.mismatch("not an array") }
            var elements: [Self] = []
            elements.reserveCapacity(Int(count))
            for _ in 0..<count {
                let length = Int(try number())
                guard length >= 0 else { throw cell.mismatch("NULL in an array") }
                guard length <= rest.count else { throw cell.mismatch("not an array") }
                elements.append(
                    try Self(cell: cell.element(type, UnsafeRawBufferPointer(rebasing: rest.prefix(length))))
                )
                rest = rest.dropFirst(length)
            }
            return elements
        }
    }
}
