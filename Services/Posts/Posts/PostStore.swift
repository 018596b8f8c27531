// SPDX-License-Identifier: Apache-2.0
// The SQL on single posts: reading, writing, editing and deleting them.

import Domain
import Events
import Postgres
import Serving
import Views

/// An entry that somebody looks at.
struct Sight: Sendable {
    let entry: PostID
    let viewer: AccountID

    init(of entry: PostID, by viewer: AccountID) { (self.entry, self.viewer) = (entry, viewer) }
}

/// Statements about single posts. Who may see what is decided by `is_visible` alone.
enum PostStore {
    /// One entry, if the viewer may see it.
    static func status(_ id: PostID, viewer: AccountID?, in database: some Querying) async throws -> StatusRow? {
        try await database.query("\(entry(id, viewer: viewer)) AND \(Visible.entry(to: viewer))").one(
            StatusRow.init(columns:)
        )
    }

    /// An entry without asking who may see it: for its own author, and for events.
    static func entry(_ id: PostID, viewer: AccountID?, in database: some Querying) async throws -> StatusRow? {
        try await database.query(entry(id, viewer: viewer)).one(StatusRow.init(columns:))
    }

    private static func entry(_ id: PostID, viewer: AccountID?) -> SQL {
        """
        SELECT \(StatusRow.columns)
        FROM entries e
        \(StatusRow.flags(of: viewer))
        WHERE e.entry_id = \(id)
        """
    }

    /// What each of some people sees of an entry; nil where it is gone, or where they may not see it.
    static func statuses(_ sights: [Sight], in database: some Querying) async throws -> [StatusRow?] {
        try await entries(sights, where: Visible.entry(to: "wanted.viewer_id"), in: database)
    }

    /// The same without asking who may see it.
    static func entries(_ sights: [Sight], in database: some Querying) async throws -> [StatusRow?] {
        try await entries(sights, where: "true", in: database)
    }

    private static func entries(
        _ sights: [Sight],
        where isShown: SQL,
        in database: some Querying
    ) async throws -> [StatusRow?] {
        let rows = try await database.query(
            """
            SELECT wanted.place, \(StatusRow.columns)
            FROM unnest(\(sights.map(\.entry)), \(sights.map(\.viewer)))
                WITH ORDINALITY AS wanted (id, viewer_id, place)
            \(StatusRow.lookedUp(by: "wanted.id"))
            \(StatusRow.flags(of: "wanted.viewer_id"))
            WHERE \(isShown)
            """
        ).all { (place: try $0.next(Int.self), status: try StatusRow(columns: &$0)) }
        var statuses = [StatusRow?](repeating: nil, count: sights.count)
        for row in rows { statuses[row.place - 1] = row.status }
        return statuses
    }

    /// Those of the entries that the viewer may see.
    static func statuses(
        _ ids: [PostID],
        viewer: AccountID?,
        in database: some Querying
    ) async throws -> [StatusRow] {
        try await database.query(
            """
            SELECT \(StatusRow.columns)
            FROM unnest(\(ids)) wanted (id)
            \(StatusRow.lookedUp(by: "wanted.id"))
            \(StatusRow.flags(of: viewer))
            WHERE \(Visible.entry(to: viewer))
            """
        ).all(StatusRow.init(columns:))
    }

    /// Some entries without asking who may see them: for moderators.
    static func entries(
        _ ids: [PostID],
        viewer: AccountID?,
        in database: some Querying
    ) async throws -> [StatusRow] {
        try await database.query(
            """
            SELECT \(StatusRow.columns)
            FROM unnest(\(ids)) wanted (id)
            \(StatusRow.lookedUp(by: "wanted.id"))
            \(StatusRow.flags(of: viewer))
            """
        ).all(StatusRow.init(columns:))
    }

    /// An entry of a list with what it shows.
    struct Entry: Sendable {
        let edition: StatusEdition
        let conversation: Int64
        /// The number of its link's preview among what changes.
        let link: Int64?
        let status: StatusRow

        static let columns: SQL = """
            \(StatusEdition.columns), n.conversation_id, link_subject(n.link_hash), \(StatusRow.columns)
            """
    }

    /// Some entries, without asking who may see them: for those to whom they are listed.
    static func entries(of ids: [PostID], in database: some Querying) async throws -> [Entry] {
        try await database.query(
            """
            SELECT \(Entry.columns)
            FROM unnest(\(ids)) wanted (id)
            \(StatusEdition.lookedUp(by: "wanted.id", besides: "coalesce(o.link_hash, e.link_hash) AS link_hash"))
            \(StatusRow.lookedUp(by: "wanted.id"))
            \(StatusRow.flags(of: nil))
            """
        ).all(as: Entry.init)
    }

    /// A post or a boost of the author's own that nobody else changes until the transaction ends.
    struct Locked: Columned {
        /// The boosted post where it is a boost.
        let boosted: PostID?

        static let columns: SQL = "boost_of_id"

        init(columns: inout Columns) throws { boosted = try columns.next() }
    }

    static func lock(_ id: PostID, of author: AccountID, in transaction: some Transacting) async throws -> Locked? {
        try await transaction.query(
            """
            SELECT \(Locked.columns)
            FROM posts
            WHERE id = \(id) AND account_id = \(author) AND deleted_at IS NULL
            FOR UPDATE
            """
        ).one(Locked.init(columns:))
    }

