// SPDX-License-Identifier: Apache-2.0
// The start and the graceful stop of every executable.

public import Logging
public import ServiceLifecycle

/// Thrown where the process must not run and where another try would not help: exit code 78.
public struct Refusal: Error, CustomStringConvertible {
    public let description: String

    public init(reason: String) { description = reason }
}

/// What an executable can do; `serve` is what it does without arguments.
public struct ServiceCommands<Config: Sendable>: Sendable {
    public typealias Command = @Sendable (Config, Logger, [String]) async throws -> Void
    public typealias Serve = @Sendable (Config, Logger, Metrics) async throws -> [any Service]

    /// The executable's name, such as `posts`.
    public let name: String
    /// Reads every setting; what is bad stays in the `Settings`, which name it all at once.
    public let config: @Sendable (inout Settings) -> Config
    /// Builds the long-lived services, in the order of their dependencies: they stop in reverse.
    public let serve: Serve
    /// Further subcommands by name, such as `migrate` and `dead-letters`; they get the remaining arguments.
    public let commands: [String: Command]

    public init(
        name: String,
        config: @escaping @Sendable (inout Settings) -> Config,
        serve: @escaping Serve,
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
    /// - Returns: the exit code: 0 done, 1 failed, 64 wrong usage, 78 bad settings or surroundings (sysexits.h).
    public func main() async -> Int32 {
        ignoreBrokenPipes()
        return await run(arguments: Array(CommandLine.arguments.dropFirst()), environment: processEnvironment())
    }

    /// The same with arguments and environment given.
    public func run(arguments: [String], environment: [String: String]) async -> Int32 {
        let command = arguments.first ?? "serve"
        guard ["serve", "settings", "healthcheck"].contains(command) || commands[command] != nil else {
            complain("\(name): unknown command \"\(command)\"\n\(usage)")
            return 64
        }
        var settings = Settings(environment: environment)
        let config = config(&settings)
        let process = ProcessSettings(&settings)
        switch command {
        case "settings":
            printTable(of: settings)
            return report(settings) ? 0 : 78
        case "healthcheck":
            return isReady(settings) ? 0 : 1
        default: break
        }
        LoggingStart.bootstrap(level: process.level.level)
        var logger = Logger(label: name)
        logger.logLevel = process.level.level
        guard report(settings) else {
            if command == "serve" { await stay(process, logger) }
            return 78
        }
        do {
            if let run = commands[command] {
                try await run(config, logger, Array(arguments.dropFirst()))
            } else {
                try await serve(config, process, logger)
            }
            return 0
        } catch let refusal as Refusal {
            logger.critical("Refused to run", metadata: ["command": "\(command)", "reason": "\(refusal)"])
            complain("\(name) \(command): \(refusal)")
            if command == "serve" { await stay(process, logger) }
            return 78
        } catch {
            logger.critical("Failed", metadata: ["command": "\(command)", "cause": "\(String(reflecting: error))"])
            complain("\(name) \(command): \(error)")
            return 1
        }
    }

    private func serve(_ config: Config, _ process: ProcessSettings, _ logger: Logger) async throws {
        let metrics = Metrics()
        measureProcess(metrics)
        let services = try await serve(config, logger, metrics)
        let drain = Drain(for: .seconds(process.drainSeconds))
        let group = ServiceGroup(configuration: .init(services: services + [drain], logger: logger))
        let signals = SignalWatch(logger: logger) { await group.triggerGracefulShutdown() }
        try await signals.during {
            try await Drain.$current.withValue(drain) { try await group.run() }
        }
        logger.info("Stopped")
    }

    /// Where a supervisor cannot tell exit code 78 from others and would try again for ever, does nothing until asked to
    /// stop: not ready, and seen as that.
    private func stay(_ process: ProcessSettings, _ logger: Logger) async {
        guard process.onRefusal == .stay else { return }
        let group = ServiceGroup(configuration: .init(services: [Idle(logger: logger)], logger: logger))
        let signals = SignalWatch(logger: logger) { await group.triggerGracefulShutdown() }
        try? await signals.during { try await group.run() }
    }

    /// Says what is bad, a line each; true when nothing is.
    private func report(_ settings: Settings) -> Bool {
        do {
            try settings.finish()
            return true
        } catch {
            for line in "\(error)".split(separator: "\n") { complain("\(name): \(line)") }
            return false
        }
    }

    private func printTable(of settings: Settings) {
        let width = settings.effective.map(\.name.count).max() ?? 0
        for (name, value, meaning) in settings.effective {
            say("\(name)\(String(repeating: " ", count: width - name.count))  \(value)  # \(meaning)")
        }
    }

    private func isReady(_ settings: Settings) -> Bool {
        guard let listen = settings.effective.first(where: { $0.name == "MADANG_LISTEN" })?.value,
            let address = Settings.hostAndPort(listen)
        else {
            complain("\(name): MADANG_LISTEN is not host:port")
            return false
        }
        let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][address.host] ?? address.host
        let status = statusOfGet("/health/ready", host: host, port: address.port, seconds: 5)
        guard status == 200 else {
            complain("\(name): not ready (\(status.map { "status \($0)" } ?? "no answer"))")
            return false
        }
        return true
    }

    private var usage: String {
        let names = ["serve", "settings", "healthcheck"] + commands.keys.sorted()
        return "usage: \(name) [\(names.joined(separator: " | "))]"
    }
}

/// Does nothing until it is asked to stop.
private struct Idle: Service {
    let logger: Logger

    func run() async throws {
        logger.critical("Stays without serving until it is stopped: start it anew with other settings")
        try? await gracefulShutdown()
    }
}

/// What every executable reads besides its own settings.
private struct ProcessSettings {
    enum Level: String, CaseIterable {
        case trace, debug, info, notice, warning, error, critical

        var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
    }

    enum OnRefusal: String, CaseIterable { case exit, stay }

    let level: Level
    let drainSeconds: Int
    let onRefusal: OnRefusal

    init(_ settings: inout Settings) {
        level = settings.choice("MADANG_LOG_LEVEL", default: .info, meaning: "the least important level that is logged")
        onRefusal = settings.choice(
            "MADANG_ON_REFUSAL",
            default: .exit,
            meaning:
                "what to do about bad settings: exit with 78, or stay without serving where supervisors try again for ever"
        )
        drainSeconds = settings.integer(
            "MADANG_DRAIN_SECONDS",
            default: 0,
            in: 0...10,
            meaning: "seconds between being asked to stop and accepting no more connections; 2 behind a balancer"
        )
    }
}
