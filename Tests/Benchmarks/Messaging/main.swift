// SPDX-License-Identifier: Apache-2.0
// Measures publishing with confirms; Tests/Benchmarks/messaging.c does the same without Shared/Messaging.
//
// Usage: benchmark-messaging AMQP-URI QUEUE WINDOW COUNT [TASKS [BATCH]]

import Glibc
import Logging
import Messaging

private func fail(_ reason: String) -> Never {
    let line = Array("benchmark-messaging: \(reason)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(64)
}

private func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

private func publish(_ publisher: Publisher, queue: String, count: Int, tasks: Int, batch: Int) async throws {
    let body = [UInt8](repeating: 120, count: 200)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
            group.addTask {
                var sent = 0
                while sent < count / tasks {
                    let messages = (0..<min(batch, count / tasks - sent)).map { index in
                        Message(
                            exchange: "",
                            routingKey: queue,
                            id: "00000000-0000-7000-8000-\(1_000_000_000_000 + task * 1_000_000 + sent + index)",
                            body: body
                        )
                    }
                    sent += messages.count
                    for outcome in try await publisher.publish(messages) where outcome != .confirmed {
                        fail("\(outcome)")
                    }
                }
            }
        }
        try await group.waitForAll()
    }
}

let words = CommandLine.arguments
guard words.count >= 5, let broker = BrokerConfiguration(uri: words[1], connectionName: "benchmark"),
    let window = Int(words[3]), let count = Int(words[4])
else { fail("usage: AMQP-URI QUEUE WINDOW COUNT [TASKS [BATCH]]") }
let tasks = words.count > 5 ? Int(words[5]) ?? 0 : 20
let batch = words.count > 6 ? Int(words[6]) ?? 0 : 100
guard window > 0, tasks > 0, batch > 0, count >= tasks else { fail("numbers must be positive") }

let publisher = Publisher(broker, window: window, logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
let running = Task { try await publisher.run() }
do {
    try await publish(publisher, queue: words[2], count: tasks, tasks: tasks, batch: 1)
    let began = ContinuousClock.now
    let used = processorSeconds()
    try await publish(publisher, queue: words[2], count: count, tasks: tasks, batch: batch)
    let took = (ContinuousClock.now - began) / .seconds(1)
    let messages = count / tasks * tasks
    let cpu = (processorSeconds() - used) * 1e6 / Double(messages)
    print(
        "{\"client\": \"madang\", \"window\": \(window), \"tasks\": \(tasks), \"batch\": \(batch), "
            + "\"messages\": \(messages), \"per_second\": \(Int(Double(messages) / took)), "
            + "\"cpu_us\": \((cpu * 100).rounded() / 100)}"
    )
} catch {
    fail("\(error)")
}
running.cancel()
