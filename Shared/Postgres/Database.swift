// SPDX-License-Identifier: Apache-2.0
// A database: statements in pipelines, transactions on connections of their own.

public import Logging
public import ServiceLifecycle

/// How to reach a database and how many connections to hold.
public struct DatabaseConfiguration: Sendable {
    /// A libpq connection string or URI.
    public var connection: String
    /// The service's schema: the session's `search_path`.
    public var schema: String
    /// Connections that carry single statements in pipelines.
    public var pipelined = 2
    /// Connections lent out for transactions, opened as they are needed.
    public var exclusive = 8
    /// How long a statement may take in all, waiting included.
    public var deadline: Duration = .seconds(5)
    /// How long a transaction waits for a connection.
    public var patience: Duration = .seconds(1)
    public var applicationName: String
    /// Whether a statement is planned once for all values: where planning takes longer than the plan could save. It then walks
    /// indexes however small a table is just then, as the plan is still there when the table has grown.
    public var plansOnce = false

    public init(connection: String, schema: String, applicationName: String) {
        self.connection = connection
        self.schema = schema
        self.applicationName = applicationName
    }
}

/// The connections of one process to its database, on one epoll thread.
public final class Database: Service, Sendable {
    let thread: ConnectionThread

    public init(_ configuration: DatabaseConfiguration, logger: Logger) {
        thread = ConnectionThread(configuration, logger: logger)
        thread.start()
    }

    deinit { thread.tell(.close(immediately: true)) }

    /// Holds the connections open until graceful shutdown, then closes them when the last statement is done.
    /// Statements may be sent from the moment of `init`; they wait for a connection up to their deadline.
    public func run() async throws {
        let thread = thread
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await thread.waitUntilClosed()
            } onCancel: {
                thread.tell(.close(immediately: true))
            }
        } onGracefulShutdown: {
            thread.tell(.close(immediately: false))
        }
    }

    /// Runs one statement by itself (autocommit) in a pipeline.
    public func query(_ sql: SQL, deadline: Duration?) async throws -> Rows {
        try await thread.run(Job(.statement, sql, deadline: end(of: deadline)))
    }

    /// Runs a transaction on a connection of its own; commits when `body` returns, rolls back when it throws.
    ///
    /// A serialization failure or deadlock (40001, 40P01) runs `body` again, at most three times, with jitter.
    /// A connection lost during COMMIT throws `commitUnknown`.
    public func transaction<Value: Sendable>(
        deadline: Duration? = nil,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        let end = end(of: deadline)
        var repeats = 0
        while true {
            let scope = TransactionScope(thread, deadline: end)
            do {
                let value = try await body(Transaction(scope: scope))
                try await scope.commit()
                scope.runActions()
                return value
            } catch {
                let cause = scope.rollBack(after: error)
                guard cause.isWorthRepeating, repeats < 3, monotonicNow() < end else { throw error }
                let pause = 5 << repeats
                repeats += 1
                try await Task.sleep(for: .milliseconds(Int.random(in: pause / 2...pause * 2)))
            }
        }
    }

    /// How long a statement or transaction may take that is given no deadline of its own.
    public var deadline: Duration { thread.configuration.deadline }

    /// Whether a statement is answered within two seconds.
    public var isAnswering: Bool {
        get async { (try? await query("SELECT 1", deadline: .seconds(2))) != nil }
    }

    /// Whether an error may be the fault of what was asked for, and not that the database is away or busy with others.
    public func isInnocent(of error: any Error) async -> Bool {
        if error is CancellationError || Task.isCancelled { return false }
        return switch (error as? PostgresError)?.kind {
        case .away, .conflict: false
        case .slow: await isAnswering
        case .own, nil: true
        }
    }

    private func end(of deadline: Duration?) -> Nanoseconds {
        monotonicNow() + (deadline ?? thread.configuration.deadline).nanoseconds
    }

    /// The thread that waits for the server. Tasks that prefer it need no other thread to be woken for what they ask; they must not
    /// compute for long, since nobody's answer is read meanwhile.
    public var tasks: any TaskExecutor { thread }

    /// Transactions that have a connection at a time.
    public var mostTransactions: Int { thread.configuration.exclusive }

    public struct Statistics: Sendable, Equatable {
        public var open = 0
        public var exclusiveInUse = 0
        public var waiting = 0
        public var reconnects = 0
    }
    public var statistics: Statistics { thread.statistics }
}
