// SPDX-License-Identifier: Apache-2.0
// What the gateway asks posts and chat to show of what search found. What one may not see is left out of the answer.

public import Domain
import JSON
public import NIOCore
public import Views
public import Web

/// What `PostsCall.getFoundAccounts` is asked.
public struct FoundAccounts: CallBody, Equatable {
    private static let most = 100

    /// Best first; 100 at most.
    public let ids: [AccountID]
    /// Whoever is called exactly so comes first, whether or not the index knows them by now.
    public let name: Username?
    /// Only whom the asking one follows.
    public let isFollowed: Bool
    /// From 1 to 100.
    public let limit: Int

    public init(_ ids: [AccountID], name: Username? = nil, isFollowed: Bool = false, limit: Int = 100) {
        (self.ids, self.name, self.isFollowed, self.limit) = (ids, name, isFollowed, limit)
    }

    public init(_ parameters: Parameters) throws {
        self.init(
            try parameters.found("ids", most: FoundAccounts.most),
            name: try parameters.string("name").flatMap { Username($0) },
            isFollowed: try parameters.boolean("followed") ?? false,
            limit: try parameters.limit(default: FoundAccounts.most, maximum: FoundAccounts.most)
        )
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("ids", ids.map(\.description))
        if let name { json.member("name", name.text) }
        if isFollowed { json.member("followed", true) }
        json.member("limit", limit)
    }
}

/// What `PostsCall.getFoundProjects` and `PostsCall.getFoundRecords` are asked: ids, best first, 100 at most.
public struct FoundThings<Kind>: CallBody, Equatable {
    public let ids: [ID<Kind>]

    public init(_ ids: [ID<Kind>]) { self.ids = ids }

    public init(_ parameters: Parameters) throws { ids = try parameters.found("ids", most: 100) }

    public func writeMembers(to json: inout JSONWriter) { json.member("ids", ids.map(\.description)) }
}

/// What `ChatCall.getFound` is asked. Each list is in search's order, which the answer keeps.
public struct FoundInChat: CallBody, Equatable {
    private static let most = 100

    /// Where channels, members and messages must be; without it there are no members.
    public var playground: PlaygroundID?
    /// A channel or a member of the playground that is called exactly so comes first, whether or not the index knows it by now.
    public var name: String?
    public var playgrounds: [PlaygroundID] = []
    public var channels: [ChannelID] = []
    public var members: [AccountID] = []
    public var messages: [MessageID] = []

    public init() {}

    public init(_ parameters: Parameters) throws {
        playground = try parameters.id("playground_id")
        name = try parameters.string("name")
        playgrounds = try parameters.found("playgrounds", most: FoundInChat.most)
        channels = try parameters.found("channels", most: FoundInChat.most)
        members = try parameters.found("members", most: FoundInChat.most)
        messages = try parameters.found("messages", most: FoundInChat.most)
    }

    public func writeMembers(to json: inout JSONWriter) {
        if let playground { json.member("playground_id", playground) }
        if let name { json.member("name", name) }
        json.member("playgrounds", playgrounds.map(\.description))
        json.member("channels", channels.map(\.description))
        json.member("members", members.map(\.description))
        json.member("messages", messages.map(\.description))
    }
}

/// What `ChatCall.getFound` is answered: lists as chat wrote them.
public struct ShownInChat: Sendable {
    public let playgrounds: ByteBuffer
    public let channels: ByteBuffer
    public let members: ByteBuffer
    public let messages: ByteBuffer

    /// Nil for what is no such answer.
    public init?(answer: ByteBuffer) {
        guard let members = RawJSON(answer).members else { return nil }
        let lists = Dictionary(members.map { ($0.name, $0.value.bytes) }) { $1 }
        guard let playgrounds = lists["playgrounds"], let channels = lists["channels"], let people = lists["members"],
            let messages = lists["messages"]
        else { return nil }
        (self.playgrounds, self.channels, self.members, self.messages) = (playgrounds, channels, people, messages)
    }

    /// Writes the members of an answer.
    public static func write(
        playgrounds: [some View],
        channels: [some View],
        members: [some View],
        messages: [some View],
        to json: inout JSONWriter
    ) {
        json.member("playgrounds", playgrounds)
        json.member("channels", channels)
        json.member("members", members)
        json.member("messages", messages)
    }
}

extension Parameters {
    fileprivate func found<Kind>(_ name: String, most: Int) throws -> [ID<Kind>] {
        let ids: [ID<Kind>] = try ids(name) ?? []
        guard ids.count <= most else { throw Problem.invalid(name, "too_many") }
        return ids
    }
}
