// SPDX-License-Identifier: Apache-2.0
// Keeps tables from growing for ever.

public import Logging
public import Postgres
public import ServiceKit
public import ServiceLifecycle
internal import Synchronization

/// What of one table has served, and how it goes: in steps, so that no lock is held for long.
public struct Sweep: Sendable {
    public let table: String
    fileprivate let interval: Duration
    private let next: (@Sendable (Database) async throws -> Duration?)?
    private let step: @Sendable (Database) async throws -> Int

    /// - Parameters:
    ///   - interval: the longest pause between two rounds.
    ///   - next: when the next of the rows that there are will have served, counted from now; nil where none will.
    ///   - step: removes some thousand rows at most and returns how many went; none ends the round.
    public init(
        _ table: String,
        every interval: Duration = .seconds(600),
        next: (@Sendable (Database) async throws -> Duration?)? = nil,
        step: @escaping @Sendable (Database) async throws -> Int
    ) {
        self.table = table
        self.interval = interval
        self.next = next
        self.step = step
    }

    /// How long nothing needs to be looked for.
    fileprivate func pause(in database: Database) async throws -> Duration {
        guard let next = try await next?(database) else { return interval }
        return min(max(next, Sweep.shortest), interval)
    }

    /// Between two rounds that find nothing where something should be.
    private static let shortest = Duration.milliseconds(100)

    /// Removes everything that has served.
    ///
    /// - Returns: how many rows went.
    @discardableResult
    public func finish(in database: Database) async throws -> Int {
        var removed = 0
        while true {
            let count = try await step(database)
            guard count > 0 else { return removed }
            removed += count
            try Task.checkCancellation()
        }
    }
}

private final class TableSize: Sendable {
    let rows = Atomic(0)
}

/// Carries out a service's sweeps; every copy of a process does, which costs a look.
public struct Sweeper: Service {
    private let sweeps: [Sweep]
    private let database: Database
    private let metrics: Metrics
    private let logger: Logger

    public init(_ sweeps: [Sweep], database: Database, metrics: Metrics, logger: Logger) {
        self.sweeps = sweeps
        self.database = database
        self.metrics = metrics
        self.logger = logger
    }

    public func run() async throws {
        // A service that ends by itself ends the program.
        guard !sweeps.isEmpty else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for sweep in sweeps { group.addTask { await carryOut(sweep) } }
            }
        }
    }

    /// The planner's estimate changes when it analyses a table, which is once a minute at most.
    private static let sizePause = Duration.seconds(60)

    private func carryOut(_ sweep: Sweep) async {
        let size = TableSize()
        var nextSize = ContinuousClock.now
        var pause = sweep.interval
        metrics.gauge(
            "madang_table_rows",
            help: "Rows of a table that is swept, as the planner estimates them.",
            labels: [("table", sweep.table)]
        ) { Double(size.rows.load(ordering: .relaxed)) }
        await repeatedly(
            every: pause,
            orSaying: "what has served stays for now",
            ["table": "\(sweep.table)"],
            to: logger
        ) {
            metrics.count(
                "madang_swept_rows_total",
                help: "Rows removed because they have served.",
                labels: [("table", sweep.table)],
                by: try await sweep.finish(in: database)
            )
            pause = try await sweep.pause(in: database)
            guard nextSize <= .now else { return }
            size.rows.store(try await estimatedRows(of: sweep.table), ordering: .relaxed)
            nextSize = .now + Sweeper.sizePause
        }
    }

    private func estimatedRows(of table: String) async throws -> Int {
        try await database.query(
            "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = to_regclass(\(table))"
        ).number()
    }
}
