// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses: somebody posts, perhaps in answer to another post.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import ServiceKit
import Views
import Web

/// Posts once, however often a request with the same Idempotency-Key comes.
enum CreatePost {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let draft = try Post.Draft(request.parameters(), limits: dependencies.limits)
        return try await run(draft, by: account, request, dependencies) { _ in nil }
    }

    /// - Parameter card: what the post shows in place of its link's preview, as its transaction finds it.
    static func run(
        _ draft: Post.Draft,
        by account: Principal.Account,
        _ request: Request,
        _ dependencies: Dependencies,
        card: @Sendable (Transaction) async throws -> CardSnapshot?
    ) async throws -> Answer {
        let key = try key(request)
        try await EnsureAccount.run(account, dependencies)
        try await Attachments.wait(for: draft.mediaIDs, dependencies)
        let post = NewPost(
            id: try dependencies.ids.next(),
            author: account.id,
            draft: draft,
            mentions: try await MentionSnapshot.all(in: draft.text, dependencies),
            tags: PostText.tags(in: draft.text),
            app: request.principal.flatMap { AppSnapshot(client: $0) }
        )
        let outcome = try await dependencies.database.transaction { transaction in
            try await create(post, key: key, card: card, dependencies, transaction)
        }
        Failpoint.reach("create.committed")
        switch outcome {
        case .created(let view): return .json(view)
        case .repeated(let earlier):
            return try await VisiblePost.answer(earlier, request, dependencies)
        }
    }

    private enum Outcome: Sendable {
        case created(StatusView)
        /// The same request made this post earlier.
        case repeated(PostID)
    }

    private static func create(
        _ post: NewPost,
        key: String?,
        card: (Transaction) async throws -> CardSnapshot?,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> Outcome {
        Failpoint.reach("create.begun")
        if let key {
            let fingerprint = post.draft.fingerprint
            let earlier = try await claim(key, fingerprint, of: post.author, for: post.id, dependencies, transaction)
            if let earlier { return .repeated(earlier) }
        }
        let texts = [post.draft.text, post.draft.spoilerText]
        let term = try await BlockedTerms.check(texts, dependencies, in: transaction)
        try await NewAccountLimits.count(
            NewAccountLimits.Said(text: post.draft.text, mentions: post.mentions),
            by: post.author,
            dependencies,
            in: transaction
        )
        var post = post
        post.card = try await card(transaction)
        post.media = try await Attachments.take(
            post.draft.mediaIDs,
            for: post.id,
            by: post.author,
            dependencies,
            transaction
        )
        guard let stored = try await NewPostStore.insert(post, in: transaction) else { throw Problem.notFound }
        let (made, author) = (stored.post, stored.author)
        try await FileFlag.run(term, on: KeptThing(made), dependencies, in: transaction)
        if made.inReplyToID == nil {
            try transaction.record(PostCreated(author: author, post: made))
        } else {
            try transaction.record(ReplyCreated(author: author, post: made))
        }
        Failpoint.reach("create.written")
        let viewer = StatusView.Viewer(pinned: false)
        return .created(StatusView(made, author: author, card: post.card, viewer: viewer, site: dependencies.site))
    }

    /// - Returns: what the same request made earlier, if it came before.
    static func claim(
        _ key: String,
        _ fingerprint: [UInt8],
        of author: AccountID,
        for made: PostID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> PostID? {
        let isNew = try await IdempotencyStore.claim(
            key,
            of: author,
            fingerprint: fingerprint,
            for: made,
            at: dependencies.now(),
            in: transaction
        )
        if isNew { return nil }
        let claimed = try await IdempotencyStore.claimed(
            key,
            of: author,
            fingerprint: fingerprint,
            in: transaction
        )
        guard let claimed else {
            throw Problem.unavailable(cause: "an idempotency key was forgotten while it was read")
        }
        guard claimed.isSame else { throw reusedKey }
        return claimed.post
    }

    static func key(_ request: Request) throws -> String? {
        guard let name = idempotencyKey, let key = request.headers[name], !key.isEmpty else { return nil }
        guard key.utf8.count <= 255, !key.utf8.contains(0) else { throw Problem.invalid("Idempotency-Key", "too_long") }
        return key
    }

    private static var reusedKey: Problem {
        var problem = Problem.invalid("Idempotency-Key", "taken")
        problem.detail = [
            .english: "This Idempotency-Key was used for another post.",
            .korean: "이 Idempotency-Key는 다른 게시물에 이미 쓰였습니다.",
            .japanese: "この Idempotency-Key は別の投稿に使われています。",
        ]
        return problem
    }
}

extension AppSnapshot {
    /// The app of a token; nil for one without a name.
    init?(client principal: Principal) {
        guard !principal.appName.isEmpty else { return nil }
        self.init(name: principal.appName, website: principal.appWebsite)
    }
}
