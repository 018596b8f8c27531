// SPDX-License-Identifier: Apache-2.0
// How accounts and posts look at one moment, as events carry them and as every answer is built from them.

public import Domain

/// A name and a value that a person shows on their profile.
public struct ProfileField: Codable, Hashable, Sendable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A picture of a profile, as every client can show it.
public struct PictureSnapshot: Codable, Hashable, Sendable {
    /// The upload that it was made of.
    public let id: MediaID
    /// The name of the stored file, of which `FileLinks` makes a link.
    public let file: String

    public init(id: MediaID, file: String) {
        self.id = id
        self.file = file
    }
}

/// What few people set of their profile; nil where they did not.
public struct ProfileExtras: Codable, Hashable, Sendable {
    /// Whether search engines and searches may know the posts.
    public var indexable: Bool?
    /// Whether nobody else sees whom the account follows and who follows it.
    public var hideCollections: Bool?
    /// Whether others see what the account made a favourite.
    public var showFavourites: Bool?
    /// BCP 47, in the order of the person.
    public var nativeLanguages: [String]?
    public var targetLanguages: [String]?
    /// 1:1.
    public var avatar: PictureSnapshot?
    /// 3:1.
    public var header: PictureSnapshot?
    /// What the pictures show, for those who cannot see them; empty for nothing, as nil.
    public var avatarDescription: String?
    public var headerDescription: String?
    /// What the account is kept from, which no person sets; nil for nothing.
    public var restrictions: [Restriction]?

    public init(
        indexable: Bool? = nil,
        hideCollections: Bool? = nil,
        showFavourites: Bool? = nil,
        nativeLanguages: [String]? = nil,
        targetLanguages: [String]? = nil,
        avatar: PictureSnapshot? = nil,
        header: PictureSnapshot? = nil,
        avatarDescription: String? = nil,
        headerDescription: String? = nil,
        restrictions: [Restriction]? = nil
    ) {
        self.indexable = indexable
        self.hideCollections = hideCollections
        self.showFavourites = showFavourites
        self.nativeLanguages = nativeLanguages
        self.targetLanguages = targetLanguages
        self.avatar = avatar
        self.header = header
        self.avatarDescription = avatarDescription
        self.headerDescription = headerDescription
        self.restrictions = restrictions
    }

    enum CodingKeys: String, SnakeCased {
        case indexable, avatar, header, hideCollections, showFavourites, nativeLanguages, targetLanguages
        case avatarDescription, headerDescription, restrictions
    }
}

/// An account as the world sees it.
public struct AccountSnapshot: Codable, Hashable, Sendable {
    public var id: AccountID
    public var username: Username
    public var displayName: String
    /// Plain text.
    public var note: String
    public var fields: [ProfileField]
    public var locked: Bool
    public var bot: Bool
    public var discoverable: Bool
    public var createdAt: Timestamp
    public var lastPostAt: Timestamp?
    public var postsCount: Int
    public var followersCount: Int
    public var followingCount: Int
    /// Rises with every change of the row, counts included.
    public var version: Int64
    public var extras: ProfileExtras?

    /// Whether search engines and searches may know the posts: as the person said, else as with the profile.
    public var isIndexable: Bool { extras?.indexable ?? discoverable }

    /// What was in force when it was told.
    public var restrictions: [Restriction] { extras?.restrictions ?? [] }
    public var isHidden: Bool { restrictions.contains(where: \.hides) }

    /// As its owner sees it, who is shown whatever it is kept from.
    public var asOwn: AccountSnapshot {
        var own = self
        own.extras?.restrictions = nil
        return own
    }

    public init(
        id: AccountID,
        username: Username,
        displayName: String = "",
        note: String = "",
        fields: [ProfileField] = [],
        locked: Bool = false,
        bot: Bool = false,
        discoverable: Bool = false,
        createdAt: Timestamp,
        lastPostAt: Timestamp? = nil,
        postsCount: Int = 0,
        followersCount: Int = 0,
        followingCount: Int = 0,
        version: Int64,
        extras: ProfileExtras? = nil
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.note = note
        self.fields = fields
        self.locked = locked
        self.bot = bot
        self.discoverable = discoverable
        self.createdAt = createdAt
        self.lastPostAt = lastPostAt
        self.postsCount = postsCount
        self.followersCount = followersCount
        self.followingCount = followingCount
        self.version = version
        self.extras = extras
    }

