// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/projects: somebody begins a project, and perhaps looks for people at once.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit
import Views
import Web

/// Makes a draft, or with `publish` a project that is on the board; once, however often a request with the same
/// Idempotency-Key comes.
enum CreateProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let parameters = try request.parameters()
        let (limits, now) = (dependencies.limits.projects, dependencies.now())
        let revision = try Project.Revision(parameters, limits: limits, now: now)
        guard let title = revision.title else { throw Problem.invalid("title", "blank") }
        let isPublished = try parameters.boolean("publish") ?? false
        let key = try CreatePost.key(request)
        try await EnsureAccount.run(account, dependencies)
        try await Attachments.wait(for: revision.mediaIDs ?? [], dependencies)
        let new = ProjectSnapshot(
            id: try dependencies.ids.next(),
            leaderID: account.id,
            title: title,
            createdAt: now,
            version: 0
        )
        let id = try await dependencies.database.transaction { transaction in
            if let key {
                let fingerprint = revision.fingerprint + [isPublished ? 1 : 0]
                let place = PostID(new.id.rawValue)
                let earlier = try await CreatePost.claim(
                    key,
                    fingerprint,
                    of: account.id,
                    for: place,
                    dependencies,
                    transaction
                )
                if let earlier { return ProjectID(earlier.rawValue) }
            }
            try await create(new, revision, isPublished: isPublished, dependencies, transaction)
            return new.id
        }
        return try await VisibleProject.answer(id, request, dependencies)
    }

    private static func create(
        _ new: ProjectSnapshot,
        _ revision: Project.Revision,
        isPublished: Bool,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let term = try await BlockedTerms.check(revision.texts, dependencies, in: transaction)
        // Held, so that no two projects are both the last that there is room for.
        try await PinStore.lock(new.leaderID, in: transaction)
        let unfinished = try await ProjectStore.unfinished(of: new.leaderID, in: transaction)
        guard unfinished < dependencies.limits.projects.unfinished else { throw Problem.tooManyProjects }
        var change = ProjectChange(HeldProject(new, labels: []), dependencies, transaction)
        try await EditProject.apply(revision, to: &change, appliedFor: [])
        change.project.version = 1
        if isPublished {
            try Project.requireComplete(change.project, at: new.createdAt)
            change.project.state = .recruiting
            change.project.publishedAt = new.createdAt
        }
        if let deadline = change.project.deadline, deadline <= new.createdAt + change.limits.notice {
            change.held.remindedFor = deadline
        }
        try ProjectStore.insert(change.held, in: transaction)
        BoardStore.list(change.held, in: transaction)
        try await FileFlag.run(term, on: KeptThing(change.project), dependencies, in: transaction)
        try await change.tell(isPublished ? .publish : .draft)
        if isPublished { try await change.tellMentions(insteadOf: []) }
    }
}
