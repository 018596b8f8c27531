// SPDX-License-Identifier: Apache-2.0
// The queue `media.links`: which pages posts, messages and projects link to.

import Domain
import Events
import Outbox
import Postgres
import Views

/// The page whose preview something shows now, by its newest version.
struct Mention: Sendable {
    enum Kind: String, Sendable {
        case post, message, project
    }

    let kind: Kind
    let subject: Int64
    let version: Int64
    /// In its canonical form; nil for none.
    let url: String?
    /// Whether it may have shown another before.
    let mayReplace: Bool
}

/// Reacts to a batch as a whole: of each thing the newest word is kept, in one statement.
enum Links {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "media.links",
            prefetch: 256,
            prepare: { events, _, transaction in
                guard dependencies.previews.areOn else { return }
                try await keep(newest(events.compactMap(mention)), dependencies, in: transaction)
            },
            [
                noted(PostCreated.self), noted(ReplyCreated.self), noted(PostEdited.self), noted(PostDeleted.self),
                noted(MessageSent.self), noted(MessageEdited.self), noted(MessageDeleted.self),
                noted(ProjectPublished.self), noted(ProjectUpdated.self), noted(ProjectDeleted.self),
            ]
        )
    }

    /// All is done for the batch before.
    private static func noted<E: Event>(_: E.Type) -> Reaction { Reaction(to: E.self) { _, _ in } }

    private static func mention(_ event: any Event) -> Mention? {
        switch event {
        case let event as PostCreated: post(event.post, mayReplace: false)
        case let event as ReplyCreated: post(event.post, mayReplace: false)
        case let event as PostEdited: post(event.post, mayReplace: true)
        case let event as PostDeleted: gone(.post, event.postID.rawValue, event.subjectVersion)
        case let event as MessageSent: message(event.message, mayReplace: false)
        case let event as MessageEdited: message(event.message, mayReplace: true)
        case let event as MessageDeleted: gone(.message, event.messageID.rawValue, event.subjectVersion)
        case let event as ProjectPublished: project(event.project)
        case let event as ProjectUpdated: project(event.project)
        case let event as ProjectDeleted: gone(.project, event.projectID.rawValue, event.subjectVersion)
        default: nil
        }
    }

    private static func post(_ post: PostSnapshot, mayReplace: Bool) -> Mention {
        Mention(
            kind: .post,
            subject: post.id.rawValue,
            version: post.version,
            url: post.previewedLink,
            mayReplace: mayReplace
        )
    }

    private static func message(_ message: MessageSnapshot, mayReplace: Bool) -> Mention {
        Mention(
            kind: .message,
            subject: message.id.rawValue,
            version: message.change,
            url: message.deletedAt == nil ? PostText.firstLink(in: message.text) : nil,
            mayReplace: mayReplace
        )
    }

    /// What is a draft is for its leader's eyes alone: no page is asked for it.
    private static func project(_ project: ProjectSnapshot) -> Mention {
        Mention(
            kind: .project,
            subject: project.id.rawValue,
            version: project.version,
            url: PostText.firstLink(in: project.text),
            mayReplace: true
        )
    }

    private static func gone(_ kind: Mention.Kind, _ subject: Int64, _ version: Int64) -> Mention {
        Mention(kind: kind, subject: subject, version: version, url: nil, mayReplace: true)
    }

    /// The newest word on each thing; what shows nothing and never did needs none.
    private static func newest(_ mentions: [Mention]) -> [Mention] {
        struct Key: Hashable {
            let kind: Mention.Kind
            let subject: Int64
        }
        let newest = Dictionary(mentions.map { (Key(kind: $0.kind, subject: $0.subject), $0) }) {
            $0.version < $1.version ? $1 : $0
        }
        return newest.values.filter { $0.mayReplace || $0.url != nil }
            .sorted { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
    }

    private static func keep(_ mentions: [Mention], _ dependencies: Dependencies, in transaction: Transaction)
        async throws
    {
        guard !mentions.isEmpty else { return }
        try await LinkStore.mention(
            mentions,
            ids: try mentions.map { _ in try dependencies.ids.next() },
            at: dependencies.now(),
            in: transaction
        )
    }
}
