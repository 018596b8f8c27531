// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/projects/:id/applications: somebody wants to be in a project.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Applies for a role of a project that looks for people; one application of a person to a project is open at a time.
enum ApplyToProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: ProjectID = try request.id()
        let parameters = try request.parameters()
        let limits = dependencies.limits.projects
        guard let roleID: ProjectRoleID = try parameters.id("role_id") else {
            throw Problem.invalid("role_id", "blank")
        }
        let message = try parameters.prose("message", limit: limits.message) ?? ""
        try await EnsureAccount.run(account, dependencies)
        let number: ApplicationID = try dependencies.ids.next()
        let made = try await dependencies.database.transaction { transaction in
            _ = try await BlockedTerms.check([message], dependencies, in: transaction)
            let held = try await ProjectStore.hold(id, in: transaction).found()
            let isLed = try await ProjectStore.isLed(id, by: account.id, in: transaction).found()
            guard held.project.state == .recruiting else { throw Problem.projectState }
            if let deadline = held.project.deadline, deadline <= dependencies.now() { throw Problem.projectState }
            let since = try await ProjectMemberStore.since(account.id, in: id, transaction)
            guard !isLed, since == nil else { throw Problem.alreadyMember }
            guard let role = held.project.roles.first(where: { $0.id == roleID }) else {
                throw Problem.invalid("role_id", "inclusion")
            }
            let taken = try await ProjectMemberStore.taken(of: id, in: transaction)
            guard taken.count(where: { $0 == roleID }) < role.wanted else { throw Problem.roleFilled }
            let application = ApplicationSnapshot(
                id: number,
                projectID: id,
                accountID: account.id,
                roleID: roleID,
                roleName: role.name,
                message: message,
                createdAt: dependencies.now()
            )
            let attempts = try await ApplicationStore.attempts(of: account.id, to: id, in: transaction)
            guard attempts < limits.attempts else { throw Problem.tooManyAttempts }
            guard try await ApplicationStore.insert(application, in: transaction) else {
                throw Problem.alreadyApplied
            }
            ApplicationStore.recount(id, version: held.project.version + 1, in: transaction)
            let actor = try await AccountStore.account(account.id, in: transaction).found()
            try transaction.record(
                ApplicationReceived(
                    actor: actor,
                    recipientID: held.project.leaderID,
                    project: held.project.brief,
                    application: application
                )
            )
            return ApplicationView(
                application: application,
                account: actor,
                project: held.project.brief,
                site: dependencies.site
            )
        }
        return .json(made)
    }
}