    /// Keeps what a post was in its history and makes it what it is now; the caller holds its lock.
    ///
    /// - Parameter keeping: how many earlier forms stay, this one included.
    static func update(
        _ post: PostSnapshot,
        at now: Timestamp,
        keeping edits: Int,
        in transaction: some Transacting
    ) throws {
        let surplus = SQL.deletingBeyond(
            edits - 1,
            of: "post_edits",
            where: "post_id = \(post.id)",
            inOrderOf: "created_at"
        )
        transaction.enqueue(
            """
            WITH forgotten AS (
                \(surplus)
            ),
            before AS (
                INSERT INTO post_edits (
                    post_id, \(Form.columns)
                )
                SELECT id, coalesce(edited_at, created_at), text, spoiler_text, sensitive, mentioned_ids,
                    mentioned_names, media
                FROM posts
                WHERE id = \(post.id)
            ),
            untagged AS (
                DELETE FROM post_tags WHERE post_id = \(post.id) AND tag = ANY (
                    SELECT unnest(tags) FROM posts WHERE id = \(post.id)
                ) AND tag <> ALL (\(post.tags))
            ),
            tagged AS (
                INSERT INTO post_tags (tag, post_id)
                SELECT t.tag, \(post.id)
                FROM unnest(\(post.tags)) t (tag)
                WHERE \(post.visibility) = 'public'
                ON CONFLICT (tag, post_id) DO NOTHING
            )
            UPDATE posts
            SET text = \(post.text), spoiler_text = \(post.spoilerText), sensitive = \(post.sensitive),
                language = \(post.language), mentioned_ids = \(post.mentions.map(\.id)),
                mentioned_names = \(post.mentions.map(\.username.text)), tags = \(post.tags),
                media = \(try JSONB(media: post.media ?? [])), link_hash = \(CardNews.hash(of: post.previewedLink)),
                edited_at = greatest(\(now), coalesce(edited_at, created_at) + interval '1 millisecond'),
                version = version + 1
            WHERE id = \(post.id)
            """
        )
    }

    /// What the post was before its newest edits, as far as the viewer could see it then, oldest first: who is named
    /// only now does not see what was said to others.
    static func edits(
        of id: PostID,
        viewer: AccountID?,
        limit: Int,
        in database: some Querying
    ) async throws -> [Form] {
        try await database.query(
            """
            SELECT \(Form.columns)
            FROM (
                SELECT \(Form.columns(of: "h."))
                FROM post_edits h
                JOIN posts p ON p.id = h.post_id
                WHERE h.post_id = \(id)
                    AND \(Visible.row("p", to: viewer, mentioned: "h.mentioned_ids"))
                ORDER BY h.created_at DESC
                LIMIT \(limit)
            ) newest
            ORDER BY created_at
            """
        ).all(Form.init(columns:))
    }

    /// Makes a post a tombstone and takes it out of every count; the caller holds the post's lock.
    ///
    /// - Returns: its new version.
    static func delete(_ id: PostID, at now: Timestamp, in transaction: some Transacting) async throws -> Int64? {
        try await transaction.query(
            """
            WITH gone AS (
                UPDATE posts
                SET deleted_at = \(now), version = version + 1
                WHERE id = \(id) AND deleted_at IS NULL
                RETURNING id, account_id, visibility, in_reply_to_id, version
            ),
            untagged AS (
                DELETE FROM post_tags
                WHERE post_id = \(id) AND tag = ANY (SELECT unnest(tags) FROM posts WHERE id = \(id))
            ),
            parent AS (
                UPDATE posts p
                SET replies_count = p.replies_count - 1, version = p.version + 1
                FROM gone g
                WHERE p.id = g.in_reply_to_id AND g.visibility IN ('public', 'unlisted')
            ),
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count - 1, version = a.version + 1
                FROM gone g
                WHERE a.id = g.account_id AND g.visibility <> 'direct'
            )
            SELECT version FROM gone
            """
        ).one { try $0.next() }
    }

    /// Makes some boosts of a deleted post tombstones and takes them out of the counts of those who boosted it.
    ///
    /// - Returns: their ids, none when none is left.
    static func deleteBoosts(
        of id: PostID,
        limit: Int,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> [PostID] {
        try await transaction.query(
            """
            WITH chosen AS MATERIALIZED (
                SELECT b.id
                FROM posts b
                WHERE b.boost_of_id = \(id) AND b.deleted_at IS NULL
                    AND EXISTS (SELECT FROM posts p WHERE p.id = \(id) AND p.deleted_at IS NOT NULL)
                ORDER BY b.id
                LIMIT \(limit)
                FOR UPDATE OF b
            ),
            gone AS (
                UPDATE posts b
                SET deleted_at = \(now), version = b.version + 1
                FROM chosen c
                WHERE b.id = c.id
                RETURNING b.id, b.account_id
            ),
            -- In the order in which everybody locks accounts.
            locked AS MATERIALIZED (
                SELECT a.id
                FROM accounts a
                WHERE a.id IN (SELECT account_id FROM gone)
                ORDER BY a.id
                FOR NO KEY UPDATE
            ),
            writers AS (
                UPDATE accounts a
                SET posts_count = a.posts_count - 1, version = a.version + 1
                FROM locked l
                WHERE a.id = l.id
            )
            SELECT id FROM gone ORDER BY id
            """
        ).all { try $0.next() }
    }
}

extension JSONB {
    /// The files of a post; nil for none.
    init?(media: [MediaSnapshot]) throws {
        guard !media.isEmpty else { return nil }
        try self.init(snapshot: media)
    }
}
