// SPDX-License-Identifier: Apache-2.0
// What others tell, as documents.

import Domain
import Events
import Views

extension SearchDocument {
    /// By its name, and by what it says of itself if it wants to be found by that.
    init(_ account: AccountSnapshot) {
        let username = account.username.text
        let names = account.displayName.isEmpty ? [username] : [account.displayName, username]
        let words = account.discoverable ? [account.note] + account.fields.flatMap { [$0.name, $0.value] } : []
        self.init(
            kind: .account,
            id: account.id.rawValue,
            version: account.version,
            author: account.id,
            popularity: SearchPopularity.doubled(account.followersCount),
            names: names,
            text: (names + words).joined(separator: "\n")
        )
        popularityVersion = account.version
    }

    init(_ post: PostSnapshot) {
        self.init(
            kind: .post,
            id: post.id.rawValue,
            version: post.version,
            author: post.accountID,
            audience: SearchAudience(post.visibility),
            people: post.mentions.map(\.id),
            language: post.language.map(Self.language),
            popularity: SearchPopularity(post).popularity,
            attachments: SearchQuery.Attachment.all(in: post.text, post.media ?? []),
            text: post.spoilerText.isEmpty ? post.text : "\(post.spoilerText)\n\(post.text)"
        )
        popularityVersion = post.version
    }

    /// A word that was used in public, without who used it.
    init(tag name: String) {
        self.init(kind: .hashtag, id: Self.id(ofTag: name), version: 1, names: [name], text: name)
    }

    static func id(ofTag name: String) -> Int64 { stableNumber("tag", name) }

    /// Members find it, and everybody does if anybody may come in.
    init(_ playground: PlaygroundSnapshot) {
        self.init(
            kind: .playground,
            id: playground.id.rawValue,
            version: playground.version,
            audience: playground.open == true ? .everyone : .members,
            place: playground.id.rawValue,
            names: [playground.name],
            text: "\(playground.name)\n\(playground.description)"
        )
    }

    /// Everybody in the playground finds a public one.
    init(_ channel: ChannelSnapshot) {
        self.init(
            kind: .channel,
            id: channel.id.rawValue,
            version: channel.version,
            audience: .members,
            place: (channel.type == .public ? channel.playgroundID?.rawValue : nil) ?? channel.id.rawValue,
            names: [channel.name],
            text: "\(channel.name)\n\(channel.description)"
        )
    }

    init(_ message: MessageSnapshot) {
        var attachments: Set<SearchQuery.Attachment> = []
        if !PostText.links(in: message.text).isEmpty { attachments.insert(.link) }
        if message.gif != nil { attachments.insert(.image) }
        // Of files no more is told than that they are there.
        if !message.attachmentIDs.isEmpty { attachments.insert(.media) }
        self.init(
            kind: .message,
            id: message.id.rawValue,
            version: message.change,
            author: message.authorID,
            audience: .members,
            place: message.channelID.rawValue,
            people: message.mentions.map(\.id),
            language: message.language.map(Self.language),
            attachments: attachments,
            text: message.gif.map { "\(message.text)\n\($0.title)" } ?? message.text
        )
    }

    /// Everybody finds what looks for people; a draft, whoever writes it.
    init(_ project: ProjectSnapshot) {
        let lines = [project.title, project.summary, project.category ?? "", project.place ?? ""]
        let words = project.roles.map(\.name) + project.tags.map { "#\($0)" }
        self.init(
            kind: .project,
            id: project.id.rawValue,
            version: project.version,
            author: project.leaderID,
            audience: project.state == .draft ? .named : .everyone,
            language: project.language.map(Self.language),
            attachments: SearchQuery.Attachment.all(in: project.text, project.media),
            names: [project.title],
            text: (lines + words + [project.text]).filter { !$0.isEmpty }.joined(separator: "\n")
        )
    }

    /// Without the region.
    private static func language(_ tag: String) -> String {
        String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
    }
}

extension SearchQuery.Attachment {
    /// What is shown besides a text.
    static func all(in text: String, _ media: [MediaSnapshot]) -> Set<Self> {
        var attachments: Set<Self> = PostText.links(in: text).isEmpty ? [] : [.link]
        for media in media {
            attachments.insert(.media)
            switch media.type {
            case .image: attachments.insert(.image)
            case .gifv: attachments.formUnion([.image, .gifv])
            case .video: attachments.insert(.video)
            case .audio: attachments.insert(.audio)
            case .file: break
            }
        }
        return attachments
    }
}

extension SearchAudience {
    init(_ visibility: Visibility) {
        self =
            switch visibility {
            case .public: .public
            case .unlisted: .unlisted
            case .private: .followers
            case .direct: .named
            }
    }
}

extension SearchPopularity {
    /// A boost reaches others, so it counts twice.
    init(_ post: PostSnapshot) {
        self.init(
            kind: .post,
            id: post.id.rawValue,
            popularity: Self.bounded(post.favouritesCount) + 2 * Self.bounded(post.boostsCount),
            version: post.version
        )
    }

    /// The largest power of two up to a count: only a doubling moves anything in a list.
    static func doubled(_ count: Int) -> Int {
        let count = bounded(count)
        return count == 0 ? 0 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
    }

    /// Within what a column takes, thrice.
    static func bounded(_ count: Int) -> Int { min(max(count, 0), 500_000_000) }
}

extension Person {
    init(_ account: AccountSnapshot) {
        // Of whom only followers are to hear, nobody is told who does not look for them by name.
        let isLimited = account.restrictions.contains(.limited)
        self.init(
            id: account.id,
            version: account.version,
            handle: account.username.text,
            isIndexable: account.isIndexable && !isLimited,
            isGone: account.isHidden
        )
        let document = SearchDocument(account)
        profile = stableNumber(document.names.joined(separator: "\n"), document.text)
        followers = SearchPopularity.bounded(account.followersCount)
        isSuggested = account.discoverable && !account.bot && !isLimited
        hidesFollows = account.extras?.hideCollections == true
        languages = account.extras?.nativeLanguages ?? []
    }
}
