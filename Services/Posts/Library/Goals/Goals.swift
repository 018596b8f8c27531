// SPDX-License-Identifier: Apache-2.0
// Steps of changes of goals.

import Domain
import Events
import Outbox
import Web

/// What somebody means to read, in the same way for single requests and for those of an app that was offline.
enum Goals {
    /// Most books that somebody can mean to read in a year.
    static let most = 100_000

    /// - Returns: whether it is other than before, and its version.
    static func put(
        _ period: GoalPeriod,
        books: Int,
        _ work: ShelfWork
    ) async throws -> (outcome: Records.Outcome, version: Int64) {
        let known = try await GoalStore.goals([period], of: work.reader, in: work).first
        if let known, known.books == books { return (.unchanged, known.version) }
        if known == nil { try await work.addGoal() }
        let version = work.next()
        GoalStore.put(period, books: books, of: work.reader, version: version, in: work)
        work.recount(year: period.year)
        return (known == nil ? .made : .changed, version)
    }

    /// Throws `outdated` when somebody has changed it meanwhile.
    ///
    /// - Parameter base: the version that the writer knows; nil for whatever is there.
    /// - Returns: whether there was one.
    static func delete(_ period: GoalPeriod, base: Int64?, _ work: ShelfWork) async throws -> Bool {
        guard let known = try await GoalStore.goals([period], of: work.reader, in: work).first else { return false }
        if let base, base != known.version { throw Problem.conflict("outdated") }
        GoalStore.delete(period, of: work.reader, in: work)
        _ = work.bury(.goal, period.number)
        return true
    }

    /// Tells of the goals of some years that are reached now and were not before.
    static func reach(_ years: [Int], _ work: ShelfWork) async throws {
        guard !years.isEmpty else { return }
        for period in try await GoalStore.reached(in: years, of: work.reader, in: work) {
            let version = work.next()
            GoalStore.reach(period, of: work.reader, at: work.dependencies.now(), version: version, in: work)
            try work.transaction.record(
                GoalReached(
                    accountID: work.reader,
                    year: period.year,
                    month: period.month == 0 ? nil : period.month,
                    subjectVersion: version
                )
            )
        }
    }
}

extension Parameters {
    /// How many books somebody means to read.
    func goal() throws -> Int {
        guard let books = try number("books", in: 1...Goals.most) else { throw Problem.invalid("books", "blank") }
        return books
    }
}
