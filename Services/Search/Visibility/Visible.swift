// SPDX-License-Identifier: Apache-2.0
// Who may find what: the one place.

import Domain
import Postgres

/// Public posts of people who allow searching; one's own; those that name one; followers' posts of whom one follows; messages of
/// places in which one is now. Nothing of who is gone, and nothing between people of whom one has blocked the other.
enum Visible {
    /// Whether the document `d` may be shown.
    static func to(_ viewer: AccountID?) -> SQL {
        guard let viewer else {
            return """
                NOT EXISTS (SELECT FROM accounts a WHERE a.id = d.author_id AND a.gone)
                AND (d.audience = 0 OR d.audience = 1 AND EXISTS (SELECT FROM accounts a WHERE a.id = d.author_id AND a.indexable))
                """
        }
        return """
            NOT EXISTS (SELECT FROM accounts a WHERE a.id = d.author_id AND a.gone)
            AND (
                d.audience = 0
                OR d.audience = 1 AND EXISTS (SELECT FROM accounts a WHERE a.id = d.author_id AND a.indexable)
                OR d.audience < 5 AND (d.author_id = \(viewer) OR d.people @> ARRAY[\(viewer)])
                OR d.audience = 3 AND EXISTS (
                    SELECT FROM ties t WHERE t.kind = 1 AND t.account_id = \(viewer) AND t.target_id = d.author_id AND t.active
                )
                OR d.audience = 5 AND EXISTS (
                    SELECT FROM memberships m WHERE m.account_id = \(viewer) AND m.place_id = d.place_id AND m.active
                )
            )
            AND NOT EXISTS (
                SELECT FROM ties t WHERE t.kind = 2 AND t.account_id = \(viewer) AND t.target_id = d.author_id AND t.active
            )
            AND NOT EXISTS (
                SELECT FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = \(viewer) AND t.active
            )
            """
    }
}
