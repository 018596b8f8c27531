// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Status (docs.joinmastodon.org/entities/Status).

package import Domain
package import Events

/// A post, or a boost of one, as a client sees it.
package struct StatusView: View {
    /// What the asking account has done with the post.
    package struct Viewer: Hashable, Sendable {
        package var favourited: Bool
        package var boosted: Bool
        package var bookmarked: Bool
        /// Whether the conversation is muted.
        package var muted: Bool

        package init(favourited: Bool = false, boosted: Bool = false, bookmarked: Bool = false, muted: Bool = false) {
            self.favourited = favourited
            self.boosted = boosted
            self.bookmarked = bookmarked
            self.muted = muted
        }
    }

    /// A boost: an entry of its own, made by somebody, around a post.
    package struct Boost: Sendable {
        package let id: PostID
        package let account: AccountSnapshot
        package let visibility: Visibility
        package let createdAt: Timestamp

        package init(id: PostID, account: AccountSnapshot, visibility: Visibility, createdAt: Timestamp) {
            self.id = id
            self.account = account
            self.visibility = visibility
            self.createdAt = createdAt
        }
    }

    package let post: PostSnapshot
    package let author: AccountSnapshot
    package let boost: Boost?
    /// Nil when nobody is signed in; then the viewer's members are left out.
    package let viewer: Viewer?
    /// Whether `text`, the source, is given too: after a deletion only.
    package let withText: Bool
    package let site: Site

    package init(
        _ post: PostSnapshot,
        author: AccountSnapshot,
        boost: Boost? = nil,
        viewer: Viewer? = nil,
        withText: Bool = false,
        site: Site
    ) {
        self.post = post
        self.author = author
        self.boost = boost
        self.viewer = viewer
        self.withText = withText
        self.site = site
    }

    package func write(to json: inout JSONWriter) { fatalError("stub") }
}
