// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/pin and /unpin: somebody puts a post of theirs on top of their profile.

import Domain
import Events
import HTTPTypes
import Postgres
import Web

/// Pins a post of one's own; doing it again changes nothing.
enum PinPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let status = try await VisiblePost.require(request.id(), request, dependencies)
        guard status.boost == nil else { throw Refusal.boost }
        guard status.author.id == viewer else { throw Refusal.foreign }
        guard status.post.visibility != .direct else { throw Refusal.direct }
        let id = status.post.id
        let place: PostID = try dependencies.ids.next()
        try await dependencies.database.transaction { transaction in
            try await PinStore.lock(viewer, in: transaction)
            let candidate = try await PinStore.candidate(id, of: viewer, in: transaction).found()
            if candidate.isPinned { return }
            guard candidate.pinned < dependencies.limits.pins else { throw Refusal.tooMany(dependencies.limits.pins) }
            PinStore.pin(id, as: place, in: transaction)
        }
        return try await VisiblePost.answer(id, request, dependencies)
    }

    /// Why a post cannot be pinned.
    enum Refusal: Error, Hashable, ProblemConvertible {
        case boost, foreign, direct
        case tooMany(Int)

        var problem: Problem {
            var problem = Problem.invalid("status", "cannot_be_pinned")
            problem.detail =
                switch self {
                case .boost:
                    [
                        .english: "A boost cannot be pinned.", .korean: "부스트는 고정할 수 없습니다.",
                        .japanese: "ブーストは固定できません。",
                    ]
                case .foreign:
                    [
                        .english: "Only posts of your own can be pinned.", .korean: "자신의 게시물만 고정할 수 있습니다.",
                        .japanese: "固定できるのは自分の投稿だけです。",
                    ]
                case .direct:
                    [
                        .english: "A post that only those it names may read cannot be pinned.",
                        .korean: "언급한 사람만 볼 수 있는 게시물은 고정할 수 없습니다.",
                        .japanese: "名前を挙げた人だけが読める投稿は固定できません。",
                    ]
                case .tooMany(let most):
                    [
                        .english: "At most \(most) posts can be pinned.", .korean: "게시물은 최대 \(most)개까지 고정할 수 있습니다.",
                        .japanese: "固定できる投稿は\(most)件までです。",
                    ]
                }
            return problem
        }
    }
}

/// Takes a post from the top of the profile; one that is not there is no error.
enum UnpinPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id = try await VisiblePost.require(request.id(), request, dependencies).post.id
        try await PinStore.unpin(id, of: viewer, in: dependencies.database)
        return try await VisiblePost.answer(id, request, dependencies)
    }
}
