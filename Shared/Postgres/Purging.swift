// SPDX-License-Identifier: Apache-2.0
// How sweeps delete.

extension SQL {
    /// Deletes the first thousand rows of a table that meet a condition, in the order of a column that has an index: no
    /// statement is large, and none looks at rows that stay.
    package static func deletingFirst(
        of table: SQL,
        by key: SQL,
        where condition: SQL,
        inOrderOf column: SQL
    ) -> SQL {
        """
        DELETE FROM \(table)
        WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) ORDER BY \(column) LIMIT 1000)
        """
    }
}
