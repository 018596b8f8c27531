// SPDX-License-Identifier: Apache-2.0
// What surrounds a post: its thread, its history, its source and its tags.

package import Domain
package import Events

/// The posts above and below a post (docs.joinmastodon.org/entities/Context).
package struct ContextView: View {
    package let ancestors: [StatusView]
    package let descendants: [StatusView]

    package init(ancestors: [StatusView], descendants: [StatusView]) {
        self.ancestors = ancestors
        self.descendants = descendants
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("ancestors", ancestors)
            json.member("descendants", descendants)
        }
    }
}

/// One state in the history of a post (docs.joinmastodon.org/entities/StatusEdit).
package struct StatusEditView: View {
    package let text: String
    package let spoilerText: String
    package let sensitive: Bool
    package let createdAt: Timestamp
    package let author: AccountSnapshot
    package let mentions: [MentionSnapshot]
    package let site: Site

    package init(
        text: String,
        spoilerText: String,
        sensitive: Bool,
        createdAt: Timestamp,
        author: AccountSnapshot,
        mentions: [MentionSnapshot] = [],
        site: Site
    ) {
        self.text = text
        self.spoilerText = spoilerText
        self.sensitive = sensitive
        self.createdAt = createdAt
        self.author = author
        self.mentions = mentions
        self.site = site
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("content", PostText.html(text, mentions: mentions, site: site))
            json.member("spoiler_text", spoilerText)
            json.member("sensitive", sensitive)
            json.member("created_at", createdAt)
            json.member("account", AccountView(author, site: site))
            json.member("media_attachments", [String]())
            json.member("emojis", [String]())
        }
    }
}

/// The text of a post as its author typed it (docs.joinmastodon.org/entities/StatusSource).
package struct StatusSourceView: View {
    package let id: PostID
    package let text: String
    package let spoilerText: String

    package init(id: PostID, text: String, spoilerText: String) {
        self.id = id
        self.text = text
        self.spoilerText = spoilerText
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("text", text)
            json.member("spoiler_text", spoilerText)
        }
    }
}

/// A hashtag (docs.joinmastodon.org/entities/Tag).
package struct TagView: View {
    /// Without `#`.
    package let name: String
    /// Whether the asking account follows it; nil leaves the member out.
    package let following: Bool?
    package let site: Site

    package init(name: String, following: Bool? = nil, site: Site) {
        self.name = name
        self.following = following
        self.site = site
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", name)
            json.member("name", name)
            json.member("url", site.tagURL(name))
            json.member("history", [String]())
            if let following { json.member("following", following) }
        }
    }
}
