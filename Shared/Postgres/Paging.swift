// SPDX-License-Identifier: Apache-2.0
// One page of a list as a part of a statement: the only keyset clauses.

public import Domain

extension Page {
    /// Entries are older than this.
    public var ceiling: Int64 { before ?? .max }
    /// Entries are newer than this.
    public var floor: Int64 { after ?? since ?? 0 }
    /// Whether the page is the one next to `floor` instead of the newest one.
    public var walksForward: Bool { after != nil }

    /// Whether a row belongs to the part of the list that the page is cut from, by the column that orders the list.
    public func holds(_ column: SQL) -> SQL { "\(column) < \(ceiling) AND \(column) > \(floor)" }

    /// The direction in which the list is walked.
    public var direction: SQL { walksForward ? "ASC" : "DESC" }

    /// The end of a walk along the index of `column` that stops when the page is full: `WHERE … AND \(page.cut("id"))`.
    public func cut(_ column: SQL) -> SQL {
        "\(holds(column)) \(walk(column))"
    }

    /// The order and the end of such a walk.
    public func walk(_ column: SQL) -> SQL { "ORDER BY \(column) \(direction) LIMIT \(limit)" }
}

/// What orders a list by several columns, which are compared one after another and of which the last is unique.
public struct Keyset: Sendable {
    private let columns: [SQL]
    /// Whether what comes first has the lowest key.
    public let rises: Bool

    public init(_ columns: SQL..., rises: Bool = false) {
        self.columns = columns
        self.rises = rises
    }

    /// Whether the index is walked from its lowest key for a page.
    private func isAscending(_ page: Page) -> Bool { rises != page.walksForward }

    private func order(ascending: Bool) -> SQL {
        Keyset.list(ascending ? columns : columns.map { "\($0) DESC" })
    }

    /// The order of the list, for `ORDER BY`.
    public var order: SQL { order(ascending: rises) }

    /// The same from the lowest place to the highest.
    public var reverse: SQL { order(ascending: !rises) }

    /// The order in which a page is walked.
    public func walk(_ page: Page) -> SQL { order(ascending: isAscending(page)) }

    /// Whether a row belongs to the part of the list that a page is cut from.
    ///
    /// - Parameter key: the values of the columns, parted by commas, of the entry that a cursor names.
    public func holds(_ page: Page, key: (Int64) -> SQL) -> SQL {
        func beyond(_ id: Int64, rising: Bool) -> SQL {
            rising
                ? "(\(Keyset.list(columns))) > (\(key(id)))" : "(\(Keyset.list(columns))) < (\(key(id)))"
        }
        return switch (page.before, page.after ?? page.since) {
        case (nil, nil): "true"
        case (let before?, nil): beyond(before, rising: rises)
        case (nil, let after?): beyond(after, rising: !rises)
        case (let before?, let after?): "\(beyond(before, rising: rises)) AND \(beyond(after, rising: !rises))"
        }
    }

    private static func list(_ parts: [SQL]) -> SQL {
        parts.dropFirst().reduce(parts.first ?? "") { "\($0), \($1)" }
    }
}
