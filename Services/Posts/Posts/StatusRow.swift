// SPDX-License-Identifier: Apache-2.0
// How a post, or a boost of one, is read from a row.

import Domain
import Events
import Postgres
import Views
import Web

/// An entry of a list, with what the viewer has done with it.
struct StatusRow: Sendable {
    let flags: StatusView.Viewer
    /// Of the boost when it is one, else of the post.
    let entryID: PostID
    let post: PostSnapshot
    let author: AccountSnapshot
    let boost: StatusView.Boost?

    /// Reads favourited, boosted, bookmarked, muted and then the columns of the view `entries`.
    init(columns: inout Columns) throws {
        flags = StatusView.Viewer(
            favourited: try columns.next(),
            boosted: try columns.next(),
            bookmarked: try columns.next(),
            muted: try columns.next()
        )
        entryID = try columns.next()
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

    private init(_ flags: StatusView.Viewer, _ post: PostSnapshot, _ author: AccountSnapshot) {
        self.flags = flags
        self.post = post
        self.author = author
        entryID = post.id
        boost = nil
    }

    /// The post without the boost around it.
    var shown: StatusRow { StatusRow(flags, post, author) }

    func view(for viewer: AccountID?, site: Site, withText: Bool = false) -> StatusView {
        StatusView(
            post,
            author: author,
            boost: boost,
            viewer: viewer == nil ? nil : flags,
            withText: withText,
            site: site
        )
    }
}

extension PostSnapshot {
    /// Reads the columns of a post in the order of the view `entries`, wherever they stand in a row.
    init(columns: inout Columns) throws {
        let id: PostID = try columns.next()
        let accountID: AccountID = try columns.next()
        let text: String = try columns.next()
        let spoilerText: String = try columns.next()
        let sensitive: Bool = try columns.next()
        let visibility: Visibility = try columns.next()
        let language: String? = try columns.next()
        let inReplyToID: PostID? = try columns.next()
        let inReplyToAccountID: AccountID? = try columns.next()
        let mentions = try [MentionSnapshot](columns: &columns)
        let tags: [String] = try columns.next()
        let appName: String? = try columns.next()
        let appWebsite: String? = try columns.next()
        self.init(
            id: id,
            accountID: accountID,
            text: text,
            spoilerText: spoilerText,
            sensitive: sensitive,
            visibility: visibility,
            language: language,
            inReplyToID: inReplyToID,
            inReplyToAccountID: inReplyToAccountID,
            mentions: mentions,
            tags: tags,
            app: appName.map { AppSnapshot(name: $0, website: appWebsite) },
            createdAt: try columns.next(),
            editedAt: try columns.next(),
            repliesCount: try columns.next(),
            boostsCount: try columns.next(),
            favouritesCount: try columns.next(),
            version: try columns.next()
        )
    }
}

extension [MentionSnapshot] {
    /// Reads the columns mentioned_ids and mentioned_names.
    init(columns: inout Columns) throws {
        let ids: [AccountID] = try columns.next()
        let names: [String] = try columns.next()
        self = zip(ids, names).compactMap { id, name in
            Username(name).map { MentionSnapshot(id: id, username: $0) }
        }
    }
}

extension Rows {
    /// Entries in the order of the rows.
    func statuses() throws -> [StatusRow] {
        try map { row in
            var columns = row.columns
            return try StatusRow(columns: &columns)
        }
    }

    /// The entry of the first row, if there is one.
    func status() throws -> StatusRow? {
        guard let row = first else { return nil }
        var columns = row.columns
        return try StatusRow(columns: &columns)
    }

    /// Entries with the number in front of them: the id by which their list is paged, or their place in a thread.
    func placedStatuses() throws -> [(place: Int64, status: StatusRow)] {
        try map { row in
            var columns = row.columns
            let place: Int64 = try columns.next()
            return (place, try StatusRow(columns: &columns))
        }
    }
}

extension Request {
    /// Who is looking, if somebody is signed in.
    var viewer: AccountID? { principal?.account?.id }
}

extension Answer {
    /// A page of entries, linked by their own ids.
    static func statuses(_ rows: [StatusRow], _ request: Request, site: Site) -> Answer {
        Answer.json(array: rows.map { $0.view(for: request.viewer, site: site) })
            .linked(request, site: site, newest: rows.first?.entryID.rawValue, oldest: rows.last?.entryID.rawValue)
    }

    /// - Parameter end: where looking for entries ended, in the page's direction, before the page was full.
    static func statuses(_ rows: [StatusRow], _ request: Request, site: Site, page: Page, end: PostID?) -> Answer {
        let newest = page.walksForward ? end : nil
        let oldest = page.walksForward ? nil : end
        return Answer.json(array: rows.map { $0.view(for: request.viewer, site: site) })
            .linked(
                request,
                site: site,
                newest: (newest ?? rows.first?.entryID)?.rawValue,
                oldest: (oldest ?? rows.last?.entryID)?.rawValue
            )
    }
}
