// SPDX-License-Identifier: Apache-2.0
// Services that run as long as a test needs them.

import Logging
package import ServiceLifecycle

/// Runs services while `body` runs, then stops them gracefully and waits for their end.
package func whileRunning<Value: Sendable>(
    _ services: [any Service],
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let group = ServiceGroup(services: services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        do {
            let value = try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        } catch {
            await group.triggerGracefulShutdown()
            throw error
        }
    }
}
