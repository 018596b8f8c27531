// SPDX-License-Identifier: Apache-2.0
// What an index is asked, and what it answers.

package import Domain

package enum SearchOrder: Sendable {
    case newest
    /// By closeness, popularity and age, of a bounded number of the newest that match.
    case relevance
}

package struct SearchRequest: Sendable {
    package var kind: SearchKind
    /// Nil for somebody who is not signed in.
    package var viewer: AccountID?
    package var query: SearchQuery
    /// Besides those of `query`, which are found by their names.
    package var author: AccountID?
    /// Channels or playgrounds to look in; all for none.
    package var places: [Int64] = []
    package var order = SearchOrder.relevance
    /// From 1 to 80.
    package var limit = 20
    /// Ids older than this, for `max_id`.
    package var before: Int64?
    /// Ids newer than this.
    package var after: Int64?
    package var cursor: SearchCursor?

    package init(_ kind: SearchKind, _ query: SearchQuery, viewer: AccountID?) {
        self.kind = kind
        self.query = query
        self.viewer = viewer
    }
}

package struct SearchHit: Hashable, Sendable {
    package let id: Int64
    /// What it was found in.
    package let text: String
    /// What to mark in `text`, in UTF-8, in order and apart.
    package let highlights: [Range<Int>]
}

package struct SearchPage: Sendable {
    package let hits: [SearchHit]
    /// Nil at the end.
    package let next: SearchCursor?
    /// Whether time ran out before all was looked at: there may be more.
    package let isCut: Bool
}

/// Where a page ended. What is put in meanwhile moves nothing: it is newer than `ceiling`, below which the walk goes on.
package struct SearchCursor: Hashable, Sendable, CustomStringConvertible {
    let ceiling: Int64
    /// How the last one of the page stood; nil for the beginning of what lies below `ceiling`.
    let last: Place?
    /// Whether what only nearly matches is shown as well.
    let isLoose: Bool

    struct Place: Hashable, Sendable, Comparable {
        let score: Int64
        let id: Int64

        static func < (left: Self, right: Self) -> Bool { (left.score, left.id) < (right.score, right.id) }
    }

    init(ceiling: Int64, last: Place?, isLoose: Bool) {
        self.ceiling = ceiling
        self.last = last
        self.isLoose = isLoose
    }

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let ceiling = Int64(parts[0]), let score = Int64(parts[1]), let id = Int64(parts[2]),
            ["0", "1"].contains(parts[3])
        else { return nil }
        self.init(ceiling: ceiling, last: id == 0 ? nil : Place(score: score, id: id), isLoose: parts[3] == "1")
    }

    package var description: String { "\(ceiling).\(last?.score ?? 0).\(last?.id ?? 0).\(isLoose ? 1 : 0)" }
}

package struct NameRequest: Sendable {
    package var text: String
    package var kinds: [SearchKind]
    package var viewer: AccountID?
    package var limit = 20

    package init(_ text: String, _ kinds: [SearchKind], viewer: AccountID?, limit: Int = 20) {
        self.limit = limit
        self.text = text
        self.kinds = kinds
        self.viewer = viewer
    }
}
