// SPDX-License-Identifier: Apache-2.0
// One page of a list as a part of a statement: the only keyset clause.

package import Domain

extension Page {
    /// Entries are older than this.
    package var ceiling: Int64 { before ?? .max }
    /// Entries are newer than this.
    package var floor: Int64 { after ?? since ?? 0 }
    /// Whether the page is the one next to `floor` instead of the newest one.
    package var walksForward: Bool { after != nil }

    /// Whether a row belongs to the part of the list that the page is cut from, by the column that orders the list.
    package func holds(_ column: SQL) -> SQL { "\(column) < \(ceiling) AND \(column) > \(floor)" }

    /// The direction in which the list is walked.
    package var direction: SQL { walksForward ? "ASC" : "DESC" }

    /// The end of a walk along the index of `column` that stops when the page is full: `WHERE … AND \(page.cut("id"))`.
    package func cut(_ column: SQL) -> SQL {
        "\(holds(column)) \(walk(column))"
    }

    /// The order and the end of such a walk.
    package func walk(_ column: SQL) -> SQL { "ORDER BY \(column) \(direction) LIMIT \(limit)" }
}
