// SPDX-License-Identifier: Apache-2.0
// The SQL on lists of posts around one account: its own, its favourites, its bookmarks.

import Domain
import Postgres

/// Reads the lists of posts of one account.
enum PostListStore {
    /// Posts of an account that one request looks at, whether or not they match.
    private static let reach: SQL = "1000"

    /// What is left out of an account's posts.
    struct Filter: Sendable {
        var excludeReplies = false
        var excludeBoosts = false
        /// Only posts with this tag, in lower case.
        var tag: String?
        var onlyMedia = false
    }

    /// An account's posts and boosts that the viewer may see.
    static func posts(
        of account: AccountID,
        filter: Filter,
        viewer: AccountID?,
        page: Page,
        in database: some Querying
    ) async throws -> [ListedStatus] {
        let walk: SQL = """
            SELECT \(ListedStatus.columns), e.id AS place
            FROM (\(newest(of: account, onlyMedia: filter.onlyMedia, page: page))) e
            \(StatusEdition.joined)
            CROSS JOIN LATERAL (SELECT \(StatusEdition.told)) n
            \(ListedStatus.marked(by: viewer))
            WHERE \(Visible.post(by: "\(account)", "e.visibility", mentioning: "e.mentioned_ids", to: "\(viewer)"))
                AND (
                    e.boost_of_id IS NULL
                    OR NOT \(filter.excludeBoosts)
                    AND \(Visible.isShown("o.account_id", to: "\(viewer)"))
                )
                AND (
                    NOT \(filter.excludeReplies) OR e.in_reply_to_id IS NULL
                    OR e.in_reply_to_account_id = e.account_id
                )
                AND (\(filter.tag) IS NULL OR \(filter.tag) = ANY (e.tags))
            """
        return try await database.query(ListedStatus.page(page, of: walk)).all(ListedStatus.init(columns:))
    }

    /// Where `posts` ended looking, if there may be more behind.
    static func end(
        of account: AccountID,
        onlyMedia: Bool = false,
        page: Page,
        in database: some Querying
    ) async throws -> PostID? {
        let furthest: SQL = page.walksForward ? "max" : "min"
        let rows = try await database.query(
            "SELECT \(furthest)(id) FROM (\(newest(of: account, onlyMedia: onlyMedia, page: page))) e HAVING count(*) = \(reach)"
        )
        guard var columns = rows.first?.columns else { return nil }
        return try columns.next()
    }

    private static func newest(of account: AccountID, onlyMedia: Bool, page: Page) -> SQL {
        let hasMedia: SQL = onlyMedia ? "AND e.media IS NOT NULL" : ""
        return """
            SELECT \(StatusEdition.entry), e.in_reply_to_id, e.in_reply_to_account_id, e.tags
            FROM posts e
            WHERE e.account_id = \(account) AND e.deleted_at IS NULL AND \(page.holds("e.id")) \(hasMedia)
            ORDER BY e.id \(page.direction)
            LIMIT \(reach)
            """
    }

    /// The posts on top of an account's profile that the viewer may see, the newest pin first. They are few: the page cuts
    /// only by the ids of the posts.
    static func pinned(
        of account: AccountID,
        viewer: AccountID?,
        page: Page,
        in database: some Querying
    ) async throws -> [ListedStatus] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT p.id, p.pinned_id
                FROM posts p
                WHERE p.account_id = \(account) AND p.pinned_id IS NOT NULL AND p.deleted_at IS NULL
                    AND \(page.holds("p.id")) AND \(Visible.row("p", to: viewer))
                ORDER BY p.pinned_id DESC
                LIMIT \(page.limit)
            )
            SELECT \(ListedStatus.columns)
            FROM page
            \(ListedStatus.lookedUp(by: "page.id", for: viewer))
            ORDER BY page.pinned_id DESC
            """
        ).all(ListedStatus.init(columns:))
    }

    /// The posts that the viewer marked and may still see, with the ids by which the list is paged.
    static func marked(
        _ marks: Marks,
        of viewer: AccountID,
        page: Page,
        in database: some Querying
    ) async throws -> [PlacedStatus] {
        try await marked(marks, by: viewer, where: Visible.row("p", to: viewer), viewer: viewer, page, in: database)
    }

    /// The posts that somebody made favourites, as far as the viewer may see them and wants to.
    static func favourites(
        of owner: AccountID,
        viewer: AccountID?,
        page: Page,
        in database: some Querying
    ) async throws -> [PlacedStatus] {
        let isShown: SQL = """
            \(Visible.isShown("p.account_id", to: "\(viewer)"))
            AND \(Visible.row("p", to: viewer, blocked: "false"))
            """
        return try await marked(.favourites, by: owner, where: isShown, viewer: viewer, page, in: database)
    }

    private static func marked(
        _ marks: Marks,
        by owner: AccountID,
        where isShown: SQL,
        viewer: AccountID?,
        _ page: Page,
        in database: some Querying
    ) async throws -> [PlacedStatus] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT near.id, near.post_id
                FROM (
                    SELECT m.id, m.post_id
                    FROM \(marks.table) m
                    CROSS JOIN LATERAL (
                        SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
                        FROM posts p
                        WHERE p.id = m.post_id
                        OFFSET 0
                    ) p
                    WHERE m.account_id = \(owner) AND \(page.holds("m.id"))
                        AND p.deleted_at IS NULL
                        AND \(isShown)
                    ORDER BY m.id \(page.direction)
                    LIMIT 40
                ) near
                \(page.walk("near.id"))
            )
            SELECT page.id, \(ListedStatus.columns)
            FROM page
            \(ListedStatus.lookedUp(by: "page.post_id", for: viewer))
            ORDER BY page.id DESC
            """
        ).all(as: PlacedStatus.init)
    }
}
