// SPDX-License-Identifier: Apache-2.0
// The SQL on single posts: reading, writing, editing and deleting them.

import Domain
import Events
import Postgres
import Serving
import Views

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

    /// A post as it is to be stored.
    struct NewPost: Sendable {
        let id: PostID
        let author: AccountID
        let draft: Post.Draft
        let mentions: [MentionSnapshot]
        let tags: [String]
        let app: AppSnapshot?
        var media: [MediaSnapshot] = []
        /// What it shows in place of its link's preview.
        var card: CardSnapshot?
        /// The link whose preview it shows.
        var link: String? { media.isEmpty ? PostText.firstLink(in: draft.text) : nil }
    }

    /// A post as it is now, and its author.
    struct Stored: Columned {
        let post: PostSnapshot
        let author: AccountSnapshot

        fileprivate static let inserted = PostSnapshot.columns("")
        static let columns: SQL = "\(PostSnapshot.columns("p.")), \(AccountSnapshot.columns("w."))"

        init(columns: inout Columns) throws {
            post = try PostSnapshot(columns: &columns)
            author = try AccountSnapshot(columns: &columns)
        }
    }

    /// Stores a post with its tags, counts it for its author and its parent, and puts it into the author's own home
    /// timeline. Nil when the author may not see the parent, or nobody may any more.
    ///
    /// The parent is locked before the author everywhere, so that two writers seldom wait for each other in a circle.
    static func insert(
        _ post: NewPost,
        in transaction: some Transacting
    ) async throws -> Stored? {
        let draft = post.draft
        return try await transaction.query(
            """
            WITH choice AS (
                SELECT
                    a.id,
                    coalesce(\(draft.visibility), a.default_visibility) AS visibility,
                    coalesce(\(draft.sensitive), a.default_sensitive) AS sensitive,
                    coalesce(\(draft.language), a.default_language) AS language
                FROM accounts a
                WHERE a.id = \(post.author)
            ),
            parent AS (
                UPDATE posts p
                SET replies_count = p.replies_count + CASE WHEN c.visibility IN ('public', 'unlisted') THEN 1 ELSE 0 END,
                    version = p.version + CASE WHEN c.visibility IN ('public', 'unlisted') THEN 1 ELSE 0 END
                FROM choice c
                WHERE p.id = (
                        SELECT coalesce(e.boost_of_id, e.id)
                        FROM posts e
                        WHERE e.id = \(draft.inReplyToID) AND e.deleted_at IS NULL
                    )
                    AND p.deleted_at IS NULL
                    AND \(Visible.post(
                        by: "p.account_id",
                        "p.visibility",
                        mentioning: "p.mentioned_ids",
                        to: "c.id",
                        blocked: Visible.isBlocked("p.account_id", with: "\(post.author)")
                    ))
                RETURNING p.id, p.account_id, p.conversation_id
            ),
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count + CASE WHEN c.visibility = 'direct' THEN 0 ELSE 1 END,
                    last_post_at = CASE WHEN c.visibility = 'direct' THEN a.last_post_at ELSE \(post.id.timestamp) END,
                    version = a.version + 1
                FROM choice c
                WHERE a.id = c.id AND (\(draft.inReplyToID) IS NULL OR EXISTS (SELECT FROM parent))
                RETURNING \(AccountSnapshot.columns)
            ),
            post AS (
                INSERT INTO posts (
                    id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
                    in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
                    app_website, created_at, media, link_hash, card
                )
                SELECT
                    \(post.id), w.id, \(draft.text), \(draft.spoilerText), c.sensitive, c.visibility, c.language, p.id,
                    p.account_id, coalesce(p.conversation_id, \(post.id)), \(post.mentions.map(\.id)),
                    \(post.mentions.map(\.username.text)), \(post.tags), \(post.app?.name), \(post.app?.website),
                    \(post.id.timestamp), \(try JSONB(media: post.media)), \(CardNews.hash(of: post.link)),
                    \(try post.card.map { try JSONB(snapshot: $0) })
                FROM writer w
                CROSS JOIN choice c
                LEFT JOIN parent p ON true
                RETURNING \(Stored.inserted)
            ),
            own_home AS (
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT p.account_id, p.id, p.account_id FROM post p
            ),
            tagged AS (
                INSERT INTO post_tags (tag, post_id)
                SELECT t.tag, p.id
                FROM post p
                CROSS JOIN unnest(p.tags) t (tag)
                WHERE p.visibility = 'public'
            )
            SELECT \(Stored.columns)
            FROM post p
            CROSS JOIN writer w
            """
        ).one(Stored.init(columns:))
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
