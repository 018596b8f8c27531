// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/applications/:id/accept, /decline and /withdraw: what becomes of an application.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Takes whoever applied into the project, if their role is not full. Accepting one application waits for another of the same
/// project, so that no role ever has more people than are wanted.
enum AcceptApplication {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let note = try DeclineApplication.note(request, dependencies)
        return try await ChangeApplication.run(request, dependencies, by: .leader, to: .accepted) { change in
            let (project, role) = (change.project.project, change.application.roleID)
            guard project.state == .recruiting || project.state == .closed else { throw Problem.projectState }
            let taken = try await ProjectMemberStore.taken(of: project.id, in: change.transaction)
            guard let wanted = project.roles.first(where: { $0.id == role })?.wanted,
                taken.count(where: { $0 == role }) < wanted
            else { throw Problem.roleFilled }
            change.decide(.accepted, note: note)
            let isNew = try await ProjectMemberStore.insert(
                change.application.accountID,
                into: project.id,
                as: role,
                since: change.project.project.version,
                at: dependencies.now(),
                in: change.transaction
            )
            guard isNew else { throw Problem.alreadyMember }
            try change.transaction.record(
                ApplicationAccepted(
                    actor: try await change.project.leader(),
                    recipientID: change.application.accountID,
                    project: change.project.project.brief,
                    application: change.application
                )
            )
            try await change.project.tellMembers()
        }
    }
}

/// Does not take whoever applied.
enum DeclineApplication {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let note = try note(request, dependencies)
        return try await ChangeApplication.run(request, dependencies, by: .leader, to: .declined) { change in
            change.decide(.declined, note: note)
            try await tell(change.application, change.project)
        }
    }

    static func note(_ request: Request, _ dependencies: Dependencies) throws -> String {
        try request.parameters().prose("note", limit: dependencies.limits.projects.note) ?? ""
    }

    static func tell(_ application: ApplicationSnapshot, _ project: ProjectChange) async throws {
        try project.transaction.record(
            ApplicationDeclined(
                actor: try await project.leader(),
                recipientID: application.accountID,
                project: project.project.brief,
                application: application
            )
        )
    }
}

/// Takes one's own application back.
enum WithdrawApplication {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeApplication.run(request, dependencies, by: .applicant, to: .withdrawn) { change in
            change.decide(.withdrawn)
            try change.transaction.record(
                ApplicationWithdrawn(
                    actor: try await AccountStore.account(change.actor, in: change.transaction).found(),
                    recipientID: change.project.project.leaderID,
                    project: change.project.project.brief,
                    application: change.application
                )
            )
        }
    }
}
