// SPDX-License-Identifier: Apache-2.0
// What posts tells of profiles and posts.

package import Domain

/// A profile was made or changed.
package struct ProfileUpdated: ShowingAccounts {
    package static let name = "posts.ProfileUpdated"

    package let account: AccountSnapshot

    package var accounts: [AccountSnapshot] { [account] }
    package var subject: String { account.id.description }
    package var subjectVersion: Int64 { account.version }

    package init(account: AccountSnapshot) {
        self.account = account
    }
}

/// An event that tells how a post is now, and its author.
package protocol TellingPost: ShowingAccounts {
    var author: AccountSnapshot { get }
    var post: PostSnapshot { get }
}

extension TellingPost {
    package var accounts: [AccountSnapshot] { [author] }
    package var subject: String { post.id.description }
    package var subjectVersion: Int64 { post.version }
}

/// Somebody posted, not in answer to another post.
package typealias PostCreated = PostEvent<PostDeeds.Create>

/// Somebody answered a post.
package typealias ReplyCreated = PostEvent<PostDeeds.Reply>

/// The author changed a post.
package typealias PostEdited = PostEvent<PostDeeds.Edit>

/// Tells how a post of its author is now.
package struct PostEvent<Deed: EventName>: TellingPost {
    package static var name: String { Deed.name }

    package let author: AccountSnapshot
    package let post: PostSnapshot
    /// Whether nobody need be notified: only what is said of a file of the post changed.
    package let quiet: Bool?

    package init(author: AccountSnapshot, post: PostSnapshot, quiet: Bool? = nil) {
        self.author = author
        self.post = post
        self.quiet = quiet
    }
}

/// The deeds after which a post is told as a whole.
package enum PostDeeds {
    package enum Create: EventName { package static let name = "posts.PostCreated" }
    package enum Reply: EventName { package static let name = "posts.ReplyCreated" }
    package enum Edit: EventName { package static let name = "posts.PostEdited" }
}

/// The author deleted a post; nothing of it may be shown any more.
package struct PostDeleted: Event {
    package static let name = "posts.PostDeleted"

    package let postID: PostID
    package let accountID: AccountID
    /// Boosts of the post, which go with it: some of them. The event comes again, with the same version, for others.
    package let boostIDs: [PostID]
    /// Higher than that of any earlier event of the post.
    package let subjectVersion: Int64
    /// Whether the deletion was told before and only these boosts are new.
    package let continues: Bool?

    package var subject: String { postID.description }

    package init(
        postID: PostID,
        accountID: AccountID,
        boostIDs: [PostID],
        subjectVersion: Int64,
        continues: Bool? = nil
    ) {
        self.postID = postID
        self.accountID = accountID
        self.boostIDs = boostIDs
        self.subjectVersion = subjectVersion
        self.continues = continues
    }

    enum CodingKeys: String, SnakeCased { case postID, accountID, boostIDs, subjectVersion, continues }
}

/// Somebody made a post a favourite.
package struct PostLiked: TellingPost {
    package static let name = "posts.PostLiked"

    /// Who did it.
    package let actor: AccountSnapshot
    package let post: PostSnapshot
    /// Of the post.
    package let author: AccountSnapshot
    package let likedAt: Timestamp

    package var accounts: [AccountSnapshot] { [actor, author] }

    package init(actor: AccountSnapshot, post: PostSnapshot, author: AccountSnapshot, likedAt: Timestamp) {
        self.actor = actor
        self.post = post
        self.author = author
        self.likedAt = likedAt
    }

    enum CodingKeys: String, SnakeCased { case actor, post, author, likedAt }
}

/// Somebody took a favourite back.
package struct PostUnliked: Event {
    package static let name = "posts.PostUnliked"

    package let actorID: AccountID
    package let postID: PostID
    package let subjectVersion: Int64

    package var subject: String { postID.description }

    package init(actorID: AccountID, postID: PostID, subjectVersion: Int64) {
        self.actorID = actorID
        self.postID = postID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actorID, postID, subjectVersion }
}

/// Somebody boosted a post.
package struct PostReposted: TellingPost {
    package static let name = "posts.PostReposted"

    /// Who did it.
    package let actor: AccountSnapshot
    /// The boost, which is an entry of timelines like a post.
    package let boostID: PostID
    package let post: PostSnapshot
    /// Of the post.
    package let author: AccountSnapshot
    /// Of the boost.
    package let visibility: Visibility
    package let boostedAt: Timestamp

    package var accounts: [AccountSnapshot] { [actor, author] }

    package init(
        actor: AccountSnapshot,
        boostID: PostID,
        post: PostSnapshot,
        author: AccountSnapshot,
        visibility: Visibility,
        boostedAt: Timestamp
    ) {
        self.actor = actor
        self.boostID = boostID
        self.post = post
        self.author = author
        self.visibility = visibility
        self.boostedAt = boostedAt
    }

    enum CodingKeys: String, SnakeCased { case actor, post, author, visibility, boostID, boostedAt }
}

/// Somebody took a boost back.
package struct PostUnreposted: Event {
    package static let name = "posts.PostUnreposted"

    package let actorID: AccountID
    package let boostID: PostID
    package let postID: PostID
    package let subjectVersion: Int64

    package var subject: String { postID.description }

    package init(actorID: AccountID, boostID: PostID, postID: PostID, subjectVersion: Int64) {
        self.actorID = actorID
        self.boostID = boostID
        self.postID = postID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actorID, boostID, postID, subjectVersion }
}

/// Some people are to hear of a post: they asked to when they followed its author, or they boosted what has changed.
///
/// It comes several times for one post, each time for others.
package struct PostAnnounced: TellingPost {
    package static let name = "posts.PostAnnounced"

    /// The Mastodon notification type: `status` or `update`.
    package let type: String
    package let author: AccountSnapshot
    package let post: PostSnapshot
    /// Who is to hear of it; 100 at most.
    package let recipients: [AccountID]

    package init(type: String, author: AccountSnapshot, post: PostSnapshot, recipients: [AccountID]) {
        self.type = type
        self.author = author
        self.post = post
        self.recipients = recipients
    }
}

/// Something appeared in, changed in or left timelines that may be open just now.
package struct TimelineUpdated: LiveEvent {
    package static let name = "posts.TimelineUpdated"
    package static let version = 2
    package static let audience = Audience.live

    package let postID: PostID
    package var update: LiveUpdate
    package let subjectVersion: Int64

    package var subject: String { postID.description }

    package init(postID: PostID, update: LiveUpdate, subjectVersion: Int64) {
        self.postID = postID
        self.update = update
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case update, postID, subjectVersion }
}
