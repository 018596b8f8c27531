// SPDX-License-Identifier: Apache-2.0
// The operator's way to a rebuild.

public import Logging
public import Postgres
internal import ServiceKit
import ServiceLifecycle

/// `rebuild [--abandon] [QUEUE…]`: has the projections of the service, or of some of its queues, rebuilt, and shows how far
/// that is until it is done. The running service does the work: this command may be ended, and called again to look on.
public func rebuild(
    service: String,
    database: DatabaseConfiguration,
    arguments: [String],
    logger: Logger
) async throws {
    let queues = arguments.filter { $0 != "--abandon" }
    let isAbandoning = arguments.contains("--abandon")
    guard !queues.contains(where: { $0.hasPrefix("-") }) else { throw RebuildCommand.Usage() }
    let database = Database(database, logger: logger)
    let group = ServiceGroup(services: [database], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let result: Result<Void, any Error>
        do {
            let command = RebuildCommand(service: service, queues: queues, database: database, say: { print($0) })
            logger.notice(
                "rebuild",
                metadata: [
                    "operator": "\(operatorName())", "service": "\(service)", "abandon": "\(isAbandoning)",
                    "queues": .array(queues.map { .string(printable($0)) }),
                ]
            )
            result = .success(try await isAbandoning ? command.abandon() : command.run())
        } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        try result.get()
    }
}

struct RebuildCommand: Sendable {
    struct Usage: Error, CustomStringConvertible {
        let description = "usage: rebuild [--abandon] [QUEUE…]"
    }

    struct Nothing: Error, CustomStringConvertible {
        let description: String
    }

    private static let pause = Duration.milliseconds(500)

    let service: String
    /// All when it is empty.
    let queues: [String]
    let database: Database
    let say: @Sendable (String) -> Void

    /// Begins what is not under way and returns when all of it is done.
    func run() async throws {
        try await requireQueues()
        try await RebuildStore.ask(queues, in: database)
        var said: [String: String] = [:]
        while true {
            let rebuilds = try await chosen()
            let owners = try await RebuildStore.owners(of: rebuilds.map(\.queue), in: database)
            for rebuild in rebuilds {
                let line = RebuildCommand.line(rebuild, owners.filter { $0.queue == rebuild.queue })
                if said.updateValue(line, forKey: rebuild.queue) != line { say(line) }
            }
            if let given = rebuilds.first(where: { $0.state == .abandoned }) {
                throw Nothing(description: "the rebuild of \(given.queue) was given up")
            }
            if !rebuilds.contains(where: \.state.isUnderWay) { return }
            try await Task.sleep(for: RebuildCommand.pause)
        }
    }

    func abandon() async throws {
        try await requireQueues()
        try await RebuildStore.abandon(queues, in: database)
        for rebuild in try await chosen() { say("\(rebuild.queue): \(rebuild.state.rawValue)") }
    }

    private func chosen() async throws -> [RebuildRow] {
        try await RebuildStore.all(in: database).filter { queues.isEmpty || queues.contains($0.queue) }
    }

    private func requireQueues() async throws {
        let there = try await RebuildStore.all(in: database).map(\.queue)
        if let unknown = queues.first(where: { !there.contains($0) }) {
            throw Nothing(description: "\(printable(unknown)) is none of \(there.joined(separator: ", "))")
        }
        if there.isEmpty {
            throw Nothing(description: "nothing of \(service) can be rebuilt, or it has not been started yet")
        }
    }

    static func line(_ rebuild: RebuildRow, _ owners: [RebuildOwner]) -> String {
        let progress = owners.map { owner in
            "\(owner.owner) \(owner.applied) of \(owner.told.map(String.init) ?? "…")"
        }.joined(separator: ", ")
        switch rebuild.state {
        case .asked: return "\(rebuild.queue): waits for the service, which must be running"
        case .retelling: return "\(rebuild.queue): applied of \(progress)"
        case .withdrawing: return "\(rebuild.queue): applied of \(progress); removed \(rebuild.removed)"
        case .finished: return "\(rebuild.queue): done, applied of \(progress); removed \(rebuild.removed)"
        case .idle, .abandoning, .abandoned: return "\(rebuild.queue): \(rebuild.state.rawValue)"
        }
    }
}
