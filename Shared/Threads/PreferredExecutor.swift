// SPDX-License-Identifier: Apache-2.0
// Where tasks run that others start.

/// Where a task wants its work to run: tasks that it starts by themselves inherit no preference (SE-0417).
public enum PreferredExecutor {
    @TaskLocal public static var current: (any TaskExecutor)?

    /// Runs `body`, and the tasks that it starts, on `executor`; in the cooperative pool where it is nil.
    public static func with(_ executor: (any TaskExecutor)?, _ body: @Sendable () async throws -> Void) async rethrows {
        try await $current.withValue(executor) {
            try await withTaskExecutorPreference(executor) { try await body() }
        }
    }
}
