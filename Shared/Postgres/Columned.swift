// SPDX-License-Identifier: Apache-2.0
// Values that are read from rows.

/// A value that names the columns it is read from, in the order in which it reads them.
package protocol Columned: Sendable {
    static var columns: SQL { get }

    /// Reads `columns`, wherever they stand in a row.
    init(columns: inout Columns) throws
}

extension Columned {
    /// Reads a row that begins with `columns`.
    package init(row: Row) throws {
        var columns = row.columns
        try self.init(columns: &columns)
    }
}
