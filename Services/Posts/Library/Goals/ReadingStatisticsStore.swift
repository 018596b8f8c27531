// SPDX-License-Identifier: Apache-2.0
// The SQL of what reading comes to.

import Domain
import Postgres
import Views

/// Statements that count readings; one that is finished counts on the day on which it ended, a reading again as another one.
enum ReadingStatisticsStore {
    /// The day of a moment in a time zone; throws 22023 for one that the server does not know.
    static func day(of moment: Timestamp, in zone: String, in database: some Querying) async throws -> Day {
        let row = try await database.query("SELECT (\(moment) AT TIME ZONE \(zone))::date").one {
            try $0.next(Day.self)
        }
        return row ?? Day(moment)
    }

    /// The readings of an account that ended, with their books.
    private static func finished(_ owner: AccountID) -> SQL {
        """
        reading_records r
        JOIN shelf_books b ON b.id = r.book_id
        WHERE r.account_id = \(owner) AND r.state = 'finished' AND r.ended_on IS NOT NULL
        """
    }

    /// Of the year that is asked for, by the days of an index.
    private static func isIn(_ year: Int) -> SQL {
        "r.ended_on BETWEEN \(Day.first(of: year)) AND \(Day.last(of: year))"
    }

    /// The twelve months of a year.
    static func months(
        of year: Int,
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [ReadingStatisticsView.Sum] {
        try await database.query(
            """
            SELECT m.month, coalesce(f.finished, 0), coalesce(f.pages, 0), g.books
            FROM generate_series(1, 12) m (month)
            LEFT JOIN (
                SELECT r.ended_month AS month, count(*) AS finished, sum(b.pages) AS pages
                FROM \(finished(owner)) AND \(isIn(year))
                GROUP BY r.ended_month
            ) f ON f.month = m.month
            LEFT JOIN reading_goals g ON g.account_id = \(owner) AND g.year = \(year) AND g.month = m.month
            ORDER BY m.month
            """
        ).all(as: ReadingStatisticsView.Sum.init)
    }

    /// The years in which something was finished or is meant to be.
    static func years(
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [ReadingStatisticsView.Sum] {
        try await database.query(
            """
            SELECT coalesce(f.year, g.year), coalesce(f.finished, 0), coalesce(f.pages, 0), g.books
            FROM (
                SELECT r.ended_year AS year, count(*) AS finished, sum(b.pages) AS pages
                FROM \(finished(owner))
                GROUP BY r.ended_year
            ) f
            FULL JOIN (SELECT year, books FROM reading_goals WHERE account_id = \(owner) AND month = 0) g
                ON g.year = f.year
            ORDER BY 1
            """
        ).all(as: ReadingStatisticsView.Sum.init)
    }

    /// The days between two on which an account read: those with progress and those on which a reading ended.
    private static func days(of owner: AccountID, from first: Day, to last: Day) -> SQL {
        """
        SELECT day FROM reading_progress WHERE account_id = \(owner) AND day BETWEEN \(first) AND \(last)
        UNION
        SELECT ended_on FROM reading_records
        WHERE account_id = \(owner) AND state = 'finished' AND ended_on BETWEEN \(first) AND \(last)
        """
    }

    /// How many days of a year and of the one before were days of reading, and the most in a row within each.
    static func days(
        of year: Int,
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [ReadingStatisticsView.Days] {
        let days = days(of: owner, from: Day.first(of: year - 1), to: Day.last(of: year))
        return try await database.query(
            """
            WITH days AS (\(days)),
            islands AS (
                SELECT
                    extract(year FROM day)::integer AS year,
                    day - (row_number() OVER (PARTITION BY extract(year FROM day) ORDER BY day))::integer AS island
                FROM days
            ),
            runs AS (SELECT year, count(*) AS days FROM islands GROUP BY year, island)
            SELECT y.year, coalesce(sum(r.days), 0)::bigint, coalesce(max(r.days), 0)
            FROM unnest(\([year, year - 1])) y (year)
            LEFT JOIN runs r ON r.year = y.year
            GROUP BY y.year
            ORDER BY y.year DESC
            """
        ).all(as: ReadingStatisticsView.Days.init)
    }

    /// The most days in a row on which an account read up to a day, and those that end on it or on the day before.
    static func streaks(
        of owner: AccountID,
        until today: Day,
        in database: some Querying
    ) async throws -> (longest: Int, present: Int) {
        try await database.query(
            """
            WITH days AS (\(days(of: owner, from: Day(days: .min), to: today))),
            islands AS (SELECT day, day - (row_number() OVER (ORDER BY day))::integer AS island FROM days),
            runs AS (SELECT max(day) AS last, count(*) AS days FROM islands GROUP BY island)
            SELECT coalesce(max(days), 0), coalesce(max(days) FILTER (WHERE last >= \(today.advanced(by: -1))), 0)
            FROM runs
            """
        ).one { (try $0.next(), try $0.next()) } ?? (0, 0)
    }

    /// By what readings are told apart.
    enum Sharing: CaseIterable, Sendable {
        case authors, publishers

        fileprivate var names: SQL {
            switch self {
            case .authors: "CROSS JOIN LATERAL (SELECT DISTINCT name FROM unnest(f.authors) name) n"
            case .publishers: "CROSS JOIN LATERAL (SELECT f.publisher AS name WHERE f.publisher IS NOT NULL) n"
            }
        }
    }

    /// Whose books were read most in a year.
    static func shares(
        _ sharing: Sharing,
        of year: Int,
        of owner: AccountID,
        limit: Int,
        in database: some Querying
    ) async throws -> [ReadingStatisticsView.Share] {
        try await database.query(
            """
            SELECT n.name, count(*), coalesce(sum(f.pages), 0)
            FROM (SELECT b.authors, b.publisher, b.pages FROM \(finished(owner)) AND \(isIn(year))) f
            \(sharing.names)
            GROUP BY n.name
            ORDER BY 2 DESC, 3 DESC, n.name COLLATE "C"
            LIMIT \(limit)
            """
        ).all(as: ReadingStatisticsView.Share.init)
    }
}

extension Day {
    /// The first and the last day of a year, clamped to what a date can be.
    fileprivate static func first(of year: Int) -> Day { Day(year: year, month: 1, day: 1) ?? Day(days: .min) }
    fileprivate static func last(of year: Int) -> Day { Day(year: year, month: 12, day: 31) ?? Day(days: .min) }
}
