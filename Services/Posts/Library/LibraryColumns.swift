// SPDX-License-Identifier: Apache-2.0
// How values of shelves stand in columns.

package import Domain
public import Postgres

extension ReadingState: ColumnWord {}
extension RecordVisibility: ColumnWord {}

extension Rating: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { Int.postgresType }
    package func encode(into bytes: inout [UInt8]) { halves.encode(into: &bytes) }
    package init(cell: Cell) throws {
        guard let rating = Rating(halves: try Int(cell: cell)) else { throw cell.mismatch("not a rating") }
        self = rating
    }
}

extension ISBN: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { String.postgresType }
    package func encode(into bytes: inout [UInt8]) { text13.encode(into: &bytes) }
    package init(cell: Cell) throws {
        guard let isbn = ISBN(try String(cell: cell)) else { throw cell.mismatch("not an ISBN") }
        self = isbn
    }
}

extension PartialDate: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { String.postgresType }
    package func encode(into bytes: inout [UInt8]) { description.encode(into: &bytes) }
    package init(cell: Cell) throws {
        guard let date = PartialDate(try String(cell: cell)) else { throw cell.mismatch("not a date") }
        self = date
    }
}
