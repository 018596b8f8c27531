// SPDX-License-Identifier: Apache-2.0
// POST /internal/found: what of what search found the asking person may see.

import Calls
import Domain
import Events
import Web

/// Shows playgrounds, channels, members and messages in the order in which they were found.
enum ShowFound {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let found = try FoundInChat(request.parameters())
        if let playground = found.playground {
            let seen = try await PlaygroundStore.seen(playground, by: viewer, in: dependencies.database).found()
            try seen.require(.look)
        }
        async let playgrounds = playgrounds(found, viewer, dependencies)
        async let channels = channels(found, viewer, dependencies)
        async let members = members(found, dependencies)
        async let messages = messages(found, viewer, dependencies)
        let shown = try await (playgrounds, channels, members, messages)
        return .json { json in
            ShownInChat.write(
                playgrounds: shown.0.map { PlaygroundView($0, site: dependencies.site) },
                channels: shown.1.map { ChannelView($0, site: dependencies.site) },
                members: shown.2.map { MemberView(member: $0, site: dependencies.site) },
                messages: shown.3.map { MessageView(message: $0.message, site: dependencies.site) },
                to: &json
            )
        }
    }

    private static func playgrounds(
        _ found: FoundInChat,
        _ viewer: AccountID,
        _ dependencies: Dependencies
    ) async throws -> [SeenPlayground] {
        guard !found.playgrounds.isEmpty else { return [] }
        let seen = try await PlaygroundStore.found(found.playgrounds, by: viewer, in: dependencies.database)
        return seen.filter { Permission.refusal(.see, $0.role, isOpen: $0.playground.isOpen) == nil }
    }

    /// Channels of a playground, or wherever they are.
    private static func channels(
        _ found: FoundInChat,
        _ viewer: AccountID,
        _ dependencies: Dependencies
    ) async throws -> [SeenChannel] {
        let name = found.playground == nil ? nil : found.name
        guard !found.channels.isEmpty || name != nil else { return [] }
        let seen = try await ChannelStore.found(
            found.channels,
            named: name,
            in: found.playground,
            seenBy: viewer,
            in: dependencies.database
        )
        return seen.filter { seen in
            let isThere =
                found.playground.map { $0 == seen.channel.playgroundID && !seen.channel.type.isDirect } ?? true
            return isThere && Permission.refusal(.see, seen.ties) == nil
        }
    }

    private static func members(_ found: FoundInChat, _ dependencies: Dependencies) async throws -> [Member] {
        let name = found.name.flatMap { Username(acct: $0, domain: dependencies.site.domain) }
        guard let playground = found.playground, !found.members.isEmpty || name != nil else { return [] }
        return try await MemberStore.found(
            found.members,
            named: name,
            of: .playground(playground),
            in: dependencies.database
        )
    }

    private static func messages(
        _ found: FoundInChat,
        _ viewer: AccountID,
        _ dependencies: Dependencies
    ) async throws -> [SeenMessage] {
        guard !found.messages.isEmpty else { return [] }
        let seen = try await MessageStore.found(found.messages, by: viewer, in: dependencies.database)
        return seen.filter { seen in
            let isThere = found.playground.map { $0 == seen.access.channel.playgroundID } ?? true
            return isThere && !seen.message.author.isHidden && Permission.refusal(.see, seen.access.ties) == nil
        }
    }
}
