// SPDX-License-Identifier: Apache-2.0
// Statements of one transaction that travel together.

internal import Synchronization

extension Transaction {
    /// Runs functions of stores, each of which runs one statement, in one round trip: their statements one after the other, in
    /// the order of the functions, each of which sees what those before it did.
    public func together<First: Sendable, Second: Sendable>(
        _ first: @escaping @Sendable (OneStatement) async throws -> First,
        _ second: @escaping @Sendable (OneStatement) async throws -> Second
    ) async throws -> (First, Second) {
        let sheet = Sheet(scope, of: 2)
        async let one = sheet.run(0, first)
        async let two = sheet.run(1, second)
        return try await (one, two)
    }

    public func together<First: Sendable, Second: Sendable, Third: Sendable>(
        _ first: @escaping @Sendable (OneStatement) async throws -> First,
        _ second: @escaping @Sendable (OneStatement) async throws -> Second,
        _ third: @escaping @Sendable (OneStatement) async throws -> Third
    ) async throws -> (First, Second, Third) {
        let sheet = Sheet(scope, of: 3)
        async let one = sheet.run(0, first)
        async let two = sheet.run(1, second)
        async let three = sheet.run(2, third)
        return try await (one, two, three)
    }

    /// The same of any number of functions.
    public func together<Value: Sendable>(
        _ functions: [@Sendable (OneStatement) async throws -> Value]
    ) async throws -> [Value] {
        let sheet = Sheet(scope, of: functions.count)
        return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (place, function) in functions.enumerated() {
                group.addTask { (place, try await sheet.run(place, function)) }
            }
            var values: [Int: Value] = [:]
            for try await (place, value) in group { values[place] = value }
            return functions.indices.compactMap { values[$0] }
        }
    }
}

/// Runs the one statement of a function in its place among others.
public struct OneStatement: Transacting {
    fileprivate let sheet: Sheet
    fileprivate let place: Int

    public func query(_ sql: SQL) async throws -> Rows { try await sheet.query(sql, at: place) }
    public func enqueue(_ sql: SQL) { sheet.scope.enqueue(sql) }
    public func afterCommit(_ action: @escaping @Sendable () -> Void) { sheet.scope.afterCommit(action) }
}

/// The statements of several functions: sent when each of them has come to its own, or ended without one.
private final class Sheet: Sendable {
    private struct State {
        var statements: [SQL?]
        /// How many have neither come to their statement nor ended.
        var missing: Int
        var hasLeft: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Rows, any Error>] = [:]
        var answers: [Int: Result<Rows, any Error>] = [:]
    }

    let scope: TransactionScope
    private let state: Mutex<State>

    init(_ scope: TransactionScope, of count: Int) {
        self.scope = scope
        state = Mutex(State(statements: Array(repeating: nil, count: count), missing: count))
    }

    func run<Value>(_ place: Int, _ body: (OneStatement) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(OneStatement(sheet: self, place: place))
            await leave(place)
            return value
        } catch {
            await leave(place)
            throw error
        }
    }

    func query(_ sql: SQL, at place: Int) async throws -> Rows {
        let (isLate, isLast) = state.withLock { state in
            guard state.statements[place] == nil, !state.hasLeft.contains(place) else { return (true, false) }
            state.statements[place] = sql
            state.missing -= 1
            return (false, state.missing == 0)
        }
        // A second statement has nobody to travel with.
        if isLate { return try await scope.query(sql) }
        if isLast { return try await send(for: place).get() }
        return try await withCheckedThrowingContinuation { continuation in
            let answer = state.withLock { state -> Result<Rows, any Error>? in
                if let answer = state.answers[place] { return answer }
                state.waiting[place] = continuation
                return nil
            }
            if let answer { continuation.resume(with: answer) }
        }
    }

    /// A function that ended without a statement is not waited for.
    private func leave(_ place: Int) async {
        let isLast = state.withLock { state in
            guard state.statements[place] == nil, state.hasLeft.insert(place).inserted else { return false }
            state.missing -= 1
            return state.missing == 0 && state.statements.contains { $0 != nil }
        }
        if isLast { _ = await send(for: place) }
    }

    private func send(for place: Int) async -> Result<Rows, any Error> {
        let statements = state.withLock(\.statements)
        var results: [Int: Result<Rows, any Error>] = [:]
        do {
            let rows = try await scope.query(all: statements.compactMap(\.self))
            var next = rows.makeIterator()
            for (index, statement) in statements.enumerated() where statement != nil {
                results[index] = next.next().map { .success($0) } ?? .failure(PostgresError.closed)
            }
        } catch {
            for (index, statement) in statements.enumerated() where statement != nil {
                results[index] = .failure(error)
            }
        }
        let done = results
        let waiting = state.withLock { state in
            state.answers = done
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (index, continuation) in waiting {
            continuation.resume(with: done[index] ?? .failure(PostgresError.closed))
        }
        return done[place] ?? .failure(PostgresError.closed)
    }
}
