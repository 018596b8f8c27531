// SPDX-License-Identifier: Apache-2.0
// Goals and what reading comes to, as a client sees them: numbers alone.

package import Domain

/// How many books somebody means to read in a year or a month of it.
package struct GoalView: ObjectView {
    package let year: Int
    /// Nil for the year as a whole.
    package let month: Int?
    package let books: Int
    /// Readings that ended in that time; nil where that is not told.
    package let finished: Int?
    package let reachedAt: Timestamp?
    package let version: Int64

    package init(year: Int, month: Int?, books: Int, finished: Int?, reachedAt: Timestamp?, version: Int64) {
        self.year = year
        self.month = month
        self.books = books
        self.finished = finished
        self.reachedAt = reachedAt
        self.version = version
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("year", year)
        json.member("month", month)
        json.member("books", books)
        json.member("finished", finished)
        json.member("progress", finished.map { GoalView.percent($0, of: books) })
        json.member("reached_at", reachedAt)
        json.member("version", version)
    }

    /// Whole percent, rounded down; above 100 where more was read than was meant to be.
    package static func percent(_ finished: Int, of goal: Int) -> Int {
        guard goal > 0, finished > 0 else { return 0 }
        let (product, overflow) = finished.multipliedReportingOverflow(by: 100)
        return overflow ? Int.max : product / goal
    }
}

/// What somebody's reading of a year comes to.
package struct ReadingStatisticsView: ObjectView {
    /// What was read in a month or a year.
    package struct Sum: Hashable, Sendable {
        /// The month, or the year.
        package let period: Int
        /// Readings that ended in it.
        package let finished: Int
        /// Of their books, as far as it is known how many they have.
        package let pages: Int
        /// Nil without a goal.
        package let goal: Int?

        package init(period: Int, finished: Int = 0, pages: Int = 0, goal: Int? = nil) {
            self.period = period
            self.finished = finished
            self.pages = pages
            self.goal = goal
        }
    }

    /// What was read of an author or a publisher.
    package struct Share: Hashable, Sendable {
        package let name: String
        package let finished: Int
        package let pages: Int

        package init(name: String, finished: Int, pages: Int) {
            self.name = name
            self.finished = finished
            self.pages = pages
        }
    }

    /// Days of a year on which something was read.
    package struct Days: Hashable, Sendable {
        package let year: Int
        package let reading: Int
        /// The most of them in a row.
        package let longestStreak: Int

        package init(year: Int, reading: Int = 0, longestStreak: Int = 0) {
            self.year = year
            self.reading = reading
            self.longestStreak = longestStreak
        }
    }

    package let year: Int
    package let today: Day
    /// Twelve.
    package let months: [Sum]
    /// In their order, those in which something was read or is meant to be.
    package let years: [Sum]
    /// Of the year and of the one before.
    package let days: [Days]
    /// The most days in a row of all years, and those that end today or yesterday.
    package let longestStreak: Int
    package let streak: Int
    package let authors: [Share]
    package let publishers: [Share]

    package init(
        year: Int,
        today: Day,
        months: [Sum],
        years: [Sum],
        days: [Days],
        longestStreak: Int,
        streak: Int,
        authors: [Share],
        publishers: [Share]
    ) {
        self.year = year
        self.today = today
        self.months = months
        self.years = years
        self.days = days
        self.longestStreak = longestStreak
        self.streak = streak
        self.authors = authors
        self.publishers = publishers
    }

    package func writeMembers(to json: inout JSONWriter) {
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
