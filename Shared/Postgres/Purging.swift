// SPDX-License-Identifier: Apache-2.0
// How sweeps delete.

extension SQL {
    /// Deletes the first thousand rows of a table that meet a condition, or another portion, in the order of a column that has an
    /// index: no statement is large, and none looks at rows that stay.
    public static func deletingFirst(
        _ portion: SQL = "LIMIT 1000",
        of table: SQL,
        by key: SQL,
        where condition: SQL,
        inOrderOf column: SQL
    ) -> SQL {
        """
        DELETE FROM \(table)
        WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) ORDER BY \(column) \(portion))
        """
    }

    /// Deletes a thousand rows of a table, or fewer, beyond so many that are kept: those with the highest values of `column`,
    /// which has an index.
    public static func deletingBeyond(_ kept: Int, of table: SQL, by key: SQL, inOrderOf column: SQL) -> SQL {
        """
        DELETE FROM \(table)
        WHERE (\(key)) IN (SELECT \(key) FROM \(table) ORDER BY \(column) DESC OFFSET \(kept) LIMIT 1000)
        """
    }

    /// Deletes the rows of an owner beyond so many that are kept: those with the highest values of `column`, of which no two
    /// of the owner's are the same.
    public static func deletingBeyond(_ kept: Int, of table: SQL, where isOwned: SQL, inOrderOf column: SQL) -> SQL {
        """
        DELETE FROM \(table)
        WHERE \(isOwned) AND \(column) <= (
            SELECT \(column) FROM \(table) WHERE \(isOwned) ORDER BY \(column) DESC LIMIT 1 OFFSET \(kept)
        )
        """
    }
}
