// SPDX-License-Identifier: Apache-2.0
// What posts, messages and other things show, as events tell of it.

import Domain
import Events
import Views

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
    var uploads: [MediaID] = []
    /// The text whose first link has a preview.
    var text: String?
    /// Whether it may have shown something else before.
    let mayReplace: Bool
}

extension Showing {
    /// What shows nothing and never did needs no word.
    var concernsUses: Bool { mayReplace || !uploads.isEmpty }

    /// What links to nothing and never did needs no word.
    var concernsLinks: Bool { mayReplace || link != nil }

    /// The page whose preview it has, in its canonical form.
    var link: String? { text.flatMap(PostText.firstLink) }

    /// The newest word on each thing of which events tell.
    static func newest(of events: [any Event]) -> [Showing] {
        struct Key: Hashable {
            let kind: Kind
            let subject: Int64
        }
        let showings = events.compactMap { Showing($0) }
        let newest = Dictionary(showings.map { (Key(kind: $0.kind, subject: $0.subject), $0) }) {
            $0.version < $1.version ? $1 : $0
        }
        return newest.values.sorted { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
    }

    /// Nil for an event that tells nothing of what is shown.
    init?(_ event: any Event) {
        switch event {
        case let event as PostCreated: self.init(event.post, mayReplace: false)
        case let event as ReplyCreated: self.init(event.post, mayReplace: false)
        case let event as PostEdited: self.init(event.post, mayReplace: true)
        case let event as PostDeleted: self.init(nothing: .post, event.postID.rawValue, event.subjectVersion)
        case let event as MessageSent: self.init(event.message, mayReplace: false)
        case let event as MessageEdited: self.init(event.message, mayReplace: true)
        case let event as MessageDeleted: self.init(nothing: .message, event.messageID.rawValue, event.subjectVersion)
        case let event as PlaygroundCreated: self.init(event.playground, mayReplace: false)
        case let event as PlaygroundUpdated: self.init(event.playground, mayReplace: true)
        case let event as PlaygroundDeleted:
            self.init(nothing: .playground, event.playgroundID.rawValue, event.subjectVersion)
        case let event as ProfileUpdated: self.init(event.account)
        case let event as any TellingProject: self.init(event.project)
        case let event as ProjectDeleted: self.init(nothing: .project, event.projectID.rawValue, event.subjectVersion)
        default: return nil
        }
    }

    private init(_ post: PostSnapshot, mayReplace: Bool) {
        self.init(
            kind: .post,
            subject: post.id.rawValue,
            version: post.version,
            uploads: post.media?.map(\.id) ?? [],
            text: post.previewedText,
            mayReplace: mayReplace
        )
    }

    private init(_ message: MessageSnapshot, mayReplace: Bool) {
        let isThere = message.deletedAt == nil
        self.init(
            kind: .message,
            subject: message.id.rawValue,
            version: message.change,
            uploads: isThere ? message.attachmentIDs : [],
            text: isThere ? message.text : nil,
            mayReplace: mayReplace
        )
    }

    private init(_ playground: PlaygroundSnapshot, mayReplace: Bool) {
        self.init(
            kind: .playground,
            subject: playground.id.rawValue,
            version: playground.version,
            uploads: playground.coverID.map { [$0] } ?? [],
            mayReplace: mayReplace
        )
    }

    private init(_ account: AccountSnapshot) {
        self.init(
            kind: .account,
            subject: account.id.rawValue,
            version: account.version,
            uploads: [account.extras?.avatar?.id, account.extras?.header?.id].compactMap(\.self),
            // The first word on an account replaces none.
            mayReplace: account.version > 1
        )
    }

    private init(_ project: ProjectSnapshot) {
        self.init(
            kind: .project,
            subject: project.id.rawValue,
            version: project.version,
            uploads: project.media.map(\.id),
            text: project.text,
            // The first word on a project replaces none.
            mayReplace: project.version > 1
        )
    }

    private init(nothing kind: Kind, _ subject: Int64, _ version: Int64) {
        self.init(kind: kind, subject: subject, version: version, mayReplace: true)
    }
}
