// SPDX-License-Identifier: Apache-2.0
// Goals and what reading comes to, as a client sees them: numbers alone.

import Domain
import Views

/// How many books somebody means to read in a year or a month of it.
struct GoalView: ObjectView {
    let year: Int
    /// Nil for the year as a whole.
    let month: Int?
    let books: Int
    /// Readings that ended in that time; nil where that is not told.
    let finished: Int?
    let reachedAt: Timestamp?
    let version: Int64

    func writeMembers(to json: inout JSONWriter) {
        json.member("year", year)
        json.member("month", month)
        json.member("books", books)
        json.member("finished", finished)
        json.member("progress", finished.map { GoalView.percent($0, of: books) })
        json.member("reached_at", reachedAt)
        json.member("version", version)
    }

    /// Whole percent, rounded down; above 100 where more was read than was meant to be.
    static func percent(_ finished: Int, of goal: Int) -> Int {
        guard goal > 0, finished > 0 else { return 0 }
        let (product, overflow) = finished.multipliedReportingOverflow(by: 100)
        return overflow ? Int.max : product / goal
    }
}

/// What somebody's reading of a year comes to.
struct ReadingStatisticsView: ObjectView {
    /// What was read in a month or a year.
    struct Sum: Hashable, Sendable {
        /// The month, or the year.
        let period: Int
        /// Readings that ended in it.
        var finished: Int = 0
        /// Of their books, as far as it is known how many they have.
        var pages: Int = 0
        /// Nil without a goal.
        var goal: Int?
    }

    /// What was read of an author or a publisher.
    struct Share: Hashable, Sendable {
        let name: String
        let finished: Int
        let pages: Int
    }

    /// Days of a year on which something was read.
    struct Days: Hashable, Sendable {
        let year: Int
        var reading: Int = 0
        /// The most of them in a row.
        var longestStreak: Int = 0
    }

    let year: Int
    let today: Day
    /// Twelve.
    let months: [Sum]
    /// In their order, those in which something was read or is meant to be.
    let years: [Sum]
    /// Of the year and of the one before.
    let days: [Days]
    /// The most days in a row of all years, and those that end today or yesterday.
    let longestStreak: Int
    let streak: Int
    let authors: [Share]
    let publishers: [Share]

    func writeMembers(to json: inout JSONWriter) {
        write(year, to: &json)
        json.member("today", today.description)
        json.member("streak", streak)
        json.member("longest_streak_ever", longestStreak)
        json.object("before") { json in write(year - 1, to: &json) }
        json.array("months", months) { json, month in
            json.member("month", month.period)
            ReadingStatisticsView.write(month, to: &json)
        }
        json.array("years", years) { json, year in
            json.member("year", year.period)
            ReadingStatisticsView.write(year, to: &json)
        }
        write("authors", authors, to: &json)
        write("publishers", publishers, to: &json)
    }

    private func write(_ year: Int, to json: inout JSONWriter) {
        let days = days.first { $0.year == year } ?? Days(year: year)
        json.member("year", year)
        ReadingStatisticsView.write(years.first { $0.period == year } ?? Sum(period: year), to: &json)
        json.member("days_reading", days.reading)
        json.member("longest_streak", days.longestStreak)
    }

    private static func write(_ sum: Sum, to json: inout JSONWriter) {
        json.member("finished", sum.finished)
        json.member("pages", sum.pages)
        json.member("goal", sum.goal)
        json.member("progress", sum.goal.map { GoalView.percent(sum.finished, of: $0) })
    }

    private func write(_ name: StaticString, _ shares: [Share], to json: inout JSONWriter) {
        json.array(name, shares) { json, share in
            json.member("name", share.name)
            json.member("finished", share.finished)
            json.member("pages", share.pages)
        }
    }
}
