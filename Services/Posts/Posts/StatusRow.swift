// SPDX-License-Identifier: Apache-2.0
// How a post, or a boost of one, is read from a row.

import Domain
import Events
import Postgres
import Serving
import Views
import Web

/// An entry of a list, with what the viewer has done with it.
struct StatusRow: Columned {
    let flags: StatusView.Viewer
    /// Whether the post stands on top of its author's profile.
    let isPinned: Bool
    /// Of the boost when it is one, else of the post.
    let entryID: PostID
    let post: PostSnapshot
    /// The preview of its link.
    let card: CardSnapshot?
    let author: AccountSnapshot
    let boost: StatusView.Boost?

    /// Of `viewer_marks(…) v` and the view `entries e`.
    static let columns: SQL = "\(flags), \(entry)"

    /// Of `viewer_marks(…) v`.
    static let flags: SQL = "v.favourited, v.boosted, v.bookmarked, v.muted"

    /// Of the view `entries e`: the post, its author, and the boost around it with whoever boosted.
    static let entry: SQL = """
        e.is_pinned, e.entry_id, e.card, \(PostSnapshot.columns("e.")),
        \(AccountSnapshot.columns("e.author_")), e.boost_visibility, e.boost_created_at,
        \(AccountSnapshot.columns("e.booster_"))
        """

    /// Reads `columns`, which are the last of a row.
    init(columns: inout Columns) throws {
        flags = try StatusView.Viewer(columns: &columns)
        isPinned = try columns.next()
        entryID = try columns.next()
        card = try columns.next()
        post = try PostSnapshot(columns: &columns)
        author = try AccountSnapshot(columns: &columns)
        let visibility: Visibility? = try columns.next()
        let createdAt: Timestamp = try columns.next()
        if let visibility {
            boost = StatusView.Boost(
                id: entryID,
                account: try AccountSnapshot(columns: &columns),
                visibility: visibility,
                createdAt: createdAt
            )
        } else {
            boost = nil
        }
    }

    /// A post as its event tells it, without a card, as nobody in particular sees it.
    init(_ post: PostSnapshot, by author: AccountSnapshot) {
        flags = StatusView.Viewer()
        isPinned = false
        entryID = post.id
        self.post = post
        card = nil
        self.author = author
        boost = nil
    }

    private init(inside row: StatusRow) {
        flags = row.flags
        isPinned = row.isPinned
        post = row.post
        card = row.card
        author = row.author
        entryID = post.id
        boost = nil
    }

    /// The post without the boost around it.
    var shown: StatusRow { StatusRow(inside: self) }

    func view(for viewer: AccountID?, site: Site) -> StatusView { view(for: viewer, with: flags, site: site) }

    /// - Parameter flags: what the viewer has done with it.
    func view(for viewer: AccountID?, with flags: StatusView.Viewer, site: Site, withText: Bool = false) -> StatusView {
        var flags = flags
        if viewer == author.id { flags.pinned = isPinned }
        return StatusView(
            post,
            author: viewer == author.id ? author.asOwn : author,
            card: card,
            boost: boost,
            viewer: viewer == nil ? nil : flags,
            withText: withText,
            site: site
        )
    }
}

extension PostSnapshot {
    /// The columns of `posts` or `entries` that `init(columns:)` reads, each under a prefix.
    static func columns(_ prefix: SQL) -> SQL {
        """
        \(prefix)id, \(prefix)account_id, \(prefix)text, \(prefix)spoiler_text, \(prefix)sensitive,
        \(prefix)visibility, \(prefix)language, \(prefix)in_reply_to_id, \(prefix)in_reply_to_account_id,
        \([MentionSnapshot].columns(prefix)), \(prefix)tags, \(prefix)app_name, \(prefix)app_website,
        \(prefix)created_at, \(prefix)edited_at, \(prefix)replies_count, \(prefix)boosts_count,
        \(prefix)favourites_count, \(prefix)version, \(prefix)media
        """
    }

