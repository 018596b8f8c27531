// SPDX-License-Identifier: Apache-2.0
// Who may find what: the one place.

import Domain
import Postgres

/// Public posts of people who allow searching; one's own; those that name one; followers' posts of whom one follows; messages of
/// places in which one is now. Nothing of who is gone, and nothing between people of whom one has blocked the other.
///
/// Scalar subqueries by primary keys, because the planner would make a table of all people of an EXISTS below an OR, at every query.
/// Blocks are few, so they are read once a statement and not twice a document.
enum Visible {
    /// Whether the document `d` may be shown.
    static func to(_ viewer: AccountID?) -> SQL {
        guard let viewer else {
            return """
                coalesce((
                    SELECT NOT a.gone AND (d.audience = 0 OR d.audience = 1 AND a.indexable) FROM accounts a WHERE a.id = d.author_id
                ), d.audience = 0)
                """
        }
        return """
            coalesce((
                SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = \(viewer) OR d.people @> ARRAY[\(viewer)])
                FROM accounts a WHERE a.id = d.author_id
            ), d.audience <> 1 OR d.author_id = \(viewer) OR d.people @> ARRAY[\(viewer)])
            AND (
                d.audience < 2
                OR d.audience < 5 AND (d.author_id = \(viewer) OR d.people @> ARRAY[\(viewer)])
                OR d.audience = 3 AND coalesce((
                    SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = \(viewer) AND t.target_id = d.author_id
                ), false)
                OR d.audience = 5 AND coalesce((
                    SELECT m.active FROM memberships m WHERE m.account_id = \(viewer) AND m.place_id = d.place_id
                ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
            )
            AND coalesce(d.author_id NOT IN (
                SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = \(viewer) AND t.active
                UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = \(viewer) AND t.active
            ), true)
            """
    }
}
