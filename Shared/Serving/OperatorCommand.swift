// SPDX-License-Identifier: Apache-2.0
// What commands of the operator work with.

public import Domain
public import Logging
import Outbox
public import Postgres
import ServiceKit

/// A command that ran at the operator's command line, beside the processes that serve.
public enum OperatorCommand {
    /// Runs `body` with the database and a slot for ids, which end with it.
    public static func run<Value: Sendable>(
        _ config: some ServiceConfig,
        logger: Logger,
        _ body: @Sendable (Database, IDGenerator) async throws -> Value
    ) async throws -> Value {
        let database = Database(config.service.database, logger: logger)
        let lease = IDLease(database, metrics: Metrics(), logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await lease.acquire()
            let result: Result<Value, any Error>
            do { result = .success(try await body(database, lease.ids)) } catch { result = .failure(error) }
            await database.callRelay(of: config.service.database.schema)
            await lease.release()
            return try result.get()
        }
    }
}
