// SPDX-License-Identifier: Apache-2.0
// What every change of a shelf has in common.

import Domain
import Events
import Outbox
import Postgres
import Synchronization
import Web

/// Changes of one shelf in one transaction, which holds it: its changes come one after the other, and so do their numbers.
final class ShelfWork: HoldingTransaction {
    private struct State {
        var version: Int64
        var begun: Int64
        var records: Int?
        var goals: Int?
        var reader: AccountSnapshot?
        /// In which a reading ended or ends no more, or for which somebody means to read more or less.
        var years: Set<Int> = []
        var hasBuried = false
    }

    let transaction: Transaction
    let reader: AccountID
    let dependencies: Dependencies
    private let state: Mutex<State>

    private init(_ transaction: Transaction, reader: AccountID, version: Int64, _ dependencies: Dependencies) {
        self.transaction = transaction
        self.reader = reader
        self.dependencies = dependencies
        state = Mutex(State(version: version, begun: version))
    }

    var limits: LibraryLimits { dependencies.limits.library }

    /// Changes the shelf of whoever asks.
    static func run<Value: Sendable>(
        _ account: Principal.Account,
        _ dependencies: Dependencies,
        _ body: @Sendable (ShelfWork) async throws -> Value
    ) async throws -> Value {
        try await EnsureAccount.run(account, dependencies)
        return try await dependencies.database.transaction { transaction in
            try await run(account.id, dependencies, in: transaction, body)
        }
    }

    /// Changes somebody's shelf in a transaction that is under way.
    static func run<Value: Sendable>(
        _ reader: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction,
        _ body: @Sendable (ShelfWork) async throws -> Value
    ) async throws -> Value {
        let version = try await ShelfStore.hold(reader, in: transaction)
        let work = ShelfWork(transaction, reader: reader, version: version, dependencies)
        let value = try await body(work)
        try await work.finish()
        return value
    }

    /// The number of the next change.
    func next() -> Int64 {
        state.withLock { state in
            state.version += 1
            return state.version
        }
    }

    private func finish() async throws {
        try await Goals.reach(state.withLock { $0.years.sorted() }, self)
        let (version, begun, hasBuried) = state.withLock { ($0.version, $0.begun, $0.hasBuried) }
        guard version > begun else { return }
        ShelfStore.advance(reader, to: version, in: self)
        if hasBuried { ShelfStore.trim(reader, keeping: limits.tombstones, in: self) }
    }

    /// Remembers that something is gone.
    func bury(_ kind: ShelfItem, _ id: Int64, client: ClientID? = nil) -> Int64 {
        let version = next()
        ShelfStore.bury(
            kind,
            id,
            client: client,
            of: reader,
            version: version,
            at: dependencies.now(),
            in: self
        )
        state.withLock { $0.hasBuried = true }
        return version
    }

    /// Says that what was finished in the years of these days is other than before.
    func recount(_ days: [Day?]) {
        state.withLock { state in for day in days { day.map { _ = state.years.insert($0.year) } } }
    }

    func recount(year: Int) { state.withLock { _ = $0.years.insert(year) } }

    /// Throws when the shelf has no room for another record.
    func addRecord() async throws {
        let known = state.withLock { $0.records }
        let count: Int
        if let known { count = known } else { count = try await RecordStore.count(of: reader, in: self) }
        guard count < limits.records else { throw Problem.invalid("records", "too_many") }
        state.withLock { $0.records = count + 1 }
    }

    /// Throws when the shelf has no room for another goal.
    func addGoal() async throws {
        let known = state.withLock { $0.goals }
        let count: Int
        if let known { count = known } else { count = try await GoalStore.count(of: reader, in: self) }
        guard count < limits.goals else { throw Problem.invalid("goals", "too_many") }
        state.withLock { $0.goals = count + 1 }
    }

    /// Tells others what they may see of a record now, as far as that is other than before.
    func tell(_ before: RecordRow?, _ after: RecordRow?) async throws {
        switch (before?.snapshot, after?.snapshot) {
        case (nil, nil): return
        case (nil, let shown?):
            try transaction.record(RecordPublished(reader: try await account(), record: shown))
        case (_?, let shown?): try transaction.record(RecordUpdated(reader: try await account(), record: shown))
        case (let shown?, nil):
            // A number above that of everything told before, whether the record is gone or only hidden.
            let version = state.withLock { $0.version }
            try transaction.record(
                RecordWithdrawn(recordID: shown.id, accountID: reader, subjectVersion: version)
            )
        }
    }

    /// Tells others what they may see of the records of a book now, after it alone has changed.
    func tell(changed book: ShelfBookID) async throws {
        for record in try await RecordStore.shown(of: book, most: limits.tellings, in: self) {
            guard let shown = record.snapshot else { continue }
            try transaction.record(RecordUpdated(reader: try await account(), record: shown))
        }
    }

    private func account() async throws -> AccountSnapshot {
        if let known = state.withLock({ $0.reader }) { return known }
        let account = try await AccountStore.account(reader, in: self).found()
        state.withLock { $0.reader = account }
        return account
    }
}
