// SPDX-License-Identifier: Apache-2.0
// The operator's view of messages that could not be handled.

public import Logging
public import Messaging
public import Postgres
internal import ServiceKit
import ServiceLifecycle

/// `dead-letters list | replay [ID…] | drop [ID…]`: what lies in the queue `<service>.dead`, what the broker refused,
/// and what waits for another release; without ids all that can be replayed or dropped is meant.
///
/// - Parameter replay: the broker as the user who alone may write to any queue; without it nothing is replayed.
public func deadLetters(
    service: String,
    broker: BrokerConfiguration,
    replay: BrokerConfiguration?,
    database: DatabaseConfiguration,
    arguments: [String],
    logger: Logger
) async throws {
    let ids = Set(arguments.dropFirst().map { $0.lowercased() })
    guard let verb = DeadLetters.Verb(rawValue: arguments.first ?? "list"), verb != .list || ids.isEmpty else {
        throw DeadLetters.Usage()
    }
    guard verb != .replay || replay != nil else { throw DeadLetters.NoReplay() }
    let database = Database(database, logger: logger)
    let publisher = Publisher(replay ?? broker, logger: logger)
    let group = ServiceGroup(services: [database, publisher], logger: logger)
    let letters = DeadLetters(
        service: service,
        broker: broker,
        database: database,
        publisher: publisher,
        logger: logger
    )
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

    struct NoReplay: Error, CustomStringConvertible {
        let description = "MADANG_AMQP_REPLAY_FILE must name the address of the broker as the user replay"
    }

    private struct Death: Sendable {
        let type: String
        let reason: String
        let time: String
    }

    private struct Letter: Sendable {
        /// The place of the message that it came in.
        let message: Int
        let delivery: Delivery
        /// Nil where it is no longer known.
        let death: Death?
    }

    let service: String
    let broker: BrokerConfiguration
    let database: Database
    let publisher: Publisher
    /// Where it is noted who did what with which events.
    let logger: Logger

    private func note(_ verb: Verb, _ place: String, _ events: [String]) {
        logger.notice(
            "dead letters",
            metadata: [
                "verb": "\(verb)", "place": "\(place)", "operator": "\(operatorName())", "service": "\(service)",
                "count": "\(events.count)",
                "events": .array(verb == .list ? [] : events.map { .string(printable($0)) }),
            ]
        )
    }

    /// - Returns: what to print.
    func run(_ verb: Verb, _ ids: Set<String>) async throws -> [String] {
        try await messages(verb, ids) + unpublished(verb, ids) + waiting(verb, ids)
    }

    private func messages(_ verb: Verb, _ ids: Set<String>) async throws -> [String] {
        try await inspect(queue: "\(service).dead", broker: broker) { messages in
            let letters = try await self.letters(in: messages)
            let chosen = letters.filter { ids.isEmpty || ids.contains($0.delivery.key.lowercased()) }
            var lines: [String] = []
            var done: [Letter] = []
            switch verb {
            case .list:
                note(verb, "\(service).dead", letters.map(\.delivery.key))
                return (messages.map { _ in .requeue }, table(letters))
            case .drop:
                done = chosen
                try await forget(done)
                lines.append("dropped \(done.count) of \(letters.count)")
            case .replay:
                let outcomes = try await publisher.publish(chosen.map { $0.delivery.replayed(sentAs: $0.death?.type) })
                for (letter, outcome) in zip(chosen, outcomes) {
                    if outcome == .confirmed {
                        done.append(letter)
                    } else {
                        lines.append("kept \(letter.delivery.key): \(outcome)")
                    }
                }
                lines.append("replayed \(done.count) of \(letters.count)")
            }
            note(verb, "\(service).dead", done.map(\.delivery.key))
            let (before, after) = (counted(letters), counted(done))
            let isKept = messages.indices.map { after[$0, default: 0] < before[$0, default: 0] }
            // Of a pack that stays, what is done with is dead no longer.
            if verb == .replay { try await forget(done.filter { isKept[$0.message] }) }
            return (isKept.map { $0 ? .requeue : .acknowledge }, lines)
        }
    }

    /// What could not be handled of a message: of a pack those alone of whose death is known; where none is, all.
    private func letters(in messages: [Delivery]) async throws -> [Letter] {
        let parts = messages.map(\.parts)
        let deaths = try await deaths(parts.joined().map(\.key))
        return parts.enumerated().flatMap { message, parts in
            let letters = parts.map { part in
                Letter(message: message, delivery: part, death: deaths["\(part.deadQueue) \(part.key)"])
            }
            let noted = letters.filter { $0.death != nil }
            return noted.isEmpty ? letters : noted
        }
    }

    /// How many letters each message has.
    private func counted(_ letters: [Letter]) -> [Int: Int] {
        Dictionary(grouping: letters, by: \.message).mapValues(\.count)
    }

    private func table(_ letters: [Letter]) -> [String] {
        var rows = [["ID", "TYPE", "QUEUE", "REASON", "TIME", "BYTES"]]
        for letter in letters {
            let (delivery, death) = (letter.delivery, letter.death)
            rows.append([
                printable(delivery.key), printable(death?.type ?? delivery.routingKey), delivery.deadQueue,
                (death?.reason).map(printable) ?? delivery.headers["x-first-death-reason"] ?? "-", death?.time ?? "-",
                String(delivery.body.count),
            ])
        }
        return aligned(rows) + ["\(letters.count) dead letters in \(service).dead"]
    }

    /// What the broker refused; to replay it is to put it back into the outbox.
    private func unpublished(_ verb: Verb, _ ids: Set<String>) async throws -> [String] {
        let store = OutboxStore(database: database)
        let all = try await store.unpublished()
        let chosen = all.map(\.eventID).filter { ids.isEmpty || ids.contains($0) }
        if all.isEmpty || verb != .list && chosen.isEmpty { return [] }
        note(verb, "outbox", chosen)
        switch verb {
        case .list:
            let rows = all.map {
                [$0.eventID, printable($0.type), "outbox", printable($0.reason), $0.time, String($0.bytes)]
            }
            return aligned(rows) + ["\(all.count) events that the broker refused"]
        case .replay:
            return ["put \(try await store.publishAgain(chosen)) of \(all.count) refused events into the outbox"]
        case .drop: return ["dropped \(try await store.dropUnpublished(chosen)) of \(all.count) refused events"]
        }
    }

    /// What waits for a release that knows it, or failed when one did. It is dropped by its id only.
    private func waiting(_ verb: Verb, _ ids: Set<String>) async throws -> [String] {
        switch verb {
        case .list:
            let rows = try await database.query(
                """
                SELECT event_id, type, queue, coalesce(reason, 'its type is not known here'),
                    to_char(arrived_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), CAST(length(envelope) AS text)
                FROM waiting_events
                ORDER BY arrived_at
                LIMIT 10000
                """
            )
            if rows.isEmpty { return [] }
            let cells = try rows.all { columns in
                try (0..<6).map { _ in printable(try columns.next(String.self)) }
            }
            return aligned(cells) + ["\(rows.count) events that wait"]
        case .replay:
            let count = try await database.query(
                """
                UPDATE waiting_events SET attempts = 0, reason = NULL
                WHERE attempts > 0 AND (\(ids.isEmpty) OR event_id = ANY(\(Array(ids))))
                """
            ).affected
            if count > 0 { note(verb, "waiting", Array(ids)) }
            return count > 0 ? ["\(count) events that waited are tried again"] : []
        case .drop:
            let count = try await database.query(
                "DELETE FROM waiting_events WHERE event_id = ANY(\(Array(ids)))"
            ).affected
            if count > 0 { note(verb, "waiting", Array(ids)) }
            return count > 0 ? ["dropped \(count) events that waited"] : []
        }
    }

    private func aligned(_ rows: [[String]]) -> [String] {
        guard let first = rows.first else { return [] }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private func deaths(_ ids: [String]) async throws -> [String: Death] {
        let deaths = try await database.query(
            """
            SELECT queue || ' ' || event_id, type, reason, to_char(died_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM dead_letters
            WHERE event_id = ANY(\(ids))
            """
        ).all { (try $0.next(String.self), Death(type: try $0.next(), reason: try $0.next(), time: try $0.next())) }
        return Dictionary(deaths) { $1 }
    }

    private func forget(_ letters: [Letter]) async throws {
        _ = try await database.query(
            "DELETE FROM dead_letters WHERE event_id = ANY(\(letters.map(\.delivery.key)))"
        )
    }
}

extension Delivery {
    /// The queue in which the message could not be handled.
    fileprivate var deadQueue: String { headers["x-first-death-queue"] ?? "-" }

    /// To the one queue that could not handle it, past every exchange, so that nobody else gets it again.
    ///
    /// - Parameter type: as what it was sent at first; nil when that is no longer known.
    fileprivate func replayed(sentAs type: String?) -> Message {
        var message = Message(exchange: "", routingKey: deadQueue, id: messageID ?? "", body: body)
        message.mandatory = true
        if let type, isEventType(type) { message.headers[replayHeader] = type }
        return message
    }
}
