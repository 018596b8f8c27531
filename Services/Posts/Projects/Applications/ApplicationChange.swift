// SPDX-License-Identifier: Apache-2.0
// What every decision on an application has in common.

import Domain
import Events
import Outbox
import Postgres
import Web

/// An application that is being decided: its project is held until the end of the transaction.
struct ApplicationChange: Sendable {
    var application: ApplicationSnapshot
    var project: ProjectChange
    let actor: AccountID

    var transaction: Transaction { project.transaction }

    /// Keeps what became of the application, and counts anew; in a new version of the project.
    mutating func decide(_ state: ApplicationState, note: String = "") {
        application.state = state
        application.note = note
        application.decidedAt = project.dependencies.now()
        application.version += 1
        project.project.version += 1
        ApplicationStore.save(application, in: transaction)
        ApplicationStore.recount(application.projectID, version: project.project.version, in: transaction)
    }
}

/// Runs a decision on the application of the path.
enum ChangeApplication {
    /// Who may decide.
    enum Side: Sendable {
        case applicant, leader
    }

    /// - Parameters:
    ///   - state: what it leads to; doing it again changes nothing.
    ///   - change: is called for an application that is open.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        by side: Side,
        to state: ApplicationState,
        _ change: @Sendable (inout ApplicationChange) async throws -> Void
    ) async throws -> Answer {
        let actor = try request.requireAccount().id
        let id: ApplicationID = try request.id()
        let seen = try await ApplicationStore.row(id, viewer: actor, in: dependencies.database).found()
        try await dependencies.database.transaction { transaction in
            let held = try await ProjectStore.hold(seen.project.id, in: transaction).found()
            let application = try await ApplicationStore.application(id, in: transaction).found()
            let decider =
                switch side {
                case .applicant: application.accountID
                case .leader: held.project.leaderID
                }
            guard decider == actor else { throw Problem.forbidden }
            guard application.state != state else { return }
            guard application.state == .open else { throw Problem.applicationDecided }
            let project = ProjectChange(held, dependencies, transaction)
            var current = ApplicationChange(application: application, project: project, actor: actor)
            try await change(&current)
        }
        return try await GetApplication.run(request, dependencies)
    }
}
