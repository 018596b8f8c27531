// SPDX-License-Identifier: Apache-2.0
// The operator's view of messages that could not be handled.

package import Logging
package import Messaging
package import Postgres
import ServiceLifecycle

/// `dead-letters list | replay [ID…] | drop [ID…]` for the queue `<service>.dead`; without ids all are meant.
package func deadLetters(
    service: String,
    broker: BrokerConfiguration,
    database: DatabaseConfiguration,
    arguments: [String],
    logger: Logger
) async throws {
    let ids = Set(arguments.dropFirst().map { $0.lowercased() })
    guard let verb = DeadLetters.Verb(rawValue: arguments.first ?? "list"), verb != .list || ids.isEmpty else {
        throw DeadLetters.Usage()
    }
    let database = Database(database, logger: logger)
    let publisher = Publisher(broker, logger: logger)
    let group = ServiceGroup(services: [database, publisher], logger: logger)
    let letters = DeadLetters(service: service, broker: broker, database: database, publisher: publisher)
    let lines = try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let result: Result<[String], any Error>
        do { result = .success(try await letters.run(verb, ids)) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try result.get()
    }
    for line in lines { print(line) }
}

/// The dead letters of one service.
struct DeadLetters: Sendable {
    enum Verb: String {
        case list, replay, drop
    }

    struct Usage: Error, CustomStringConvertible {
        let description = "usage: dead-letters list | replay [ID…] | drop [ID…]"
    }

    private struct Death: Sendable {
        let type: String
        let reason: String
        let time: String
    }

    let service: String
    let broker: BrokerConfiguration
    let database: Database
    let publisher: Publisher

    /// - Returns: what to print.
    func run(_ verb: Verb, _ ids: Set<String>) async throws -> [String] {
        try await inspect(queue: "\(service).dead", broker: broker) { letters in
            let chosen = letters.map { ids.isEmpty || ids.contains($0.messageID?.lowercased() ?? "") }
            var settlements = [Settlement](repeating: .requeue, count: letters.count)
            switch verb {
            case .list: return (settlements, try await table(letters))
            case .drop:
                for index in letters.indices where chosen[index] { settlements[index] = .acknowledge }
                try await forget(letters.indices.filter { chosen[$0] }.map { letters[$0] })
                return (settlements, ["dropped \(chosen.count { $0 }) of \(letters.count)"])
            case .replay:
                let indices = letters.indices.filter { chosen[$0] }
                let outcomes = try await publisher.publish(indices.map { letters[$0].replayed })
                var lines: [String] = []
                var replayed: [Delivery] = []
                for (index, outcome) in zip(indices, outcomes) {
                    if outcome == .confirmed {
                        settlements[index] = .acknowledge
                        replayed.append(letters[index])
                    } else {
                        lines.append("kept \(letters[index].messageID ?? "-"): \(outcome)")
                    }
                }
                return (settlements, lines + ["replayed \(replayed.count) of \(letters.count)"])
            }
        }
    }

    private func table(_ letters: [Delivery]) async throws -> [String] {
        let deaths = try await deaths(letters.compactMap(\.messageID))
        var rows = [["ID", "TYPE", "QUEUE", "REASON", "TIME", "BYTES"]]
        for letter in letters {
            let death = deaths["\(letter.deadQueue) \(letter.messageID ?? "")"]
            rows.append([
                letter.messageID ?? "-", death?.type ?? letter.routingKey, letter.deadQueue,
                death?.reason ?? letter.headers["x-first-death-reason"] ?? "-", death?.time ?? "-",
                String(letter.body.count),
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        } + ["\(letters.count) dead letters in \(service).dead"]
    }

    private func deaths(_ ids: [String]) async throws -> [String: Death] {
        let rows = try await database.query(
            """
            SELECT queue || ' ' || event_id, type, reason, to_char(died_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM dead_letters
            WHERE event_id = ANY(\(ids))
            """
        )
        var deaths: [String: Death] = [:]
        for row in rows {
            var columns = row.columns
            let key: String = try columns.next()
            deaths[key] = Death(
                type: printable(try columns.next()),
                reason: printable(try columns.next()),
                time: try columns.next()
            )
        }
        return deaths
    }

    private func forget(_ letters: [Delivery]) async throws {
        _ = try await database.query(
            "DELETE FROM dead_letters WHERE event_id = ANY(\(letters.compactMap(\.messageID)))"
        )
    }
}

extension Delivery {
    /// The queue in which the message could not be handled.
    fileprivate var deadQueue: String { headers["x-first-death-queue"] ?? "-" }

    /// To the one queue that could not handle it, past every exchange, so that nobody else gets it again.
    fileprivate var replayed: Message {
        var message = Message(exchange: "", routingKey: deadQueue, id: messageID ?? "", body: body)
        message.mandatory = true
        return message
    }
}

/// One line that a terminal shows as it is.
private func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200))
}
