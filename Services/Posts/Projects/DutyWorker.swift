// SPDX-License-Identifier: Apache-2.0
// What becomes of projects by itself: deadlines close them, people are reminded, and who applied to what is over is told.

import Domain
import Events
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle

/// Sees to what is due, each in a transaction of its own with what it tells. What is due stands in the rows: a restart forgets
/// nothing, and of several processes one sees to it, once.
struct DutyWorker: Service {
    let dependencies: Dependencies
    let logger: Logger

    private static let pause = Duration.seconds(5)
    /// Applications that are declined in one transaction.
    private static let applicationsInStep = 100

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await repeatedly(every: DutyWorker.pause, orSaying: "what is due of projects waits", to: logger) {
                for duty in ProjectDuty.allCases { try await DutyWorker.see(to: duty, dependencies, logger) }
            }
        }
    }

    /// Sees to all that is due now. What fails is left for the next round, and the others go on.
    static func see(to duty: ProjectDuty, _ dependencies: Dependencies, _ logger: Logger) async throws {
        var done = 0
        repeat {
            done = 0
            let due = try await ProjectStore.due(
                duty,
                at: dependencies.now(),
                notice: dependencies.limits.projects.notice,
                in: dependencies.database
            )
            for id in due {
                do {
                    if try await see(to: duty, of: id, dependencies) { done += 1 }
                } catch let error as CancellationError { throw error } catch {
                    logger.error(
                        "what was due of a project failed",
                        metadata: ["project": "\(id)", "duty": "\(duty)", "error": "\(error)"]
                    )
                }
            }
        } while done > 0
    }

    /// - Returns: false for what is not due any more, or what another process just sees to.
    static func see(to duty: ProjectDuty, of id: ProjectID, _ dependencies: Dependencies) async throws -> Bool {
        try await dependencies.database.transaction { transaction in
            let held = try await ProjectStore.take(
                id,
                duty,
                at: dependencies.now(),
                notice: dependencies.limits.projects.notice,
                in: transaction
            )
            guard let held else { return false }
            var change = ProjectChange(held, dependencies, transaction)
            switch duty {
            case .close: try await close(&change)
            case .remind: try await remind(&change)
            case .answer: try await answer(&change)
            }
            return true
        }
    }

    /// The leader hears of it, too: it was not their act.
    private static func close(_ change: inout ProjectChange) async throws {
        change.project.state = .closed
        try change.save()
        try await change.tell(.close)
        try await change.announce("project_update", to: try await change.concerned(.people))
    }

    /// Who keeps a project may yet apply; the leader may yet put it off.
    private static func remind(_ change: inout ProjectChange) async throws {
        change.held.remindedFor = change.project.deadline
        change.project.version += 1
        ProjectStore.setReminded(change.held, in: change.transaction)
        let keepers = try await change.concerned(.keepers).filter { $0 != change.project.leaderID }
        try await change.announce("project_deadline", to: [change.project.leaderID] + keepers)
    }

    /// Nobody will decide any more on what is open.
    private static func answer(_ change: inout ProjectChange) async throws {
        let declined = try await ApplicationStore.declineOpen(
            of: change.project.id,
            at: change.dependencies.now(),
            limit: applicationsInStep,
            in: change.transaction
        )
        change.project.version += 1
        ApplicationStore.recount(change.project.id, version: change.project.version, in: change.transaction)
        for application in declined { try await DeclineApplication.tell(application, change) }
    }
}
