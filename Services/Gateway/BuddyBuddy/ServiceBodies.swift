// SPDX-License-Identifier: Apache-2.0
// What is read of our services' answers: only what Buddy Buddy is told.

import Domain

/// A person as chat and posts show one.
struct PersonBody: Decodable, Sendable {
    let id: String
    let username: String
    let displayName: String?
    let avatar: String?

    enum CodingKeys: String, SnakeCased { case id, username, avatar, displayName }

    /// People who never chose a name go by their username.
    var name: String {
        guard let displayName, !displayName.isEmpty else { return username }
        return displayName
    }
}

/// A member of a playground or channel: the person, whatever stands around it.
struct MemberBody: Decodable, Sendable {
    let person: PersonBody

    private enum CodingKeys: String, CodingKey {
        case account
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        person = try container.decodeIfPresent(PersonBody.self, forKey: .account) ?? PersonBody(from: decoder)
    }
}

struct PlaygroundBody: Decodable, Sendable {
    struct Cover: Decodable, Sendable {
        let url: String?
    }

    let id: String
    let name: String
    let description: String?
    let cover: Cover?
    let ownerID: String?
    /// Nil for an outsider.
    let role: String?
    let createdAt: String

    enum CodingKeys: String, SnakeCased { case id, name, description, cover, role, ownerID, createdAt }
}

struct ChannelBody: Decodable, Sendable {
    let id: String
    let type: String
    let playgroundID: String?
    let name: String?
    let description: String?
    let ownerID: String?
    let member: Bool?
    /// Of direct messages only: everyone.
    let members: [PersonBody]?
    let createdAt: String

    enum CodingKeys: String, SnakeCased {
        case id, type, name, description, member, members, playgroundID, ownerID, createdAt
    }
}

struct MessageBody: Decodable, Sendable {
    struct Attachment: Decodable, Sendable {
        let id: String
        /// A link that ends; nil until there is something to show.
        let url: String?
        let state: String?
    }

    struct Gif: Decodable, Sendable {
        let url: String?
    }

    let id: String
    let channelID: String
    let channelType: String
    let account: PersonBody
    let text: String
    let attachments: [Attachment]?
    let gif: Gif?
    let createdAt: String

    enum CodingKeys: String, SnakeCased { case id, account, text, attachments, gif, channelID, channelType, createdAt }

    var isDirect: Bool { channelType == "direct" || channelType == "group" }
}

struct UnreadBody: Decodable, Sendable {
    let count: Int

    enum CodingKeys: String, CodingKey {
        case count = "unread_count"
    }
}

/// Channels and members of a playground.
struct ContentBody: Decodable, Sendable {
    let channels: [ChannelBody]
    let members: [MemberBody]
}
