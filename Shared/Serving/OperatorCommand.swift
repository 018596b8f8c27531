// SPDX-License-Identifier: Apache-2.0
// What commands of the operator work with.

package import Domain
package import Logging
import Outbox
package import Postgres
import ServiceKit

/// A command that ran at the operator's command line, beside the processes that serve.
package enum OperatorCommand {
    /// Runs `body` with the database and a slot for ids, which end with it.
    package static func run<Value: Sendable>(
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
