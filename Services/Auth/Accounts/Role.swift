// SPDX-License-Identifier: Apache-2.0
// Roles as they are stored.

import Domain
package import Postgres

extension Role: PostgresEncodable, PostgresDecodable {
    package static var postgresType: UInt32 { String.postgresType }

    package func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }

    package init(cell: Cell) throws {
        guard let role = Role(rawValue: try String(cell: cell)) else { throw cell.mismatch("not a role") }
        self = role
    }
}
