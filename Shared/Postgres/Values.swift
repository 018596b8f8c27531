// SPDX-License-Identifier: Apache-2.0
// The Swift types that PostgreSQL's types are bound from and read as.

package import Domain

// int8: Int, Int64, ID; int4: Int32; bool; text: String, Username, Visibility…; bytea: [UInt8];
// timestamptz: Timestamp; jsonb: JSONB; float8: Double; arrays of int8 and text.
// int2, int4 and int8 columns are all read as Int and Int64; text, varchar, name and "char" as String.

extension Int64: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 20 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Int: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 20 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Int32: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 23 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Double: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 701 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Bool: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 16 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension String: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 25 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Timestamp: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 1184 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension ID: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 20 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Username: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 25 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
extension Visibility: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { 25 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
/// bytea, int8[] and text[]: `[UInt8]`, `[Int64]`, `[ID]`, `[String]`.
extension Array: PostgresEncodable, PostgresDecodable where Element: PostgresArrayElement {
    package static var postgresType: UInt32 { Element.postgresArrayType }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
/// A value that can stand in an array; `UInt8` makes the array a bytea.
package protocol PostgresArrayElement: Sendable {
    static var postgresArrayType: UInt32 { get }
}
extension UInt8: PostgresArrayElement { package static var postgresArrayType: UInt32 { 17 } }
extension Int64: PostgresArrayElement { package static var postgresArrayType: UInt32 { 1016 } }
extension String: PostgresArrayElement { package static var postgresArrayType: UInt32 { 1009 } }
extension ID: PostgresArrayElement { package static var postgresArrayType: UInt32 { 1016 } }

/// A jsonb value as its JSON text.
package struct JSONB: PostgresEncodable, PostgresDecodable {
    package let json: [UInt8]
    package init(_ json: [UInt8]) { self.json = json }
    package static var postgresType: UInt32 { 3802 }
    package func encode(into bytes: inout [UInt8]) { fatalError("stub") }
    package init(cell: Cell) throws { fatalError("stub") }
}
