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
        try await Attachments.wait(for: revision.mediaIDs ?? [], dependencies)
        let view = try await dependencies.database.transaction { transaction in
            guard let locked = try await PostStore.lock(id, of: author, in: transaction), locked.boosted == nil,
                let before = try await PostStore.entry(id, viewer: author, in: transaction)
            else { throw Problem.notFound }
            let media = try await media(revision, of: before.post, dependencies, transaction)
            let after = try await apply(revision, media, to: before.post, dependencies)
            if after == before.post { return before.view(for: author, site: dependencies.site) }
            let isSaidAnew = after.text != before.post.text || after.spoilerText != before.post.spoilerText
            let texts = isSaidAnew ? [after.text, after.spoilerText] : []
            let term = try await BlockedTerms.check(texts, dependencies, in: transaction)
            try await NewAccountLimits.count(
                NewAccountLimits.Said(text: after.text, mentions: after.mentions),
                insteadOf: NewAccountLimits.Said(text: before.post.text, mentions: before.post.mentions),
                by: author,
                dependencies,
                in: transaction
            )
            try PostStore.update(after, at: dependencies.now(), keeping: dependencies.limits.edits, in: transaction)
            let edited = try await PostStore.entry(id, viewer: author, in: transaction).found()
            try await FileFlag.run(term, on: KeptThing(edited.post), dependencies, in: transaction)
            try transaction.record(PostEdited(author: edited.author, post: edited.post))
            return edited.view(for: author, site: dependencies.site)
        }
        return .json(view)
    }

    /// The files that the post shows from now on; what was said of them stays unless it is changed.
    private static func media(
        _ revision: Post.Revision,
        of post: PostSnapshot,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> [MediaSnapshot] {
        let before = post.media ?? []
        var media = before
        if let ids = revision.mediaIDs, ids != before.map(\.id) {
            media = try await Attachments.take(ids, for: post.id, by: post.accountID, dependencies, transaction)
                .map { new in before.first { $0.id == new.id } ?? new }
            let removed = before.contains { !ids.contains($0.id) }
            if removed { MediaStore.release(from: post.id, except: ids, at: dependencies.now(), in: transaction) }
        }
        return revision.attributes.reduce(media) { media, change in media.map(change.applied) }
    }

    private static func apply(
        _ revision: Post.Revision,
        _ media: [MediaSnapshot],
        to post: PostSnapshot,
        _ dependencies: Dependencies
    ) async throws -> PostSnapshot {
        var post = post
        var text = revision.text ?? post.text
        var spoilerText = revision.spoilerText ?? post.spoilerText
        if text.isBlank, media.isEmpty {
            text = spoilerText
            spoilerText = ""
        }
        try Post.check(text: text, spoilerText: spoilerText, hasFiles: !media.isEmpty, limits: dependencies.limits)
        if text != post.text {
            post.text = text
            post.mentions = try await MentionSnapshot.all(in: text, dependencies)
            post.tags = PostText.tags(in: text)
        }
        post.spoilerText = spoilerText
        post.sensitive = !spoilerText.isEmpty || revision.sensitive ?? post.sensitive
        post.language = revision.language ?? post.language
        post.media = media.isEmpty ? nil : media
        return post
    }
}
