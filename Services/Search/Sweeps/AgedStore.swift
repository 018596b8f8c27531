// SPDX-License-Identifier: Apache-2.0
// What nobody needs any more.

import Domain
import Postgres
import Serving

enum AgedStore {
    static let documents = AgedRows(of: "documents", by: "kind, id", since: "changed_at", where: "gone")

    /// What has ended otherwise.
    static let ended = [
        AgedRows(of: "ties", by: "kind, account_id, target_id", since: "changed_at", where: "NOT active"),
        AgedRows(of: "memberships", by: "account_id, place_id", since: "changed_at", where: "NOT active"),
        AgedRows(of: "places", by: "id", since: "changed_at", where: "gone"),
        AgedRows(of: "shelved_books", by: "record_id", since: "changed_at", where: "NOT shown"),
    ]

    /// Who asked what.
    static let questions = [
        AgedRows(of: "askers", by: "query_id, asker_id", since: "asked_at"),
        AgedRows(of: "popular_queries", by: "query_id", since: "asked_at"),
    ]

    /// What goes with the days whose posts it tells of.
    static let days = [
        AgedRows(of: "uses", by: "post_id, kind, thing_id", since: "post_id"),
        AgedRows(of: "links", by: "id", since: "last_post_id"),
        AgedRows(of: "popular", by: "post_id", since: "post_id"),
    ]

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
