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

    /// What a post shows in place of its link's preview, as its transaction finds it.
    typealias Card = @Sendable (Transaction) async throws -> CardSnapshot?

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let draft = try Post.Draft(request.parameters(), limits: dependencies.limits)
        return try await run(draft, by: account, card: nil, request, dependencies)
    }

    static func run(
        _ draft: Post.Draft,
        by account: Principal.Account,
        card: Card?,
        _ request: Request,
        _ dependencies: Dependencies
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
        let command = Command(post: post, key: key, card: card)
        let outcome = try await create(command, dependencies)
        Failpoint.reach("create.committed")
        switch outcome {
        case .created(let view): return .json(view)
        case .repeated(let earlier):
            return try await VisiblePost.answer(earlier, request, dependencies)
        }
    }

    struct Command: Sendable {
        var post: NewPost
        /// The Idempotency-Key.
        let key: String?
        let card: Card?
        /// Of the request.
        let trace = TraceContext.current

        /// Whether nothing is locked for it but its author, and before them what it answers.
        fileprivate var isPlain: Bool { post.draft.mediaIDs.isEmpty && card == nil }
    }

    enum Outcome: Sendable {
        case created(StatusView)
        /// The same request made this post earlier.
        case repeated(PostID)
    }

    private static func create(_ command: Command, _ dependencies: Dependencies) async throws -> Outcome {
        guard command.isPlain else {
            return try await dependencies.database.transaction { transaction in
                let outcomes = try await create([command], dependencies, transaction)
                return try outcomes.first.found()
            }
        }
        let parent = command.post.draft.inReplyToID
        let lanes = parent == nil ? dependencies.posts : dependencies.replies
        return try await lanes.run(
            command,
            key: parent?.rawValue ?? 0,
            in: dependencies.database
        ) { commands, transaction in
            // The rows of authors are locked as they are written: everywhere in the order of their ids.
            let order = commands.indices.sorted { commands[$0].post.author < commands[$1].post.author }
            let outcomes = try await create(order.map { commands[$0] }, dependencies, transaction)
            return zip(order, outcomes).sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Creates posts that answer the same post, or none.
    static func create(
        _ commands: [Command],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> [Outcome] {
        Failpoint.reach("create.begun")
        let earlier = try await claim(commands, dependencies, transaction)
        let new = commands.indices.filter { earlier[$0] == nil }
        var posts: [NewPost] = []
        var terms: [BlockedTermID?] = []
        for index in new {
            let (post, term) = try await prepare(commands[index], dependencies, transaction)
            posts.append(post)
            terms.append(term)
        }
        let (stored, reached) = try await store(posts, dependencies, transaction)
        let made = Dictionary(stored.map { ($0.post.id, $0) }) { first, _ in first }
        let reachedIDs = Set(reached.map(\.id))
        var outcomes = earlier.map { $0.map(Outcome.repeated) }
        for (number, index) in new.enumerated() {
            guard let stored = made[posts[number].id] else { throw Problem.notFound }
            let (made, author) = (stored.post, stored.author)
            try await FileFlag.run(terms[number], on: KeptThing(made), dependencies, in: transaction)
            let trace = commands[index].trace
            let audience = reachedIDs.contains(made.id) ? Audience.reached : made.isPlain ? .plain : .services
            if made.inReplyToID == nil {
                try transaction.record(PostCreated(author: author, post: made), to: audience, trace: trace)
            } else {
                try transaction.record(ReplyCreated(author: author, post: made), to: audience, trace: trace)
            }
            outcomes[index] = .created(
                StatusView(
                    made,
                    author: author,
                    card: posts[number].card,
                    viewer: StatusView.Viewer(pinned: false),
                    site: dependencies.site
                )
            )
        }
        try await Fanout.tell(of: reached, among: stored, dependencies, transaction)
        Failpoint.reach("create.written")
        return outcomes.compactMap(\.self)
    }

    /// Stores posts, and brings those to their readers that are plain and of authors with few followers.
    private static func store(
        _ posts: [NewPost],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> (stored: [NewPostStore.Stored], reached: [SpreadStore.Reached]) {
        if posts.isEmpty { return ([], []) }
        let plain = posts.filter(\.isPlain)
        let room = dependencies.limits.followersInPosting
        guard !plain.isEmpty, room >= 0 else { return (try await NewPostStore.insert(posts, in: transaction), []) }
        return try await transaction.together(
            { try await NewPostStore.insert(posts, in: $0) },
            { try await Fanout.spread(plain, room: room, dependencies, in: $0) }
        )
    }

    /// - Returns: what the same request of each made earlier, if it came before.
    private static func claim(
        _ commands: [Command],
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> [PostID?] {
        let areNew = try await transaction.together(
            commands.map { command in
                { statement in
                    guard let key = command.key else { return true }
                    return try await IdempotencyStore.claim(
                        key,
                        of: command.post.author,
                        fingerprint: command.post.draft.fingerprint,
                        for: command.post.id,
                        at: dependencies.now(),
                        in: statement
                    )
                }
            }
        )
        var earlier = [PostID?](repeating: nil, count: commands.count)
        for (index, command) in commands.enumerated() where !areNew[index] {
            guard let key = command.key else { continue }
            let fingerprint = command.post.draft.fingerprint
            earlier[index] = try await claimed(key, fingerprint, of: command.post.author, transaction)
        }
        return earlier
    }

    /// What is decided of a post by itself before it is stored.
    ///
    /// - Returns: with it the word of which whoever runs the place wants to hear.
    private static func prepare(
        _ command: Command,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> (NewPost, BlockedTermID?) {
        var post = command.post
        let texts = [post.draft.text, post.draft.spoilerText]
        let term = try await BlockedTerms.check(texts, dependencies, in: transaction)
        try await NewAccountLimits.count(
            NewAccountLimits.Said(text: post.draft.text, mentions: post.mentions),
            by: post.author,
            dependencies,
            in: transaction
        )
        post.card = try await command.card?(transaction)
        post.media = try await Attachments.take(
            post.draft.mediaIDs,
            for: post.id,
            by: post.author,
            dependencies,
            transaction
        )
        return (post, term)
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
        return isNew ? nil : try await claimed(key, fingerprint, of: author, transaction)
    }

    /// - Returns: what was made with a key that is taken.
    private static func claimed(
        _ key: String,
        _ fingerprint: [UInt8],
        of author: AccountID,
        _ transaction: Transaction
    ) async throws -> PostID {
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
