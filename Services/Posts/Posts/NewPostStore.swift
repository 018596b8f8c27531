// SPDX-License-Identifier: Apache-2.0
// The SQL that stores a new post.

import Domain
import Events
import Postgres
import Serving
import Views

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

enum NewPostStore {
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
        let isReply = draft.inReplyToID != nil
        let parent: SQL = isReply ? "\(parent(of: post))," : ""
        let isAllowed: SQL = isReply ? "AND EXISTS (SELECT FROM parent)" : ""
        let thread: SQL = isReply ? "p.id, p.account_id, p.conversation_id" : "NULL::bigint, NULL::bigint, \(post.id)"
        let ofParent: SQL = isReply ? "CROSS JOIN parent p" : ""
        let tagged: SQL =
            post.tags.isEmpty
            ? ""
            : """
            , tagged AS (
                INSERT INTO post_tags (tag, post_id)
                SELECT t.tag, p.id
                FROM post p
                CROSS JOIN unnest(p.tags) t (tag)
                WHERE p.visibility = 'public'
            )
            """
        // What a statement does not need does not start with it.
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
            \(parent)
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count + CASE WHEN c.visibility = 'direct' THEN 0 ELSE 1 END,
                    last_post_at = CASE WHEN c.visibility = 'direct' THEN a.last_post_at ELSE \(post.id.timestamp) END,
                    version = a.version + 1
                FROM choice c
                WHERE a.id = c.id \(isAllowed)
                RETURNING \(AccountSnapshot.columns)
            ),
            post AS (
                INSERT INTO posts (
                    id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
                    in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
                    app_website, created_at, media, link_hash, card
                )
                SELECT
                    \(post.id), w.id, \(draft.text), \(draft.spoilerText), c.sensitive, c.visibility, c.language,
                    \(thread),
                    \(post.mentions.map(\.id)),
                    \(post.mentions.map(\.username.text)), \(post.tags), \(post.app?.name), \(post.app?.website),
                    \(post.id.timestamp), \(try JSONB(media: post.media)), \(CardNews.hash(of: post.link)),
                    \(try post.card.map { try JSONB(snapshot: $0) })
                FROM writer w
                CROSS JOIN choice c
                \(ofParent)
                RETURNING \(Stored.inserted)
            ),
            own_home AS (
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT p.account_id, p.id, p.account_id FROM post p
            )\(tagged)
            SELECT \(Stored.columns)
            FROM post p
            CROSS JOIN writer w
            """
        ).one(Stored.init(columns:))
    }

    /// Locks the post that is replied to, if the author of `choice c` may see it, and counts the reply.
    private static func parent(of post: NewPost) -> SQL {
        """
        parent AS (
            UPDATE posts p
            SET replies_count = p.replies_count + CASE WHEN c.visibility IN ('public', 'unlisted') THEN 1 ELSE 0 END,
                version = p.version + CASE WHEN c.visibility IN ('public', 'unlisted') THEN 1 ELSE 0 END
            FROM choice c
            WHERE p.id = (
                    SELECT coalesce(e.boost_of_id, e.id)
                    FROM posts e
                    WHERE e.id = \(post.draft.inReplyToID) AND e.deleted_at IS NULL
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
        )
        """
    }
}
