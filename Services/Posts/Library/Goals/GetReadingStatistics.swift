// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf/statistics: what somebody's reading comes to.

import Domain
import Views
import Web

/// Numbers of a `year`, by default the present one where the reader is, month by month, and beside the year before.
enum GetReadingStatistics {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let parameters = try request.parameters()
        let today = try await Today.orUTC(parameters, dependencies)
        let year = try parameters.number("year", in: 1...9999) ?? today.year
        let (database, most) = (dependencies.database, dependencies.limits.library.shares)
        typealias Store = ReadingStatisticsStore
        // Each is one statement; they go to the database together.
        async let months = Store.months(of: year, of: owner, in: database)
        async let years = Store.years(of: owner, in: database)
        async let days = Store.days(of: year, of: owner, in: database)
        async let streaks = Store.streaks(of: owner, until: today, in: database)
        async let authors = Store.shares(.authors, of: year, of: owner, limit: most, in: database)
        async let publishers = Store.shares(.publishers, of: year, of: owner, limit: most, in: database)
        return .json(
            ReadingStatisticsView(
                year: year,
                today: today,
                months: try await months,
                years: try await years,
                days: try await days,
                longestStreak: try await streaks.longest,
                streak: try await streaks.present,
                authors: try await authors,
                publishers: try await publishers
            )
        )
    }
}
