// SPDX-License-Identifier: Apache-2.0
// An entry of a list, before what it shows is read.

import Domain
import Postgres
import Views

/// Which transactions wrote the rows that an entry is shown from: whoever writes one of these, for whatever reason, makes another
/// edition.
///
/// `xmin` (PostgreSQL, 5.5 System Columns); its numbers come again after four thousand million transactions, by when nothing
/// of today is kept.
struct StatusEdition: Columned, Hashable {
    private let entry: Int64
    private let post: Int64
    private let author: Int64
    private let booster: Int64?
    private let card: Int64?

    /// Of the row `n` that `lookedUp` joins.
    static let columns: SQL = "n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer"

    init(columns: inout Columns) throws {
        entry = try columns.next()
        post = try columns.next()
        author = try columns.next()
        booster = try columns.next()
        card = try columns.next()
    }

    /// What `joined`, and whoever judges who may see them, need of rows `e` of `posts`.
    static let entry: SQL = """
        e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
        e.favourites_count, e.boosts_count
        """

    /// Joins to entries `e` what else they are shown from: the boosted post `o`, the author `a`, the booster `b` and the card `c`.
    static let joined: SQL = """
        LEFT JOIN LATERAL (
            SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
            FROM posts p
            WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
            OFFSET 0
        ) o ON true
        CROSS JOIN LATERAL (
            SELECT w.xmin AS writer
            FROM accounts w
            WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
            OFFSET 0
        ) a
        LEFT JOIN LATERAL (
            SELECT w.xmin AS writer
            FROM accounts w
            WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
            OFFSET 0
        ) b ON true
        LEFT JOIN LATERAL (
            SELECT k.xmin AS writer
            FROM cards k
            WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
            OFFSET 0
        ) c ON true
        """

    /// What `n` is made of, where `joined` is there.
    static let told: SQL = """
        e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
        b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
        coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
        coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
        coalesce(o.boosts_count, e.boosts_count) AS boosts_count
        """

    /// Joins the editions `n` of an entry, looked up by themselves, as `StatusRow.lookedUp` does with the entry.
    ///
    /// - Parameter besides: what else is read of the rows of `joined`.
    static func lookedUp(by id: SQL, besides: SQL? = nil) -> SQL {
        """
        CROSS JOIN LATERAL (
            SELECT \(besides.map { "\(told), \($0)" } ?? told)
            FROM (
                SELECT \(entry)
                FROM posts e
                WHERE e.id = \(id) AND e.deleted_at IS NULL
            ) e
            \(joined)
            OFFSET 0
        ) n
        """
    }
}

/// An entry of a list by its edition, with what the viewer has done with it.
struct ListedStatus: Columned {
    let flags: StatusView.Viewer
    let entryID: PostID
    let edition: StatusEdition

    static let columns: SQL = "\(StatusRow.flags), n.entry_id, \(StatusEdition.columns)"

    init(columns: inout Columns) throws {
        flags = try StatusView.Viewer(columns: &columns)
        entryID = try columns.next()
        edition = try columns.next()
    }

    /// Joins what the viewer has done with the posts of `n`.
    static func marked(by viewer: AccountID?) -> SQL {
        "CROSS JOIN LATERAL viewer_marks(\(viewer), n.id, n.conversation_id, n.favourites_count, n.boosts_count) v"
    }

    /// Joins the entry with an id, and what the viewer has done with it.
    static func lookedUp(by id: SQL, for viewer: AccountID?) -> SQL {
        """
        \(StatusEdition.lookedUp(by: id))
        \(marked(by: viewer))
        """
    }

    /// The first entries of a walk along a list, at most a page, the newest first.
    ///
    /// - Parameter walk: with `columns` and, behind them, the `place` of each entry in the list.
    static func page(_ page: Page, of walk: SQL) -> SQL {
        """
        SELECT *
        FROM (\(first(page, of: walk))) page
        ORDER BY place DESC
        """
    }

    /// The first rows of a walk along a list by their `place`, at most a page.
    static func first(_ page: Page, of walk: SQL) -> SQL {
        """
        SELECT *
        FROM (\(walk) ORDER BY place \(page.direction) LIMIT 40) near
        \(page.walk("place"))
        """
    }

    /// The entries whose ids a statement chooses, at most a page, the newest first.
    static func page(_ page: Page, of chosen: SQL, viewer: AccountID?) -> SQL {
        """
        WITH page AS MATERIALIZED (
            \(chosen)
            \(page.walk("id"))
        )
        SELECT \(columns)
        FROM page
        \(lookedUp(by: "page.id", for: viewer))
        ORDER BY n.entry_id DESC
        """
    }
}

/// An entry with the number in front of it: the id by which its list is paged, or its place in a thread.
struct PlacedStatus: Sendable {
    let place: Int64
    let status: ListedStatus
}
