// SPDX-License-Identifier: Apache-2.0
// Whom somebody might follow.

import Domain
import Postgres

enum SuggestionStore {
    /// Accounts that most of those follow whom one follows, best first; of each a bounded number is looked at. Whom somebody
    /// follows who keeps that to themselves is not counted.
    static func friendsOfFriends(of viewer: AccountID, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            """
            SELECT c.id FROM (
                SELECT s.target_id AS id, count(*) AS friends FROM (
                    SELECT t.target_id FROM ties t
                    JOIN accounts f ON f.id = t.target_id AND NOT f.hides_follows AND NOT f.gone
                    WHERE t.kind = 1 AND t.account_id = \(viewer) AND t.active
                    LIMIT 200
                ) f
                CROSS JOIN LATERAL (
                    SELECT t.target_id FROM ties t WHERE t.kind = 1 AND t.account_id = f.target_id AND t.active LIMIT 100
                ) s
                GROUP BY s.target_id
                ORDER BY friends DESC
                LIMIT 400
            ) c
            JOIN accounts a ON a.id = c.id
            WHERE \(suits(viewer))
            ORDER BY c.friends DESC, a.followers DESC, a.id DESC
            LIMIT 80
            """
        ).all { try $0.next() }
    }

    /// The accounts that most follow, first those that speak a language of the viewer's.
    static func mostFollowed(for viewer: AccountID, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            """
            SELECT a.id FROM (
                SELECT a.id, a.gone, a.is_suggested, a.followers, a.language, a.languages FROM accounts a
                WHERE a.is_suggested AND NOT a.gone
                ORDER BY a.followers DESC, a.id DESC
                LIMIT 400
            ) a
            LEFT JOIN accounts v ON v.id = \(viewer)
            WHERE \(suits(viewer))
            ORDER BY (a.language <> '' AND a.language = v.language OR a.languages && v.languages
                OR a.languages @> ARRAY[v.language]) IS TRUE DESC, a.followers DESC, a.id DESC
            LIMIT 80
            """
        ).all { try $0.next() }
    }

    /// Whether the account `a` may be suggested: not oneself, and nobody with whom there is something already.
    private static func suits(_ viewer: AccountID) -> SQL {
        """
        a.id <> \(viewer) AND a.is_suggested AND NOT a.gone
            AND NOT EXISTS (
                SELECT FROM ties t
                WHERE t.kind IN (1, 2, 3, 4, 5) AND t.account_id = \(viewer) AND t.target_id = a.id AND t.active
            )
            AND NOT EXISTS (
                SELECT FROM ties t WHERE t.kind = 2 AND t.account_id = a.id AND t.target_id = \(viewer) AND t.active
            )
        """
    }
}
