// SPDX-License-Identifier: Apache-2.0
// The SQL on lists of posts by many accounts: home and public timelines.

import Domain
import Postgres

/// Reads timelines.
///
/// A page is walked along an index in the order of the list, with the editions of what it shows (`KeptStatuses`).
/// The constant `LIMIT 40`, the longest page there is, tells the planner what the bound limit cannot: that few rows
/// are wanted. Likewise `LIMIT 1` of a row that is one by its key: popular accounts are few, so each is looked up among
/// the viewer's follows, however many those are and whatever the statistics say.
enum TimelineStore {
    /// What fan-out brought, and the posts of popular accounts that the viewer follows, where anybody is popular; direct posts
    /// only of those, and no boost of what was shown shortly before.
    static func home(
        of viewer: AccountID,
        anybodyIsPopular: Bool,
        page: Page,
        in database: some Querying
    ) async throws -> [ListedStatus] {
        let statement: SQL
        if anybodyIsPopular {
            let ofOthers = ListedStatus.first(page, of: broughtByFanout("t.post_id AS place", "", to: viewer, page))
            let chosen: SQL =
                "(SELECT place AS id FROM (\(ofOthers)) near) UNION (\(ofPopularAccounts(to: viewer, page)))"
            statement = ListedStatus.page(page, of: chosen, viewer: viewer)
        } else {
            let columns: SQL = "\(ListedStatus.columns), t.post_id AS place"
            let walk = broughtByFanout(columns, ListedStatus.marked(by: viewer), to: viewer, page)
            statement = ListedStatus.page(page, of: walk)
        }
        return try await database.query(statement).all(ListedStatus.init(columns:))
    }

    /// - Parameters:
    ///   - columns: of the timeline `t` and its entries `n`.
    ///   - joined: what else `columns` need.
    private static func broughtByFanout(_ columns: SQL, _ joined: SQL, to viewer: AccountID, _ page: Page) -> SQL {
        let reader: SQL = "\(viewer)"
        // Asked of private and direct posts and of boosts alone.
        let follow: SQL = "FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = t.author_id OFFSET 0"
        let follows: SQL = "EXISTS (SELECT \(follow))"
        return """
            SELECT \(columns)
            FROM timeline t
            \(StatusEdition.lookedUp(by: "t.post_id", besides: judged))
            \(joined)
            WHERE t.account_id = \(viewer) AND \(page.holds("t.post_id"))
                AND \(Visible.isShown("t.author_id", to: reader))
                AND \(Visible.row("n", to: viewer, blocked: "false", follows: follows))
                AND (n.visibility <> 'direct' OR \(follows) OR n.account_id = \(viewer))
                AND (
                    n.boost_of_id IS NULL
                    OR (SELECT f.show_boosts \(follow)) IS NOT FALSE AND \(Visible.isShown("n.boosted_account_id", to: reader))
                        AND NOT \(Repeated.boost("n.entry_id", of: "n.boost_of_id", to: reader))
                )
            """
    }

    /// By what it is judged whether an entry is shown.
    private static let judged: SQL =
        "e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, o.account_id AS boosted_account_id"

    /// Posts of popular accounts that the viewer follows, as fan-out would have chosen them.
    private static func ofPopularAccounts(to viewer: AccountID, _ page: Page) -> SQL {
        """
        SELECT near.id
        FROM popular_accounts l
        CROSS JOIN LATERAL (
            SELECT f.languages, f.show_boosts
            FROM follows f
            WHERE f.follower_id = \(viewer) AND f.followee_id = l.account_id
            LIMIT 1
        ) f
        CROSS JOIN LATERAL (
            SELECT e.id
            FROM posts e
            LEFT JOIN LATERAL (SELECT p.account_id FROM posts p WHERE p.id = e.boost_of_id OFFSET 0) p ON true
            WHERE e.account_id = l.account_id AND e.deleted_at IS NULL AND \(page.holds("e.id"))
                AND e.visibility <> 'direct'
                AND (e.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR e.language IS NULL)
                AND (
                    e.boost_of_id IS NULL
                    OR f.show_boosts AND \(Visible.isShown("p.account_id", to: "\(viewer)"))
                        AND NOT \(Repeated.boost("e.id", of: "e.boost_of_id", to: "\(viewer)"))
                )
                AND (
                    e.in_reply_to_account_id IS NULL
                    OR e.in_reply_to_account_id IN (e.account_id, \(viewer))
                    OR EXISTS (
                        SELECT FROM follows r
                        WHERE r.follower_id = \(viewer) AND r.followee_id = e.in_reply_to_account_id
                    )
                )
            ORDER BY e.id \(page.direction)
            LIMIT 40
        ) near
        WHERE \(Visible.isShown("l.account_id", to: "\(viewer)"))
        """
    }

    static func anybodyIsPopular(in database: some Querying) async throws -> Bool {
        try await !database.query("SELECT FROM popular_accounts LIMIT 1").isEmpty
    }

    /// Those whose posts a home timeline reads.
    static func popularAccounts(followedBy viewer: AccountID, in database: some Querying) async throws -> [AccountID] {
        try await database.query(
            """
            SELECT l.account_id
            FROM popular_accounts l
            WHERE EXISTS (
                SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = l.account_id OFFSET 0
            )
            """
        ).all { try $0.next() }
    }

    /// Public posts of everyone that are not replies to others.
    static func everyones(
        viewer: AccountID?,
        onlyMedia: Bool = false,
        page: Page,
        in database: some Querying
    ) async throws -> [ListedStatus] {
        let hasMedia: SQL = onlyMedia ? "AND p.media IS NOT NULL" : ""
        let chosen: SQL = """
            SELECT near.id
            FROM (
                SELECT p.id
                FROM posts p
                WHERE p.visibility = 'public' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
                    AND (p.in_reply_to_id IS NULL OR p.in_reply_to_account_id = p.account_id)
                    AND \(page.holds("p.id")) \(hasMedia)
                    AND \(Visible.isListed("p.account_id", to: "\(viewer)"))
                ORDER BY p.id \(page.direction)
                LIMIT 40
            ) near
            """
        let statement = ListedStatus.page(page, of: chosen, viewer: viewer)
        return try await database.query(statement).all(ListedStatus.init(columns:))
    }
}
