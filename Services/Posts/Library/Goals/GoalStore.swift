// SPDX-License-Identifier: Apache-2.0
// The SQL on goals.

import Domain
import Postgres
import Views
import Web

/// A year, or a month of it.
struct GoalPeriod: Hashable, Sendable {
    let year: Int
    /// 0 for the year as a whole.
    let month: Int

    init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

    /// Parses `YYYY` and `YYYY-MM`; nil for anything else.
    init?(_ text: some StringProtocol) {
        guard [4, 7].contains(text.utf8.count), let date = PartialDate(text), date.day == nil else { return nil }
        self.init(year: date.year, month: date.month ?? 0)
    }

    /// As a deletion names it.
    var number: Int64 { Int64(year) * 100 + Int64(month) }

    /// Of a `number`.
    init(number: Int64) { self.init(year: Int(number / 100), month: Int(number % 100)) }

    /// `YYYY` or `YYYY-MM`.
    var text: String { PartialDate(year: year, month: month == 0 ? nil : month)?.description ?? "" }
}

/// A goal, and how many readings ended in its time.
struct GoalRow: Columned, Hashable {
    let period: GoalPeriod
    var books: Int
    var version: Int64
    var reachedAt: Timestamp?
    let finished: Int

    static let columns: SQL = "g.year, g.month, g.books, g.version, g.reached_at, \(counted)"

    /// Readings that ended in the time of a goal `g`.
    static let counted: SQL = """
        (
            SELECT count(*)
            FROM reading_records r
            WHERE r.account_id = g.account_id AND r.state = 'finished' AND r.ended_on IS NOT NULL
                AND r.ended_on BETWEEN make_date(g.year, 1, 1) AND make_date(g.year, 12, 31)
                AND (g.month = 0 OR r.ended_month = g.month)
        )
        """

    init(columns: inout Columns) throws {
        period = GoalPeriod(year: try columns.next(), month: try columns.next())
        books = try columns.next()
        version = try columns.next()
        reachedAt = try columns.next()
        finished = try columns.next()
    }

    /// - Parameter kept: whether only what is kept is told, and not what follows from records.
    func view(kept: Bool = false) -> GoalView {
        GoalView(
            year: period.year,
            month: period.month == 0 ? nil : period.month,
            books: books,
            finished: kept ? nil : finished,
            reachedAt: reachedAt,
            version: version
        )
    }
}

/// Statements about goals; whoever writes holds the shelf.
enum GoalStore {
    /// The newest year first, in it the whole and then its months.
    ///
    /// - Parameter year: nil for all.
    static func goals(of owner: AccountID, year: Int?, in database: some Querying) async throws -> [GoalRow] {
        let isAsked: SQL = year.map { "AND g.year = \($0)" } ?? ""
        return try await database.query(
            """
            SELECT \(GoalRow.columns) FROM reading_goals g WHERE g.account_id = \(owner) \(isAsked)
            ORDER BY g.year DESC, g.month
            """
        ).all(GoalRow.init(columns:))
    }

    /// Those of the goals that are there.
    static func goals(
        _ periods: [GoalPeriod],
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [GoalRow] {
        try await database.query(
            """
            SELECT \(GoalRow.columns)
            FROM unnest(\(periods.map(\.year)), \(periods.map(\.month))) wanted (year, month)
            JOIN reading_goals g ON g.account_id = \(owner) AND g.year = wanted.year AND g.month = wanted.month
            """
        ).all(GoalRow.init(columns:))
    }

    static func count(of owner: AccountID, in database: some Querying) async throws -> Int {
        try await database.query("SELECT count(*) FROM reading_goals WHERE account_id = \(owner)").number()
    }

    /// Sets how many books somebody means to read; it is to be reached anew, and that it was gone once is no news any more.
    static func put(
        _ period: GoalPeriod,
        books: Int,
        of owner: AccountID,
        version: Int64,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            WITH risen AS (
                DELETE FROM shelf_tombstones
                WHERE account_id = \(owner) AND kind = 'goal' AND item_id = \(period.number)
            )
            INSERT INTO reading_goals (account_id, year, month, books, version)
            VALUES (\(owner), \(period.year), \(period.month), \(books), \(version))
            ON CONFLICT (account_id, year, month) DO UPDATE
            SET books = excluded.books, version = excluded.version, reached_at = NULL
            """
        )
    }

    static func delete(_ period: GoalPeriod, of owner: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM reading_goals
            WHERE account_id = \(owner) AND year = \(period.year) AND month = \(period.month)
            """
        )
    }

    /// The goals of some years that are reached and were not before.
    static func reached(
        in years: [Int],
        of owner: AccountID,
        in transaction: some Transacting
    ) async throws -> [GoalPeriod] {
        try await transaction.query(
            """
            SELECT g.year, g.month
            FROM reading_goals g
            WHERE g.account_id = \(owner) AND g.year = ANY (\(years)) AND g.reached_at IS NULL
                AND g.books <= \(GoalRow.counted)
            ORDER BY g.year, g.month
            """
        ).all { GoalPeriod(year: try $0.next(), month: try $0.next()) }
    }

    static func reach(
        _ period: GoalPeriod,
        of owner: AccountID,
        at now: Timestamp,
        version: Int64,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE reading_goals SET reached_at = \(now), version = \(version)
            WHERE account_id = \(owner) AND year = \(period.year) AND month = \(period.month)
            """
        )
    }
}