    init(columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            accountID: try columns.next(),
            text: try columns.next(),
            spoilerText: try columns.next(),
            sensitive: try columns.next(),
            visibility: try columns.next(),
            language: try columns.next(),
            inReplyToID: try columns.next(),
            inReplyToAccountID: try columns.next(),
            mentions: try [MentionSnapshot](columns: &columns),
            tags: try columns.next(),
            app: try AppSnapshot.read(&columns),
            createdAt: try columns.next(),
            editedAt: try columns.next(),
            repliesCount: try columns.next(),
            boostsCount: try columns.next(),
            favouritesCount: try columns.next(),
            version: try columns.next(),
            media: try columns.next(JSONB?.self)?.snapshot()
        )
    }
}

extension AppSnapshot {
    /// The name and the website; nil without a name.
    fileprivate static func read(_ columns: inout Columns) throws -> AppSnapshot? {
        let (name, website): (String?, String?) = (try columns.next(), try columns.next())
        return name.map { AppSnapshot(name: $0, website: website) }
    }
}

extension [MentionSnapshot] {
    static func columns(_ prefix: SQL) -> SQL { "\(prefix)mentioned_ids, \(prefix)mentioned_names" }

    init(columns: inout Columns) throws {
        let ids: [AccountID] = try columns.next()
        let names: [String] = try columns.next()
        self = zip(ids, names).compactMap { id, name in
            Username(name).map { MentionSnapshot(id: id, username: $0) }
        }
    }
}

extension StatusView.Viewer {
    /// Reads `StatusRow.flags`.
    init(columns: inout Columns) throws {
        self.init(
            favourited: try columns.next(),
            boosted: try columns.next(),
            bookmarked: try columns.next(),
            muted: try columns.next()
        )
    }
}

/// An entry that can be shown in a list.
protocol StatusShown: Sendable {
    associatedtype Shown: View
    var entryID: PostID { get }
    func view(for viewer: AccountID?, site: Site) -> Shown
}

extension StatusRow: StatusShown {}

extension StatusRow {
    /// Joins what the viewer has done with the entry `e`.
    static func flags(of viewer: AccountID?) -> SQL {
        // Nobody has done anything: nothing is looked up.
        guard let viewer else {
            return "CROSS JOIN (VALUES (false, false, false, false)) v (favourited, boosted, bookmarked, muted)"
        }
        return flags(of: "\(viewer)")
    }

    static func flags(of viewer: SQL) -> SQL {
        "CROSS JOIN LATERAL viewer_marks(\(viewer), e.id, e.conversation_id, e.favourites_count, e.boosts_count) v"
    }

    /// Joins the entry with an id, looked up by itself: `OFFSET 0` keeps the planner from reading all posts for the sake of a
    /// number of ids that it cannot know.
    static func lookedUp(by id: SQL) -> SQL {
        """
        CROSS JOIN LATERAL (
            SELECT \(entry), e.conversation_id FROM entries e WHERE e.entry_id = \(id) OFFSET 0
        ) e
        """
    }
}

extension Request {
    /// Who is looking, if somebody is signed in.
    var viewer: AccountID? { principal?.account?.id }
}

extension Answer {
    /// A page of entries, linked by their own ids.
    static func statuses(_ rows: [some StatusShown], _ request: Request, site: Site) -> Answer {
        Answer.json(array: rows.map { $0.view(for: request.viewer, site: site) })
            .linked(request, site: site, rows.map(\.entryID))
    }

    /// - Parameter end: where looking for entries ended, in the page's direction, before the page was full.
    static func statuses(
        _ rows: [some StatusShown],
        _ request: Request,
        site: Site,
        page: Page,
        end: PostID?
    ) -> Answer {
        Answer.json(array: rows.map { $0.view(for: request.viewer, site: site) })
            .linked(request, site: site, rows.map(\.entryID), page: page, end: end)
    }
}
