// SPDX-License-Identifier: Apache-2.0
// What somebody may do to others here.

import Postgres

/// Given by an operator at the command line; the raw values are those of `accounts.role`.
enum Role: String, CaseIterable, Sendable {
    case user
    case moderator
    case admin
}

extension Role: PostgresEncodable, PostgresDecodable {
    static var postgresType: UInt32 { String.postgresType }

    func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }

    init(cell: Cell) throws {
        guard let role = Role(rawValue: try String(cell: cell)) else { throw cell.mismatch("not a role") }
        self = role
    }
}
