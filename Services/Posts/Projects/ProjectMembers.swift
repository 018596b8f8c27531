// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/projects/:id/members, DELETE …/members/:account_id and POST …/leave: who is in a project, and who goes.

import Domain
import Events
import Postgres
import Views
import Web

/// The members of a project, as they came in; there are 100 at most.
enum ListProjectMembers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let project = try await VisibleProject.require(request.id(), request, dependencies).project
        let members = try await ProjectMemberStore.list(
            of: project.id,
            viewer: request.viewer,
            in: dependencies.database
        )
        return .json(
            array: members.map { member in
                ProjectMemberView(
                    account: member.account,
                    isLeader: member.account.id == project.leaderID,
                    role: project.roles.first { $0.id == member.roleID },
                    joinedAt: member.joinedAt,
                    site: dependencies.site
                )
            }
        )
    }
}

/// Ends the asking person's membership, even of a project that they may no longer see; the leader must hand it on first.
enum LeaveProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let id: ProjectID = try request.id()
        try await dependencies.database.transaction { transaction in
            let held = try await ProjectStore.hold(id, in: transaction).found()
            _ = try await ProjectMemberStore.since(actor, in: id, transaction).found()
            guard held.project.leaderID != actor else { throw Problem.leaderMustTransfer }
            var change = ProjectChange(held, dependencies, transaction)
            try await change.remove(actor)
        }
        return .empty
    }
}

/// Sends a member out of a project; they may apply again.
enum RemoveProjectMember {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target: AccountID = try request.id("account_id")
        try await ChangeProject.apply(request, dependencies) { change in
            _ = try await ProjectMemberStore.since(target, in: change.project.id, change.transaction).found()
            guard target != change.project.leaderID else { throw Problem.leaderMustTransfer }
            try await change.remove(target)
        }
        return .empty
    }
}
