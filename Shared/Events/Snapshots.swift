// SPDX-License-Identifier: Apache-2.0
// How accounts and posts look at one moment, as events carry them and as every answer is built from them.

package import Domain

/// A name and a value that a person shows on their profile.
package struct ProfileField: Codable, Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A picture of a profile, as every client can show it.
package struct PictureSnapshot: Codable, Hashable, Sendable {
    /// The upload that it was made of.
    package let id: MediaID
    /// The name of the stored file, of which `FileLinks` makes a link.
    package let file: String

    package init(id: MediaID, file: String) {
        self.id = id
        self.file = file
    }
}

/// What few people set of their profile; nil where they did not.
package struct ProfileExtras: Codable, Hashable, Sendable {
    /// Whether search engines and searches may know the posts.
    package var indexable: Bool?
    /// Whether nobody else sees whom the account follows and who follows it.
    package var hideCollections: Bool?
    /// Whether others see what the account made a favourite.
    package var showFavourites: Bool?
    /// BCP 47, in the order of the person.
    package var nativeLanguages: [String]?
    package var targetLanguages: [String]?
    /// 1:1.
    package var avatar: PictureSnapshot?
    /// 3:1.
    package var header: PictureSnapshot?
    /// What the pictures show, for those who cannot see them; empty for nothing, as nil.
    package var avatarDescription: String?
    package var headerDescription: String?
    /// What the account is kept from, which no person sets; nil for nothing.
    package var restrictions: [Restriction]?

    package init(
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
package struct AccountSnapshot: Codable, Hashable, Sendable {
    package var id: AccountID
    package var username: Username
    package var displayName: String
    /// Plain text.
    package var note: String
    package var fields: [ProfileField]
    package var locked: Bool
    package var bot: Bool
    package var discoverable: Bool
    package var createdAt: Timestamp
    package var lastPostAt: Timestamp?
    package var postsCount: Int
    package var followersCount: Int
    package var followingCount: Int
    /// Rises with every change of the row, counts included.
    package var version: Int64
    package var extras: ProfileExtras?

    /// Whether search engines and searches may know the posts: as the person said, else as with the profile.
    package var isIndexable: Bool { extras?.indexable ?? discoverable }

    /// What was in force when it was told.
    package var restrictions: [Restriction] { extras?.restrictions ?? [] }
    package var isHidden: Bool { restrictions.contains(where: \.hides) }

    /// As its owner sees it, who is shown whatever it is kept from.
    package var asOwn: AccountSnapshot {
        var own = self
        own.extras?.restrictions = nil
        return own
    }

    package init(
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
package struct MentionSnapshot: Codable, Hashable, Sendable {
    package let id: AccountID
    package let username: Username

    package init(id: AccountID, username: Username) {
        self.id = id
        self.username = username
    }
}

/// The app with which a post was written.
package struct AppSnapshot: Codable, Hashable, Sendable {
    package let name: String
    package let website: String?

    package init(name: String, website: String?) {
        self.name = name
        self.website = website
    }
}

/// A file as a post shows it.
package struct MediaSnapshot: Codable, Hashable, Sendable {
    package let id: MediaID
    package let type: MediaType
    package let original: RenditionSnapshot
    /// A small still image.
    package let preview: RenditionSnapshot?
    package let blurhash: String?
    /// What it shows, for those who cannot see it.
    package var description: String?
    package var focus: FocusSnapshot?
    /// Seconds; nil for what does not last.
    package let duration: Double?

    package init(_ media: MediaProcessed) {
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
package struct PostSnapshot: Codable, Hashable, Sendable {
    package var id: PostID
    package var accountID: AccountID
    package var text: String
    package var spoilerText: String
    package var sensitive: Bool
    package var visibility: Visibility
    /// ISO 639, two or three letters, perhaps with a region.
    package var language: String?
    package var inReplyToID: PostID?
    package var inReplyToAccountID: AccountID?
    package var mentions: [MentionSnapshot]
    /// Without `#`, in lower case.
    package var tags: [String]
    package var app: AppSnapshot?
    package var createdAt: Timestamp
    package var editedAt: Timestamp?
    package var repliesCount: Int
    package var boostsCount: Int
    package var favouritesCount: Int
    /// Rises with every change of the row, counts included.
    package var version: Int64
    /// Its files in their order; nil where it has none.
    package var media: [MediaSnapshot]?

    package init(
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
