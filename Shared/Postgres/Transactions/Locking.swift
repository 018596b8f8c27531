// SPDX-License-Identifier: Apache-2.0
// Work that only one process does at a time.

extension Database {
    /// Tries to take a session advisory lock and, while the lock is held, runs `body`, which is cancelled when the
    /// connection is lost.
    ///
    /// - Parameters:
    ///   - matter: of what others notify (`notify`) meanwhile; what they did before `body` begins is not heard.
    ///   - heard: called for one or more of them.
    /// - Returns: nil when somebody else holds the lock.
    public func whileHoldingLock<Value: Sendable>(
        _ key: Int64,
        hearing matter: String? = nil,
        _ heard: @escaping @Sendable () -> Void = {},
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        let lease = Lease(.session, hearing: matter.map { Lease.Hearing(matter: $0, action: heard) })
        let thread = thread
        defer { thread.tell(.end(lease)) }

        @Sendable func run(_ sql: SQL) async throws -> Rows {
            let end = monotonicNow() + thread.configuration.deadline.nanoseconds
            return try await thread.run(Job(.statement, sql, lease: lease, deadline: end))
        }

        guard let row = try await run("SELECT pg_try_advisory_lock(\(key))").first else { return nil }
        var columns = row.columns
        guard try columns.next(Bool.self) else { return nil }
        if matter != nil { _ = try await run("LISTEN madang") }
        let result = try await withThrowingTaskGroup(of: Value?.self) { group in
            // The lock is the session: its loss is seen by epoll, and by a ping where the network is silent.
            group.addTask {
                _ = try await thread.run(Job(.watch, "", lease: lease, deadline: .max))
                return nil
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(5))
                    _ = try await run("SELECT 1")
                }
            }
            return try await withoutActuallyEscaping(body) { body in
                group.addTask { try await body() }
                defer { group.cancelAll() }
                let first: Result<Value?, any Error>
                do { first = .success(try await group.next() ?? nil) } catch { first = .failure(error) }
                // Nothing of the body may go on when the lock is somebody else's.
                group.cancelAll()
                while await group.nextResult() != nil {}
                return try first.get()
            }
        }
        _ = try? await run("SELECT pg_advisory_unlock(\(key))")
        return result
    }

    /// Tells those who hear of a matter that something is there. It may be lost with a connection.
    public func notify(_ matter: String) async throws { _ = try await query("SELECT pg_notify('madang', \(matter))") }
}
