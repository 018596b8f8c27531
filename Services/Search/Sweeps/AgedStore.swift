// SPDX-License-Identifier: Apache-2.0
// What nobody needs any more.

import Domain
import Postgres

/// Tables whose rows go by their age.
enum AgedTable: String, Sendable, CaseIterable {
    case documents, ties, memberships, places, askers
    case queries = "popular_queries"
    case shelved = "shelved_books"

    fileprivate var table: SQL {
        switch self {
        case .documents: "documents"
        case .ties: "ties"
        case .memberships: "memberships"
        case .places: "places"
        case .askers: "askers"
        case .queries: "popular_queries"
        case .shelved: "shelved_books"
        }
    }

    fileprivate var key: SQL {
        switch self {
        case .documents: "kind, id"
        case .ties: "kind, account_id, target_id"
        case .memberships: "account_id, place_id"
        case .places: "id"
        case .askers: "query_id, asker_id"
        case .queries: "query_id"
        case .shelved: "record_id"
        }
    }

    fileprivate var moment: SQL { self == .askers || self == .queries ? "asked_at" : "changed_at" }

    /// Which rows may go at all.
    fileprivate var hasEnded: SQL {
        switch self {
        case .documents, .places: "gone AND "
        case .ties, .memberships: "NOT active AND "
        case .shelved: "NOT shown AND "
        case .askers, .queries: ""
        }
    }

    fileprivate func isOlder(than moment: Timestamp) -> SQL { "\(hasEnded)\(self.moment) < \(moment)" }
}

/// Tables whose rows go with the days that they tell of.
enum DayTable: String, Sendable, CaseIterable {
    case uses, links, popular

    fileprivate var table: SQL {
        switch self {
        case .uses: "uses"
        case .links: "links"
        case .popular: "popular"
        }
    }

    fileprivate var key: SQL {
        switch self {
        case .uses: "post_id, kind, thing_id"
        case .links: "id"
        case .popular: "post_id"
        }
    }

    fileprivate var post: SQL { self == .links ? "last_post_id" : "post_id" }
}

enum AgedStore {
    /// Removes some rows whose moment came before another.
    ///
    /// - Returns: how many.
    static func forget(_ aged: AgedTable, before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(of: aged.table, by: aged.key, where: aged.isOlder(than: moment), inOrderOf: aged.moment)
        ).affected
    }

    /// Removes some rows of posts before an id.
    ///
    /// - Returns: how many.
    static func forget(_ table: DayTable, before post: PostID, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(of: table.table, by: table.key, where: "\(table.post) < \(post)", inOrderOf: table.post)
        ).affected
    }

    /// Removes some of what was said in places that are gone.
    ///
    /// - Returns: how many.
    static func forgetDocumentsOfGonePlaces(in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM documents WHERE (kind, id) IN (
                SELECT d.kind, d.id FROM places p
                CROSS JOIN LATERAL (SELECT d.kind, d.id FROM documents d WHERE d.place_id = p.id LIMIT 1000) d
                WHERE p.gone
                LIMIT 1000
            )
            """
        ).affected
    }
}
