// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf/goals; PUT and DELETE /api/v1/shelf/goals/:period, which is `2026` or `2026-03`.

import Domain
import Web

/// Somebody's goals, of all years or of one `year`.
enum ListGoals {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let year = try request.parameters().number("year", in: 1...9999)
        let goals = try await GoalStore.goals(of: owner, year: year, in: dependencies.database)
        return .json(array: goals.map { $0.view() })
    }
}

/// Sets how many `books` somebody means to read in a year or a month.
enum PutGoal {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let period = try request.goalPeriod()
        let books = try request.parameters().goal()
        _ = try await ShelfWork.run(account, dependencies) { try await Goals.put(period, books: books, $0) }
        let goals = try await GoalStore.goals([period], of: account.id, in: dependencies.database)
        return .json(try goals.first.found().view())
    }
}

/// Takes a goal back; with `version` only the goal that the writer knows.
enum DeleteGoal {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let period = try request.goalPeriod()
        let base = try request.parameters().seq("version")
        let isDeleted = try await ShelfWork.run(account, dependencies) { work in
            try await Goals.delete(period, base: base, work)
        }
        guard isDeleted else { throw Problem.notFound }
        return .empty
    }
}

extension Request {
    fileprivate func goalPeriod() throws -> GoalPeriod {
        guard let period = pathParameters["period"].flatMap({ GoalPeriod($0) }) else { throw Problem.notFound }
        return period
    }
}
