// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/conversations-overview: every place where somebody talks, with what is new there.

import Domain
import Serving
import Views
import Web

/// Playgrounds, channels and direct messages with their last message and exact counts.
enum Overview {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        return try await dependencies.kept.answers.answer(to: request, in: dependencies.database) {
            let view = OverviewView(
                playgrounds: try await OverviewStore.playgrounds(of: reader, in: dependencies.database),
                conversations: try await conversations(of: reader, dependencies),
                site: dependencies.site
            )
            let size = view.conversations.reduce(1024) { $0 + $1.size }
            let answer = Answer.json(bytes: view.json(capacity: size))
            return Shown(answer, subjects: view.subjects.map { [reader.rawValue] + $0 })
        }
    }

    /// Where somebody was heard last comes first.
    private static func conversations(
        of reader: AccountID,
        _ dependencies: Dependencies
    ) async throws -> [KeptConversation] {
        let database = dependencies.database
        return try await dependencies.kept.conversations.parts(of: reader.rawValue, in: database) {
            try await OverviewStore.channels(of: reader, in: database).map(\.rawValue)
        } make: { ids in
            let conversations = try await OverviewStore.conversations(ids.map(ChannelID.init), of: reader, in: database)
            let messages = try await dependencies.kept.messages
                .shown(conversations.compactMap(\.lastMessage), dependencies)
            return conversations.map { conversation in
                KeptConversation(
                    conversation,
                    lastMessage: conversation.lastMessage.flatMap { messages[$0.id] },
                    site: dependencies.site,
                    now: dependencies.now()
                )
            }
        }.sorted { ($0.heardAt, $0.id) > ($1.heardAt, $1.id) }
    }
}

private struct OverviewView: ObjectView {
    let playgrounds: [SeenPlayground]
    let conversations: [KeptConversation]
    let site: Site

    private struct News {
        var unread: Int64 = 0
        var mentions: Int64 = 0
    }

    /// What is new in the channels of each playground.
    private var news: [PlaygroundID: News] {
        conversations.reduce(into: [:]) { news, one in
            guard let playground = one.playgroundID, !one.isDirect else { return }
            news[playground, default: News()].unread += one.unread
            news[playground, default: News()].mentions += one.mentions
        }
    }

    /// Whatever it shows besides what is the reader's, as `changes` names it; nil where it does not last.
    var subjects: [Int64]? {
        var subjects = playgrounds.flatMap { [$0.id.rawValue, $0.playground.coverID?.rawValue].compactMap(\.self) }
        for conversation in conversations {
            guard let shown = conversation.subjects else { return nil }
            subjects += shown
        }
        return subjects
    }

    func writeMembers(to json: inout JSONWriter) {
        let news = news
        json.array("playgrounds", playgrounds) { json, playground in
            let news = news[playground.id] ?? News()
            PlaygroundView(playground, site: site).writeMembers(to: &json)
            json.member("unread_count", news.unread)
            json.member("mentions_count", news.mentions)
        }
        json.member("channels", Conversations(conversations.filter { !$0.isDirect }))
        json.member("direct_channels", Conversations(conversations.filter(\.isDirect)))
    }
}

private struct Conversations: View {
    let conversations: [KeptConversation]

    init(_ conversations: [KeptConversation]) { self.conversations = conversations }

    func write(to json: inout JSONWriter) { json.array(conversations) }
}
