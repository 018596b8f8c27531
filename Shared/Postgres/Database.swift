// SPDX-License-Identifier: Apache-2.0
// A database: statements in pipelines, transactions on connections of their own.

package import Logging
package import ServiceLifecycle

/// How to reach a database and how many connections to hold.
package struct DatabaseConfiguration: Sendable {
    /// A libpq connection string or URI.
    package var connection: String
    /// The service's schema: the session's `search_path`.
    package var schema: String
    /// Connections that carry single statements in pipelines.
    package var pipelined = 2
    /// Connections lent out for transactions.
    package var exclusive = 8
    /// How long a statement may take in all, waiting included.
    package var deadline: Duration = .seconds(5)
    package var applicationName: String

    package init(connection: String, schema: String, applicationName: String) {
        self.connection = connection
        self.schema = schema
        self.applicationName = applicationName
    }
}

/// The connections of one process to its database, on one epoll thread.
package final class Database: Service, Sendable {
    package init(_ configuration: DatabaseConfiguration, logger: Logger) { fatalError("stub") }

    /// Holds the connections open until graceful shutdown, then closes them when the last statement is done.
    /// Statements may be sent from the moment of `init`; they wait for a connection up to their deadline.
    package func run() async throws { fatalError("stub") }

    /// Runs one statement by itself (autocommit) in a pipeline.
    package func query(_ sql: SQL, deadline: Duration? = nil) async throws -> Rows { fatalError("stub") }

    /// Runs a transaction on a connection of its own; commits when `body` returns, rolls back when it throws.
    ///
    /// A serialization failure or deadlock (40001, 40P01) runs `body` again, at most three times, with jitter.
    /// A connection lost during COMMIT throws `commitUnknown`.
    package func transaction<Value: Sendable>(
        deadline: Duration? = nil,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value { fatalError("stub") }

    /// Tries to take a session advisory lock and, while the lock is held, runs `body`, which is cancelled when the
    /// connection is lost.
    ///
    /// - Returns: nil when somebody else holds the lock.
    package func whileHoldingLock<Value: Sendable>(
        _ key: Int64,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value? { fatalError("stub") }

    package struct Statistics: Sendable {
        package var open = 0
        package var exclusiveInUse = 0
        package var waiting = 0
        package var reconnects = 0
    }
    package var statistics: Statistics { fatalError("stub") }
}

/// A transaction under way: only the task that was given it may use it, one statement after another.
package struct Transaction: Sendable {
    package func query(_ sql: SQL) async throws -> Rows { fatalError("stub") }

    /// Runs a statement whose rows nobody needs; its failure may only be told at the next `query` or at the commit,
    /// so that it travels together with them.
    package func enqueue(_ sql: SQL) { fatalError("stub") }

    /// Runs `action` after the commit succeeded.
    package func afterCommit(_ action: @escaping @Sendable () -> Void) { fatalError("stub") }
}
