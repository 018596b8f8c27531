// SPDX-License-Identifier: Apache-2.0
// What posts tells of profiles and posts.

public import Domain

/// A profile was made or changed.
public struct ProfileUpdated: ShowingAccounts {
    public static let name = "posts.ProfileUpdated"

    public let account: AccountSnapshot

    public var accounts: [AccountSnapshot] { [account] }
    public var subject: String { account.id.description }
    public var subjectVersion: Int64 { account.version }

    public init(account: AccountSnapshot) {
        self.account = account
    }
}

/// An event that tells how a post is now, and its author.
public protocol TellingPost: ShowingAccounts {
    var author: AccountSnapshot { get }
    var post: PostSnapshot { get }
}

extension TellingPost {
    public var accounts: [AccountSnapshot] { [author] }
    public var subject: String { post.id.description }
    public var subjectVersion: Int64 { post.version }
}

/// Somebody posted, not in answer to another post.
public typealias PostCreated = PostEvent<PostDeeds.Create>

/// Somebody answered a post.
public typealias ReplyCreated = PostEvent<PostDeeds.Reply>

/// The author changed a post.
public typealias PostEdited = PostEvent<PostDeeds.Edit>

/// Tells how a post of its author is now.
public struct PostEvent<Deed: EventName>: TellingPost {
    public static var name: String { Deed.name }

    public let author: AccountSnapshot
    public let post: PostSnapshot
    /// Whether nobody need be notified: only what is said of a file of the post changed.
    public let quiet: Bool?

    public init(author: AccountSnapshot, post: PostSnapshot, quiet: Bool? = nil) {
        self.author = author
        self.post = post
        self.quiet = quiet
    }
}

/// The deeds after which a post is told as a whole.
public enum PostDeeds {
    public enum Create: EventName { public static let name = "posts.PostCreated" }
    public enum Reply: EventName { public static let name = "posts.ReplyCreated" }
    public enum Edit: EventName { public static let name = "posts.PostEdited" }
}

/// The author deleted a post; nothing of it may be shown any more.
public struct PostDeleted: Event {
    public static let name = "posts.PostDeleted"

    public let postID: PostID
    public let accountID: AccountID
    /// Boosts of the post, which go with it: some of them. The event comes again, with the same version, for others.
    public let boostIDs: [PostID]
    /// Higher than that of any earlier event of the post.
    public let subjectVersion: Int64
    /// Whether the deletion was told before and only these boosts are new.
    public let continues: Bool?

    public var subject: String { postID.description }

    public init(
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
public struct PostLiked: TellingPost {
    public static let name = "posts.PostLiked"

    /// Who did it.
    public let actor: AccountSnapshot
    public let post: PostSnapshot
    /// Of the post.
    public let author: AccountSnapshot
    public let likedAt: Timestamp

    public var accounts: [AccountSnapshot] { [actor, author] }

    public init(actor: AccountSnapshot, post: PostSnapshot, author: AccountSnapshot, likedAt: Timestamp) {
        self.actor = actor
        self.post = post
        self.author = author
        self.likedAt = likedAt
    }

    enum CodingKeys: String, SnakeCased { case actor, post, author, likedAt }
}

/// Somebody took a favourite back.
public struct PostUnliked: Event {
    public static let name = "posts.PostUnliked"

    public let actorID: AccountID
    public let postID: PostID
    public let subjectVersion: Int64

    public var subject: String { postID.description }

    public init(actorID: AccountID, postID: PostID, subjectVersion: Int64) {
        self.actorID = actorID
        self.postID = postID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actorID, postID, subjectVersion }
}

/// Somebody boosted a post.
public struct PostReposted: TellingPost {
    public static let name = "posts.PostReposted"

    /// Who did it.
    public let actor: AccountSnapshot
    /// The boost, which is an entry of timelines like a post.
    public let boostID: PostID
    public let post: PostSnapshot
    /// Of the post.
    public let author: AccountSnapshot
    /// Of the boost.
    public let visibility: Visibility
    public let boostedAt: Timestamp

    public var accounts: [AccountSnapshot] { [actor, author] }

    public init(
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
public struct PostUnreposted: Event {
    public static let name = "posts.PostUnreposted"

    public let actorID: AccountID
    public let boostID: PostID
    public let postID: PostID
    public let subjectVersion: Int64

    public var subject: String { postID.description }

    public init(actorID: AccountID, boostID: PostID, postID: PostID, subjectVersion: Int64) {
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
public struct PostAnnounced: TellingPost {
    public static let name = "posts.PostAnnounced"

    /// The Mastodon notification type: `status` or `update`.
    public let type: String
    public let author: AccountSnapshot
    public let post: PostSnapshot
    /// Who is to hear of it; 100 at most.
    public let recipients: [AccountID]

    public init(type: String, author: AccountSnapshot, post: PostSnapshot, recipients: [AccountID]) {
        self.type = type
        self.author = author
        self.post = post
        self.recipients = recipients
    }
}

/// Something appeared in, changed in or left timelines that may be open just now.
public struct TimelineUpdated: LiveEvent {
    public static let name = "posts.TimelineUpdated"
    public static let version = 2
    public static let audience = Audience.live

    public let postID: PostID
    public var update: LiveUpdate
    public let subjectVersion: Int64

    public var subject: String { postID.description }

    public init(postID: PostID, update: LiveUpdate, subjectVersion: Int64) {
        self.postID = postID
        self.update = update
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case update, postID, subjectVersion }
}
