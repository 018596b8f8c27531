// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Status (docs.joinmastodon.org/entities/Status).

public import Domain
public import Events

/// A post, or a boost of one, as a client sees it.
public struct StatusView: View {
    /// What the asking account has done with the post.
    public struct Viewer: Hashable, Sendable {
        public var favourited: Bool
        public var boosted: Bool
        public var bookmarked: Bool
        /// Whether the conversation is muted.
        public var muted: Bool
        /// Whether the post stands on top of the account's profile; nil where it is not their own, or not known.
        public var pinned: Bool?

        public init(
            favourited: Bool = false,
            boosted: Bool = false,
            bookmarked: Bool = false,
            muted: Bool = false,
            pinned: Bool? = nil
        ) {
            self.favourited = favourited
            self.boosted = boosted
            self.bookmarked = bookmarked
            self.muted = muted
            self.pinned = pinned
        }
    }

    /// A boost: an entry of its own, made by somebody, around a post.
    public struct Boost: Sendable {
        public let id: PostID
        public let account: AccountSnapshot
        public let visibility: Visibility
        public let createdAt: Timestamp

        public init(id: PostID, account: AccountSnapshot, visibility: Visibility, createdAt: Timestamp) {
            self.id = id
            self.account = account
            self.visibility = visibility
            self.createdAt = createdAt
        }
    }

    public let post: PostSnapshot
    public let author: AccountSnapshot
    /// The preview of its link.
    public let card: CardSnapshot?
    public let boost: Boost?
    /// Nil when nobody is signed in; then the viewer's members are left out.
    public let viewer: Viewer?
    /// Whether `text`, the source, is given too: after a deletion only.
    public let withText: Bool
    public let site: Site
    /// Whether places are left for the viewer's members.
    private let isTemplate: Bool

    public init(
        _ post: PostSnapshot,
        author: AccountSnapshot,
        card: CardSnapshot? = nil,
        boost: Boost? = nil,
        viewer: Viewer? = nil,
        withText: Bool = false,
        site: Site
    ) {
        self.post = post
        self.author = author
        self.card = card
        self.boost = boost
        self.viewer = viewer
        self.withText = withText
        self.site = site
        isTemplate = false
    }

    /// Without a viewer, with places for the viewer's members.
    init(template post: PostSnapshot, author: AccountSnapshot, card: CardSnapshot?, boost: Boost?, site: Site) {
        self.post = post
        self.author = author
        self.card = card
        self.boost = boost
        self.site = site
        viewer = nil
        withText = false
        isTemplate = true
    }

    public func write(to json: inout JSONWriter) {
        let content = PostText.html(post.text, mentions: post.mentions, site: site)
        guard let boost else { return writePost(to: &json, content: content) }
        json.object { json in
            json.member("id", boost.id)
            json.member("uri", site.postURI(boost.id, by: boost.account.username) + "/activity")
            json.member("url", site.post(post.id, by: author.username))
            json.member("created_at", boost.createdAt)
            json.member("edited_at", nil as Timestamp?)
            json.member("account", AccountView(boost.account, site: site))
            json.member("visibility", boost.visibility.rawValue)
            json.null("in_reply_to_id")
            json.null("in_reply_to_account_id")
            json.null("application")
            writeShared(to: &json, content: content)
            json.name("reblog")
            writePost(to: &json, content: content)
        }
    }

    private func writePost(to json: inout JSONWriter, content: String) {
        json.object { json in
            json.member("id", post.id)
            json.member("uri", site.postURI(post.id, by: author.username))
            json.member("url", site.post(post.id, by: author.username))
            json.member("created_at", post.createdAt)
            json.member("edited_at", post.editedAt)
            json.member("account", AccountView(author, site: site))
            json.member("visibility", post.visibility.rawValue)
            json.member("in_reply_to_id", post.inReplyToID)
            json.member("in_reply_to_account_id", post.inReplyToAccountID)
            if let app = post.app {
                json.object("application") { json in
                    json.member("name", app.name)
                    json.member("website", app.website)
                }
            } else {
                json.null("application")
            }
            writeShared(to: &json, content: content)
            // What only some may read cannot be pinned.
            if let pinned = viewer?.pinned, post.visibility != .direct { json.member("pinned", pinned) }
            if withText { json.member("text", post.text) }
            json.null("reblog")
        }
    }

    /// What a boost shows of the post that it is around, and the post itself.
    private func writeShared(to json: inout JSONWriter, content: String) {
        json.member("content", content)
        json.member("spoiler_text", post.spoilerText)
        json.member("sensitive", post.sensitive || author.restrictions.contains(.sensitive))
        json.member("language", post.language)
        json.member("replies_count", max(0, post.repliesCount))
        json.member("reblogs_count", max(0, post.boostsCount))
        json.member("favourites_count", max(0, post.favouritesCount))
        json.member("quotes_count", 0)
        json.member("media_attachments", MediaView.all(of: post, site: site))
        json.array("mentions", post.mentions) { json, mention in
            json.member("id", mention.id)
            json.member("username", mention.username.text)
            json.member("acct", mention.username.text)
            json.member("url", site.profile(mention.username))
        }
        json.array("tags", post.tags) { json, tag in
            json.member("name", tag)
            json.member("url", site.tagURL(tag))
        }
        json.member("emojis", [String]())
        json.member("card", card.map { CardView($0, site: site) })
        json.null("poll")
        json.null("quote")
        if isTemplate { json.leaveHole() }
        viewer?.writeMembers(to: &json)
    }
}

extension StatusView.Viewer {
    func writeMembers(to json: inout JSONWriter) {
        json.member("favourited", favourited)
        json.member("reblogged", boosted)
        json.member("bookmarked", bookmarked)
        json.member("muted", muted)
        json.member("filtered", [String]())
    }
}