    enum CodingKeys: String, SnakeCased {
        case id, username, note, fields, locked, bot, discoverable, version, extras, displayName, createdAt
        case lastPostAt, postsCount, followersCount, followingCount
    }
}

/// An account that a post names.
public struct MentionSnapshot: Codable, Hashable, Sendable {
    public let id: AccountID
    public let username: Username

    public init(id: AccountID, username: Username) {
        self.id = id
        self.username = username
    }
}

/// The app with which a post was written.
public struct AppSnapshot: Codable, Hashable, Sendable {
    public let name: String
    public let website: String?

    public init(name: String, website: String?) {
        self.name = name
        self.website = website
    }
}

/// A file as a post shows it.
public struct MediaSnapshot: Codable, Hashable, Sendable {
    public let id: MediaID
    public let type: MediaType
    public let original: RenditionSnapshot
    /// A small still image.
    public let preview: RenditionSnapshot?
    public let blurhash: String?
    /// What it shows, for those who cannot see it.
    public var description: String?
    public var focus: FocusSnapshot?
    /// Seconds; nil for what does not last.
    public let duration: Double?

    public init(_ media: MediaProcessed) {
        id = media.mediaID
        type = media.type
        original = media.original
        preview = media.preview
        blurhash = media.blurhash
        description = media.description
        focus = media.focus
        duration = media.duration
    }
}

/// A post as its author wrote it: text, never markup.
public struct PostSnapshot: Codable, Hashable, Sendable {
    public var id: PostID
    public var accountID: AccountID
    public var text: String
    public var spoilerText: String
    public var sensitive: Bool
    public var visibility: Visibility
    /// ISO 639, two or three letters, perhaps with a region.
    public var language: String?
    public var inReplyToID: PostID?
    public var inReplyToAccountID: AccountID?
    public var mentions: [MentionSnapshot]
    /// Without `#`, in lower case.
    public var tags: [String]
    public var app: AppSnapshot?
    public var createdAt: Timestamp
    public var editedAt: Timestamp?
    public var repliesCount: Int
    public var boostsCount: Int
    public var favouritesCount: Int
    /// Rises with every change of the row, counts included.
    public var version: Int64
    /// Its files in their order; nil where it has none.
    public var media: [MediaSnapshot]?

    public init(
        id: PostID,
        accountID: AccountID,
        text: String,
        spoilerText: String = "",
        sensitive: Bool = false,
        visibility: Visibility = .public,
        language: String? = nil,
        inReplyToID: PostID? = nil,
        inReplyToAccountID: AccountID? = nil,
        mentions: [MentionSnapshot] = [],
        tags: [String] = [],
        app: AppSnapshot? = nil,
        createdAt: Timestamp,
        editedAt: Timestamp? = nil,
        repliesCount: Int = 0,
        boostsCount: Int = 0,
        favouritesCount: Int = 0,
        version: Int64,
        media: [MediaSnapshot]? = nil
    ) {
        self.id = id
        self.accountID = accountID
        self.text = text
        self.spoilerText = spoilerText
        self.sensitive = sensitive
        self.visibility = visibility
        self.language = language
        self.inReplyToID = inReplyToID
        self.inReplyToAccountID = inReplyToAccountID
        self.mentions = mentions
        self.tags = tags
        self.app = app
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.repliesCount = repliesCount
        self.boostsCount = boostsCount
        self.favouritesCount = favouritesCount
        self.version = version
        self.media = media
    }

    enum CodingKeys: String, SnakeCased {
        case id, text, sensitive, visibility, language, mentions, tags, app, version, media, accountID, spoilerText
        case inReplyToID, inReplyToAccountID, createdAt, editedAt, repliesCount, boostsCount, favouritesCount
    }
}
