// SPDX-License-Identifier: Apache-2.0
// PUT /api/v1/statuses/:id: the author changes a post.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Changes a post and keeps in its history what it was.
enum EditPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let author = try request.requireAccount().id
        let id: PostID = try request.id()
        let revision = try Post.Revision(request.parameters(), limits: dependencies.limits)
        let view = try await dependencies.database.transaction { transaction in
            guard let locked = try await PostStore.lock(id, of: author, in: transaction), locked.boosted == nil,
                let before = try await PostStore.entry(id, viewer: author, in: transaction)
            else { throw Problem.notFound }
            let after = try await apply(revision, to: before.post, dependencies)
            if after == before.post { return before.view(for: author, site: dependencies.site) }
            PostStore.update(after, at: dependencies.now(), keeping: dependencies.limits.edits, in: transaction)
            let edited = try await PostStore.entry(id, viewer: author, in: transaction).found()
            try transaction.record(PostEdited(author: edited.author, post: edited.post))
            return edited.view(for: author, site: dependencies.site)
        }
        return .json(view)
    }

    private static func apply(
        _ revision: Post.Revision,
        to post: PostSnapshot,
        _ dependencies: Dependencies
    ) async throws -> PostSnapshot {
        var post = post
        var text = revision.text ?? post.text
        var spoilerText = revision.spoilerText ?? post.spoilerText
        if text.isBlank {
            text = spoilerText
            spoilerText = ""
        }
        try Post.check(text: text, spoilerText: spoilerText, limits: dependencies.limits)
        if text != post.text {
            post.text = text
            post.mentions = try await MentionSnapshot.all(in: text, dependencies)
            post.tags = PostText.tags(in: text)
        }
        post.spoilerText = spoilerText
        post.sensitive = !spoilerText.isEmpty || revision.sensitive ?? post.sensitive
        post.language = revision.language ?? post.language
        return post
    }
}
