// SPDX-License-Identifier: Apache-2.0
// The queue `media.uses`: which uploads something shows.

import Domain
import Events
import Outbox
import Postgres

/// What something shows now, by its newest version.
struct Showing: Sendable {
    enum Kind: String, Sendable {
        case post, message, playground, account, project
        /// The catalogue, which has the upload's id.
        case gif
    }

    let kind: Kind
    let subject: Int64
    let version: Int64
    let uploads: [MediaID]
    /// Whether it may have shown something else before.
    let mayReplace: Bool
}

/// Reacts to a batch as a whole: of each thing the newest word is kept, in one statement.
enum Uses {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "media.uses",
            prefetch: 256,
            prepare: { events, _, transaction in
                try await keep(newest(events.compactMap(showing)), at: dependencies.now(), in: transaction)
            },
            [
                noted(PostCreated.self), noted(ReplyCreated.self), noted(PostEdited.self), noted(PostDeleted.self),
                noted(MessageSent.self), noted(MessageEdited.self), noted(MessageDeleted.self),
                noted(PlaygroundCreated.self), noted(PlaygroundUpdated.self), noted(PlaygroundDeleted.self),
                noted(ProfileUpdated.self), noted(ProjectDrafted.self), noted(ProjectPublished.self),
                noted(ProjectUpdated.self), noted(ProjectDeleted.self),
            ]
        )
    }

    /// All is done for the batch before.
    private static func noted<E: Event>(_: E.Type) -> Reaction { Reaction(to: E.self) { _, _ in } }

    private static func showing(_ event: any Event) -> Showing? {
        switch event {
        case let event as PostCreated: post(event.post, mayReplace: false)
        case let event as ReplyCreated: post(event.post, mayReplace: false)
        case let event as PostEdited: post(event.post, mayReplace: true)
        case let event as PostDeleted: gone(.post, event.postID.rawValue, event.subjectVersion)
        case let event as MessageSent: message(event.message, mayReplace: false)
        case let event as MessageEdited: message(event.message, mayReplace: true)
        case let event as MessageDeleted: gone(.message, event.messageID.rawValue, event.subjectVersion)
        case let event as PlaygroundCreated: playground(event.playground, mayReplace: false)
        case let event as PlaygroundUpdated: playground(event.playground, mayReplace: true)
        case let event as PlaygroundDeleted: gone(.playground, event.playgroundID.rawValue, event.subjectVersion)
        case let event as ProfileUpdated: account(event.account)
        case let event as ProjectDrafted: project(event.project)
        case let event as ProjectPublished: project(event.project)
        case let event as ProjectUpdated: project(event.project)
        case let event as ProjectDeleted: gone(.project, event.projectID.rawValue, event.subjectVersion)
        default: nil
        }
    }

    private static func post(_ post: PostSnapshot, mayReplace: Bool) -> Showing {
        Showing(
            kind: .post,
            subject: post.id.rawValue,
            version: post.version,
            uploads: post.media?.map(\.id) ?? [],
            mayReplace: mayReplace
        )
    }

    private static func message(_ message: MessageSnapshot, mayReplace: Bool) -> Showing {
        Showing(
            kind: .message,
            subject: message.id.rawValue,
            version: message.change,
            uploads: message.deletedAt == nil ? message.attachmentIDs : [],
            mayReplace: mayReplace
        )
    }

    private static func playground(_ playground: PlaygroundSnapshot, mayReplace: Bool) -> Showing {
        Showing(
            kind: .playground,
            subject: playground.id.rawValue,
            version: playground.version,
            uploads: playground.coverID.map { [$0] } ?? [],
            mayReplace: mayReplace
        )
    }

    private static func account(_ account: AccountSnapshot) -> Showing {
        Showing(
            kind: .account,
            subject: account.id.rawValue,
            version: account.version,
            uploads: [account.extras?.avatar?.id, account.extras?.header?.id].compactMap(\.self),
            // The first word on an account replaces none.
            mayReplace: account.version > 1
        )
    }

    private static func project(_ project: ProjectSnapshot) -> Showing {
        Showing(
            kind: .project,
            subject: project.id.rawValue,
            version: project.version,
            uploads: project.media.map(\.id),
            // The first word on a project replaces none.
            mayReplace: project.version > 1
        )
    }

    private static func gone(_ kind: Showing.Kind, _ subject: Int64, _ version: Int64) -> Showing {
        Showing(kind: kind, subject: subject, version: version, uploads: [], mayReplace: true)
    }

    /// The newest word on each thing; what shows nothing and never did needs none.
    private static func newest(_ showings: [Showing]) -> [Showing] {
        struct Key: Hashable {
            let kind: Showing.Kind
            let subject: Int64
        }
        let newest = Dictionary(showings.map { (Key(kind: $0.kind, subject: $0.subject), $0) }) {
            $0.version < $1.version ? $1 : $0
        }
        return newest.values.filter { $0.mayReplace || !$0.uploads.isEmpty }
            .sorted { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
    }

    /// Keeps what things show by now.
    static func keep(_ showings: [Showing], at now: Timestamp, in transaction: Transaction) async throws {
        guard !showings.isEmpty else { return }
        let changed = try await UseStore.keep(showings, at: now, in: transaction)
        guard !changed.isEmpty else { return }
        // Two copies that change the uses of one upload at a time would each not see what the other changes.
        try await UseStore.lock(changed, in: transaction)
        UseStore.settle(changed, at: now, in: transaction)
    }
}
