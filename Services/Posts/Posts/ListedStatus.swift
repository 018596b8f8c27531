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

    /// Of the view `entry_editions n`.
    static let columns: SQL = "n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer"

    init(columns: inout Columns) throws {
        entry = try columns.next()
        post = try columns.next()
        author = try columns.next()
        booster = try columns.next()
        card = try columns.next()
    }

    /// Joins the editions of an entry, looked up by themselves, as `StatusRow.lookedUp` does with the entry.
    static func lookedUp(by id: SQL) -> SQL {
        """
        CROSS JOIN LATERAL (
            SELECT \(columns), n.entry_id, n.id, n.conversation_id, n.favourites_count, n.boosts_count
            FROM entry_editions n
            WHERE n.entry_id = \(id)
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

    /// Joins the entry with an id, and what the viewer has done with it.
    static func lookedUp(by id: SQL, for viewer: AccountID?) -> SQL {
        """
        \(StatusEdition.lookedUp(by: id))
        CROSS JOIN LATERAL viewer_marks(\(viewer), n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
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
