// SPDX-License-Identifier: Apache-2.0
// Where tasks run that others start.

/// Where a task wants its work to run: tasks that it starts by themselves inherit no preference (SE-0417).
package enum PreferredExecutor {
    @TaskLocal package static var current: (any TaskExecutor)?
}
