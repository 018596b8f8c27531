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
    /// Whether it shows neither a file nor a link.
    var isPlain: Bool { media.isEmpty && link == nil }
}

enum NewPostStore {
    /// Of a post that nothing has changed yet.
    static let firstVersion: Int64 = 1

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

    /// Stores posts with their tags, counts them for their authors and for what they answer, and puts them into the home timelines
    /// of their authors. They answer one post, or all of them none.
    ///
    /// What is answered is locked before the authors, and those in the order of their ids, so that two writers seldom wait for
    /// each other in a circle.
    ///
    /// - Returns: in no order; those whose author may not see what they answer, or whose author or answered post is gone, are missing.
    static func insert(_ posts: [NewPost], in transaction: some Transacting) async throws -> [Stored] {
        let parents = Set(posts.map(\.draft.inReplyToID))
        guard let parent = parents.first, parents.count == 1 else {
            throw PostgresError.misuse("posts that answer \(parents.count) posts in one statement")
        }
        let authors = Set(posts.map(\.author)).sorted()
        // What a statement does not need does not start with it.
        let isReply = parent != nil
        let answering: SQL = parent.map(answered) ?? ""
        let source: SQL = isReply ? "allowed" : "new"
        let thread: SQL = isReply ? "p.id, p.account_id, p.conversation_id" : "NULL::bigint, NULL::bigint, n.id"
        let ofParent: SQL = isReply ? "CROSS JOIN parent p" : ""
        let isAllowed: SQL = isReply ? "AND EXISTS (SELECT FROM parent)" : ""
        let (locked, areLocked): (SQL, SQL) =
            authors.count == 1
            ? ("", "")
            : (
                """
                locked AS MATERIALIZED (
                    SELECT a.id FROM accounts a WHERE a.id = ANY (\(authors)) \(isAllowed) ORDER BY a.id FOR NO KEY UPDATE
                ),
                """, "AND a.id IN (SELECT l.id FROM locked l)"
            )
        let tagged: SQL =
            posts.allSatisfy(\.tags.isEmpty)
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
        return try await transaction.query(
            """
            WITH new AS MATERIALIZED (
                SELECT
                    n.id, n.account_id, n.text, n.spoiler_text, n.mentioned_ids, n.mentioned_names, n.tags, n.app_name,
                    n.app_website, n.created_at, n.media, n.link, n.card,
                    coalesce(n.visibility, a.default_visibility) AS visibility,
                    coalesce(n.sensitive, a.default_sensitive) AS sensitive,
                    coalesce(n.language, a.default_language) AS language
                FROM jsonb_to_recordset(\(try JSONB(posts: posts))) AS n (
                    id bigint, account_id bigint, text text, spoiler_text text, visibility text, sensitive boolean,
                    language text, mentioned_ids bigint[], mentioned_names text[], tags text[], app_name text,
                    app_website text, created_at timestamptz, media jsonb, link text, card jsonb
                )
                CROSS JOIN LATERAL (
                    SELECT a.default_visibility, a.default_sensitive, a.default_language
                    FROM accounts a
                    WHERE a.id = n.account_id
                    OFFSET 0
                ) a
            ),
            \(answering)
            \(locked)
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count + w.counted, last_post_at = coalesce(w.last, a.last_post_at),
                    version = a.version + w.number
                FROM (
                    SELECT
                        n.account_id, count(*) AS number, count(*) FILTER (WHERE n.visibility <> 'direct') AS counted,
                        max(n.created_at) FILTER (WHERE n.visibility <> 'direct') AS last
                    FROM \(source) n
                    GROUP BY n.account_id
                ) w
                WHERE a.id = w.account_id AND a.id = ANY (\(authors)) \(areLocked) \(isAllowed)
                RETURNING \(AccountSnapshot.columns)
            ),
            post AS (
                INSERT INTO posts (
                    id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
                    in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
                    app_website, created_at, media, link_hash, card
                )
                SELECT
                    n.id, w.id, n.text, n.spoiler_text, n.sensitive, n.visibility, n.language, \(thread),
                    n.mentioned_ids, n.mentioned_names, n.tags, n.app_name, n.app_website, n.created_at, n.media,
                    \(CardNews.hash(ofColumn: "n.link")), n.card
                FROM \(source) n
                JOIN writer w ON w.id = n.account_id
                \(ofParent)
                RETURNING \(Stored.inserted)
            ),
            own_home AS (
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT p.account_id, p.id, p.account_id FROM post p
            )\(tagged)
            SELECT \(Stored.columns)
            FROM post p
            JOIN writer w ON w.id = p.account_id
            """
        ).all(Stored.init(columns:))
    }

    /// Those of the `new` posts whose authors may see what they answer, which is locked and counts them.
    private static func answered(_ parent: PostID) -> SQL {
        let isVisible = Visible.post(
            by: "p.account_id",
            "p.visibility",
            mentioning: "p.mentioned_ids",
            to: "n.account_id"
        )
        return """
            answered AS MATERIALIZED (
                SELECT p.id, p.account_id, p.visibility, p.mentioned_ids
                FROM posts p
                WHERE p.id = (
                        SELECT coalesce(e.boost_of_id, e.id)
                        FROM posts e
                        WHERE e.id = \(parent) AND e.deleted_at IS NULL
                    )
                    AND p.deleted_at IS NULL
            ),
            allowed AS MATERIALIZED (
                SELECT n.*
                FROM new n
                CROSS JOIN answered p
                WHERE \(isVisible)
            ),
            parent AS (
                UPDATE posts p
                SET replies_count = p.replies_count + c.number, version = p.version + c.number
                FROM (
                    SELECT count(*) FILTER (WHERE n.visibility IN ('public', 'unlisted')) AS number
                    FROM allowed n
                    HAVING count(*) > 0
                ) c
                WHERE p.id = (SELECT a.id FROM answered a) AND p.deleted_at IS NULL
                RETURNING p.id, p.account_id, p.conversation_id
            ),
            """
    }
}

extension JSONB {
    /// The rows of posts that are to be stored.
    fileprivate init(posts: [NewPost]) throws {
        let media = try posts.map { try JSONB(media: $0.media)?.json }
        let cards = try posts.map { try $0.card.map { try JSONB(snapshot: $0) }?.json }
        var json = JSONWriter()
        json.array { json in
            for (index, post) in posts.enumerated() {
                json.object { json in
                    json.member("id", post.id)
                    json.member("account_id", post.author)
                    json.member("text", post.draft.text)
                    json.member("spoiler_text", post.draft.spoilerText)
                    json.member("visibility", post.draft.visibility?.rawValue)
                    if let sensitive = post.draft.sensitive { json.member("sensitive", sensitive) }
                    json.member("language", post.draft.language)
                    json.member("mentioned_ids", post.mentions.map(\.id.description))
                    json.member("mentioned_names", post.mentions.map(\.username.text))
                    json.member("tags", post.tags)
                    json.member("app_name", post.app?.name)
                    json.member("app_website", post.app?.website)
                    json.member("created_at", post.id.timestamp)
                    if let media = media[index] { json.name("media"); json.raw(media) }
                    json.member("link", post.link)
                    if let card = cards[index] { json.name("card"); json.raw(card) }
                }
            }
        }
        self.init(json.bytes)
    }
}
