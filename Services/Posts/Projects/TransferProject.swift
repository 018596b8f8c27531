// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/projects/:id/transfer: a project gets another leader.

import Domain
import Events
import Postgres
import Web

/// Makes a member the leader; who was it stays as a member.
enum TransferProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let target: AccountID = try request.parameters().id("account_id") else {
            throw Problem.invalid("account_id", "blank")
        }
        return try await ChangeProject.run(request, dependencies) { change in
            let project = change.project
            guard target != project.leaderID else { return }
            guard try await ProjectMemberStore.since(target, in: project.id, change.transaction) != nil else {
                throw Problem.invalid("account_id", "inclusion")
            }
            try await PinStore.lock(target, in: change.transaction)
            let unfinished = try await ProjectStore.unfinished(of: target, in: change.transaction)
            guard unfinished < change.limits.unfinished || project.state == .finished else {
                throw Problem.tooManyProjects
            }
            change.project.leaderID = target
            try change.save()
            try await change.tell(project.publishedAt == nil ? .draft : .update)
            try await change.tellMembers()
            if project.publishedAt != nil { try await change.announceUpdate() }
        }
    }
}
