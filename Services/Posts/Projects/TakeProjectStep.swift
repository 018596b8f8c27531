// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/projects/:id/publish, /close, /reopen and /finish: the leader takes a project a step further.

import Domain
import Events
import Web

/// Puts a project on the board, takes it from those that look for people, opens it again or ends it; doing it again changes
/// nothing.
enum TakeProjectStep {
    static func publish(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await run(.publish, request, dependencies)
    }

    static func close(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await run(.close, request, dependencies)
    }

    static func reopen(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await run(.reopen, request, dependencies)
    }

    static func finish(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await run(.finish, request, dependencies)
    }

    private static func run(
        _ step: Project.Step,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        try await ChangeProject.run(request, dependencies) { try await take(step, &$0) }
    }

    static func take(_ step: Project.Step, _ change: inout ProjectChange) async throws {
        let before = change.project
        guard let state = step.state(after: before.state) else { throw Problem.projectState }
        guard state != before.state else { return }
        let now = change.dependencies.now()
        if state == .recruiting { try Project.requireComplete(before, at: now) }
        change.project.state = state
        change.project.publishedAt = before.publishedAt ?? now
        try change.save()
        switch step {
        case .publish, .reopen: try await change.tell(.publish)
        case .close: try await change.tell(.close)
        case .finish: try await change.tell(.finish)
        }
        // Whom a draft names may not see it.
        if before.publishedAt == nil { try await change.tellMentions(insteadOf: []) }
        try await change.announceUpdate()
    }
}
