// SPDX-License-Identifier: Apache-2.0
// Two transactions at once.

import Postgres
import Support
import Synchronization

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

extension GraphWorld {
    /// Begins a transaction, lets `other` start while it is open, and commits once `other` is through or waits for it.
    func whileOpen(
        _ body: @escaping @Sendable (Transaction) async throws -> Void,
        _ other: @escaping @Sendable () async throws -> Void
    ) async throws {
        let through = Flag()
        let (isOpen, opened) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in isOpen { break }
                try await other()
                through.isSet.store(true, ordering: .releasing)
            }
            try await database.transaction { transaction in
                try await body(transaction)
                opened.yield()
                try await eventually("the other is through or waits") {
                    if through.isSet.load(ordering: .acquiring) { return true }
                    let waiting = """
                        SELECT count(*) FROM pg_locks
                        JOIN pg_stat_activity USING (pid)
                        WHERE NOT granted AND datname = current_database()
                        """ as SQL
                    return try await number(waiting) > 0
                }
            }
            try await group.waitForAll()
        }
    }
}
