// SPDX-License-Identifier: Apache-2.0
// Profiles, posts, projects and records as something that is reported or decided about.

import Domain
import Events
import Postgres
import Web

/// A thing of posts' own as it is now.
struct KeptThing: Sendable {
    let thing: Thing
    let accountID: AccountID
    let snapshot: ThingSnapshot

    /// Nil for what is not there, or not for the eyes of `viewer`. A boost stands for what was boosted.
    static func find(
        _ thing: Thing,
        for viewer: AccountID,
        in transaction: some Transacting
    ) async throws -> KeptThing? {
        switch thing.kind {
        case .post:
            guard let id = PostID(thing.id) else { return nil }
            return try await PostStore.status(id, viewer: viewer, in: transaction).map { KeptThing($0.shown.post) }
        case .project:
            guard let id = ProjectID(thing.id) else { return nil }
            return try await ProjectStore.row(id, viewer: viewer, in: transaction).map { KeptThing($0.project) }
        case .record:
            guard let id = RecordID(thing.id) else { return nil }
            return try await RecordStore.shown(id, to: viewer, in: transaction).map { KeptThing($0.record) }
        case .account, .message, .playground, .gif: return nil
        }
    }

    /// Whoever may see it.
    static func find(_ thing: Thing, in transaction: some Transacting) async throws -> KeptThing? {
        switch thing.kind {
        case .post:
            guard let id = PostID(thing.id) else { return nil }
            return try await PostStore.entry(id, viewer: nil, in: transaction).map { KeptThing($0.shown.post) }
        case .project:
            guard let id = ProjectID(thing.id) else { return nil }
            return try await ProjectStore.hold(id, in: transaction).map { KeptThing($0.project) }
        case .record:
            guard let id = RecordID(thing.id), let owner = try await RecordStore.owner(of: id, in: transaction) else {
                return nil
            }
            return try await RecordStore.record(.id(id), of: owner, in: transaction).map { KeptThing($0) }
        case .account, .message, .playground, .gif: return nil
        }
    }

    init(_ account: AccountSnapshot) {
        thing = Thing(kind: .account, id: account.id.description)
        accountID = account.id
        let texts = [account.note] + account.fields.map { "\($0.name): \($0.value)" }
        snapshot = ThingSnapshot(
            title: account.displayName,
            text: texts.filter { !$0.isEmpty }.joined(separator: "\n\n"),
            createdAt: account.createdAt
        )
    }

    init(_ post: PostSnapshot) {
        thing = Thing(kind: .post, id: post.id.description)
        accountID = post.accountID
        snapshot = ThingSnapshot(
            text: post.text,
            warning: post.spoilerText.isEmpty ? nil : post.spoilerText,
            mediaIDs: (post.media ?? []).map(\.id),
            createdAt: post.createdAt
        )
    }

    init(_ project: ProjectSnapshot) {
        thing = Thing(kind: .project, id: project.id.description)
        accountID = project.leaderID
        snapshot = ThingSnapshot(
            title: project.title,
            text: [project.summary, project.text].filter { !$0.isEmpty }.joined(separator: "\n\n"),
            mediaIDs: project.media.map(\.id),
            createdAt: project.createdAt
        )
    }

    init(_ record: RecordRow) {
        thing = Thing(kind: .record, id: record.id.description)
        accountID = record.readerID
        let texts = [record.content.oneLine, record.content.review] + record.content.quotes.map { $0.text }
        snapshot = ThingSnapshot(
            title: record.book.data.title,
            text: texts.compactMap(\.self).joined(separator: "\n\n"),
            createdAt: record.id.timestamp
        )
    }
}
