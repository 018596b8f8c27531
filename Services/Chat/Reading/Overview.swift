// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/conversations-overview: every place where somebody talks, with what is new there.

import Domain
import Events
import Serving
import Views
import Web

/// Playgrounds, channels and direct messages with their last message and exact counts.
enum Overview {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        return try await dependencies.answers.answer(to: request, in: dependencies.database) {
            let conversations = try await OverviewStore.conversations(of: reader, in: dependencies.database)
            let lastMessages = conversations.compactMap(\.lastMessage)
            let view = OverviewView(
                playgrounds: try await OverviewStore.playgrounds(of: reader, in: dependencies.database),
                conversations: conversations,
                messages: try await dependencies.keptMessages.shown(lastMessages, dependencies),
                site: dependencies.site,
                now: dependencies.now()
            )
            let answer = Answer.json(bytes: view.json(capacity: 1024 + conversations.count * 1536))
            return Shown(answer, subjects: view.subjects.map { [reader.rawValue] + $0 })
        }
    }
}

private struct OverviewView: ObjectView {
    let playgrounds: [SeenPlayground]
    let conversations: [Conversation]
    let messages: [MessageID: KeptMessage]
    let site: Site
    let now: Timestamp
    /// What is new in the channels of each playground.
    let news: [PlaygroundID: News]

    struct News {
        var unread: Int64 = 0
        var mentions: Int64 = 0
    }

    init(
        playgrounds: [SeenPlayground],
        conversations: [Conversation],
        messages: [MessageID: KeptMessage],
        site: Site,
        now: Timestamp
    ) {
        self.playgrounds = playgrounds
        self.conversations = conversations
        self.messages = messages
        self.site = site
        self.now = now
        news = conversations.reduce(into: [:]) { news, one in
            guard let playground = one.seen.channel.playgroundID, !one.isDirect else { return }
            news[playground, default: News()].unread += one.unread
            news[playground, default: News()].mentions += one.mentions
        }
    }

    /// Whatever it shows besides what is the reader's, as `changes` names it; nil where it does not last.
    var subjects: [Int64]? {
        var subjects = Set(
            playgrounds.flatMap { [$0.id.rawValue, $0.playground.coverID?.rawValue].compactMap(\.self) }
        )
        for conversation in conversations {
            let channel = conversation.seen.channel
            if isMuted(conversation) { return nil }
            subjects.insert(channel.id.rawValue)
            subjects.formUnion(channel.people.map(\.id.rawValue))
        }
        for message in messages.values {
            guard let shown = message.subjects else { return nil }
            subjects.formUnion(shown)
        }
        return Array(subjects)
    }

    /// It ends by itself.
    private func isMuted(_ conversation: Conversation) -> Bool {
        conversation.seen.membership?.mutedUntil.map { $0 > now } ?? false
    }

    func writeMembers(to json: inout JSONWriter) {
        json.array("playgrounds", playgrounds, write)
        json.array("channels", conversations.lazy.filter { !$0.isDirect }, write)
        json.array("direct_channels", conversations.lazy.filter(\.isDirect), write)
    }

    private func write(to json: inout JSONWriter, _ playground: SeenPlayground) {
        let news = news[playground.id] ?? News()
        PlaygroundView(playground, site: site).writeMembers(to: &json)
        json.member("unread_count", news.unread)
        json.member("mentions_count", news.mentions)
    }

    private func write(to json: inout JSONWriter, _ conversation: Conversation) {
        ChannelView(conversation.seen, site: site).writeMembers(to: &json)
        json.member("last_message", conversation.lastMessage.flatMap { messages[$0.id] })
        json.member("unread_count", conversation.unread)
        json.member("mentions_count", conversation.mentions)
        json.member("muted", isMuted(conversation))
    }
}
