// SPDX-License-Identifier: Apache-2.0
// What a moderator removes goes as if its author had deleted it, and posts and projects can come back.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Removes a post, a project or a record. Messages, playgrounds and GIFs are removed by who keeps them once they hear of it.
enum RemoveThing {
    static func run(_ thing: Thing, of account: AccountID, _ work: ModerationWork) async throws {
        let (dependencies, transaction) = (work.dependencies, work.transaction)
        switch thing.kind {
        case .post:
            guard let id = PostID(thing.id), let locked = try await PostStore.lock(id, of: account, in: transaction),
                locked.boosted == nil
            else { throw Problem.notFound }
            try await DeletePost.delete(id, by: account, dependencies, transaction)
            MediaStore.release(from: id, except: [], at: work.now, in: transaction)
        case .project:
            guard let id = ProjectID(thing.id), let held = try await ProjectStore.hold(id, in: transaction) else {
                throw Problem.notFound
            }
            let change = ProjectChange(held, dependencies, transaction)
            try DeleteProject.delete(change)
        case .record:
            guard let id = RecordID(thing.id) else { throw Problem.notFound }
            let isDeleted = try await ShelfWork.run(account, dependencies, in: transaction) { shelf in
                try await Records.delete(.id(id), base: nil, shelf)
            }
            guard isDeleted else { throw Problem.notFound }
        case .account, .message, .playground, .gif: break
        }
    }
}

/// Brings back what was removed, without its files, which may be gone: they were nobody's for a while.
enum RestoreThing {
    /// - Returns: whether it is there again.
    static func run(_ thing: Thing, _ work: ModerationWork) async throws -> Bool {
        switch thing.kind {
        case .post:
            guard let id = PostID(thing.id), try await RemovedStore.restore(id, in: work),
                let post = try await PostStore.entry(id, viewer: nil, in: work)
            else { return false }
            if post.post.inReplyToID == nil {
                try work.record(PostCreated(author: post.author, post: post.post))
            } else {
                try work.record(ReplyCreated(author: post.author, post: post.post))
            }
            return true
        case .project:
            guard let id = ProjectID(thing.id), try await RemovedStore.restore(id, in: work),
                let held = try await ProjectStore.hold(id, in: work)
            else { return false }
            let change = ProjectChange(held, work.dependencies, work.transaction)
            BoardStore.list(held, in: work)
            try await change.tell(held.project.state == .draft ? .draft : .publish)
            try await change.tellMembers()
            return true
        case .account, .record, .message, .playground, .gif: return false
        }
    }
}

/// Marks a post as sensitive for its author, or takes that back.
enum MarkSensitive {
    static func run(_ thing: Thing, _ isSensitive: Bool, _ work: ModerationWork) async throws {
        guard thing.kind == .post, let id = PostID(thing.id),
            let entry = try await PostStore.entry(id, viewer: nil, in: work), entry.boost == nil,
            try await PostStore.lock(id, of: entry.author.id, in: work) != nil,
            // As it is by now, nobody else changing it any more.
            var post = try await PostStore.entry(id, viewer: nil, in: work)?.post
        else { throw Problem.notFound }
        guard post.sensitive != isSensitive else { return }
        post.sensitive = isSensitive
        try PostStore.update(post, at: work.now, keeping: work.dependencies.limits.edits, in: work)
        let edited = try await PostStore.entry(id, viewer: nil, in: work).found()
        try work.record(PostEdited(author: edited.author, post: edited.post, quiet: true))
    }
}
