// SPDX-License-Identifier: Apache-2.0
// The start and the graceful stop of every executable.

package import Logging
package import ServiceLifecycle

/// What an executable can do; `serve` is what it does without arguments.
package struct ServiceCommands<Config: Sendable>: Sendable {
    package typealias Command = @Sendable (Config, Logger, [String]) async throws -> Void

    /// The executable's name, such as `posts`.
    package let name: String
    /// Reads every setting; what is bad stays in the `Settings`, which name it all at once.
    package let config: @Sendable (inout Settings) -> Config
    /// Builds the long-lived services, in the order of their dependencies: they stop in reverse.
    package let serve: @Sendable (Config, Logger, Metrics) async throws -> [any Service]
    /// Further subcommands by name, such as `migrate` and `dead-letters`; they get the remaining arguments.
    package let commands: [String: Command]

    package init(
        name: String,
        config: @escaping @Sendable (inout Settings) -> Config,
        serve: @escaping @Sendable (Config, Logger, Metrics) async throws -> [any Service],
        commands: [String: Command] = [:]
    ) {
        self.name = name
        self.config = config
        self.serve = serve
        self.commands = commands
    }

    /// Runs the command that the process's arguments name: `serve` (default), `settings` (prints the effective
    /// settings), `healthcheck` (asks `/health/ready` of the own port) or one of `commands`.
    ///
    /// - Returns: the exit code: 0 done, 1 failed, 64 wrong usage, 78 bad settings (sysexits.h).
    package func main() async -> Int32 { fatalError("stub") }
}
