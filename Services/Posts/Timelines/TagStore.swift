// SPDX-License-Identifier: Apache-2.0
// The SQL on posts by their tags.

import Domain
import Postgres

/// A page of posts with tags, chosen among the entries of the tags that were looked at.
struct TagPage: Sendable {
    let ids: [PostID]
    /// Where looking ended before the page was full; nil when there is nothing further.
    let end: PostID?
}

enum TagStore {
    /// Entries of a tag that one request looks at, whether or not they match.
    private static let reach: SQL = "500"

    /// Chooses the newest page, or the page next to a known entry.
    ///
    /// The entries of one required tag are looked at, that of which there are fewest here, else those of each wanted
    /// one; the other tags are looked up in the same index, so that posts are read only for what matches.
    static func choose(_ tags: TagFilter, viewer: AccountID?, page: Page, in database: some Querying) async throws
        -> TagPage
    {
        let rows = try await database.query(statement(tags, viewer: viewer, page: page))
        var ids: [PostID] = []
        var end: PostID?
        for (id, isChosen) in try rows.all({ (try $0.next(PostID.self), try $0.next(Bool.self)) }) {
            if isChosen { ids.append(id) } else { end = id }
        }
        return TagPage(ids: ids, end: ids.count < page.limit ? end : nil)
    }

    private static func statement(_ tags: TagFilter, viewer: AccountID?, page: Page) -> SQL {
        let furthest: SQL = page.walksForward ? "max" : "min"
        let furthestFirst: SQL = page.walksForward ? "DESC" : "ASC"
        let entries: SQL = """
            FROM post_tags t
            WHERE t.tag = wanted.tag AND \(page.holds("t.post_id"))
            ORDER BY t.post_id \(page.direction)
            """
        let walked: SQL =
            tags.required.isEmpty
            ? "SELECT tag FROM unnest(\(tags.any)) wanted (tag)"
            : """
            SELECT wanted.tag
            FROM unnest(\(tags.required)) wanted (tag)
            ORDER BY (SELECT t.post_id \(entries) OFFSET \(reach) - 1 LIMIT 1) \(furthestFirst) NULLS FIRST
            LIMIT 1
            """
        let lookedAt: SQL = """
            SELECT DISTINCT near.post_id
            FROM (\(walked)) wanted
            CROSS JOIN LATERAL (SELECT t.post_id \(entries) LIMIT \(reach)) near
            ORDER BY near.post_id \(page.direction)
            LIMIT \(reach)
            """
        let hasMedia: SQL = tags.onlyMedia ? "AND p.media IS NOT NULL" : ""
        return """
            (
                SELECT near.post_id, true
                FROM (
                    SELECT l.post_id
                    FROM (\(lookedAt)) l
                    CROSS JOIN LATERAL (
                        SELECT p.account_id, p.visibility, p.deleted_at
                        FROM posts p
                        WHERE p.id = l.post_id \(hasMedia)
                        LIMIT 1
                    ) p
                    WHERE (\(number(of: tags.any))) > 0
                        AND (\(number(of: tags.all))) = cardinality(\(tags.all))
                        AND (\(number(of: tags.none))) = 0
                        AND p.deleted_at IS NULL AND p.visibility = 'public'
                        AND \(Visible.isListed("p.account_id", to: "\(viewer)"))
                    ORDER BY l.post_id \(page.direction)
                    LIMIT \(page.limit)
                ) near
                ORDER BY near.post_id DESC
            )
            UNION ALL
            SELECT \(furthest)(l.post_id), false FROM (\(lookedAt)) l HAVING count(*) = \(reach)
            """
    }

    /// How many of these tags the post that is looked at has.
    private static func number(of tags: [String]) -> SQL {
        "SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY (\(tags))"
    }
}
