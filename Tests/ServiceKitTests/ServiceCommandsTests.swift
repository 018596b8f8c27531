// SPDX-License-Identifier: Apache-2.0
// The exit codes of an executable, its graceful stop, and deadlines.

import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

private struct Failure: Error {}

/// Waits until it is asked to stop, and says when.
private struct Waiting: Service {
    let name: String
    let order: Order
    let started: @Sendable () -> Void

    func run() async throws {
        started()
        try await gracefulShutdown()
        order.add(name)
    }
}

private struct Failing: Service {
    func run() async throws { throw Failure() }
}

private final class Order: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
}

private func commands(_ services: [any Service] = []) -> ServiceCommands<Int> {
    ServiceCommands(
        name: "test",
        config: { $0.integer("NUMBER", in: 1...9, meaning: "a number") },
        serve: { _, _, _ in services },
        commands: [
            "check": { number, _, arguments in #expect(number == 5 && arguments == ["a", "b"]) },
            "fail": { _, _, _ in throw Failure() },
        ]
    )
}

@Suite(.serialized) struct ServiceCommandsTests {
    static let environment = ["NUMBER": "5", "MADANG_LOG_LEVEL": "critical"]

    @Test func exitCodesSayWhatHappened() async {
        #expect(await commands().run(arguments: ["check", "a", "b"], environment: Self.environment) == 0)
        #expect(await commands().run(arguments: ["fail"], environment: Self.environment) == 1)
        #expect(await commands().run(arguments: ["dance"], environment: Self.environment) == 64)
        #expect(await commands().run(arguments: ["check"], environment: ["NUMBER": "x"]) == 78)
        #expect(await commands().run(arguments: [], environment: [:]) == 78)
        #expect(await commands().run(arguments: ["settings"], environment: Self.environment) == 0)
        #expect(await commands().run(arguments: ["settings"], environment: [:]) == 78)
        // What the operator asks for ends, whatever supervisors do.
        #expect(await commands().run(arguments: ["check"], environment: ["MADANG_ON_REFUSAL": "stay"]) == 78)
        #expect(await commands().run(arguments: ["healthcheck"], environment: Self.environment) == 1)
    }

    @Test func aFailingServiceIsAFailure() async {
        #expect(await commands([Failing()]).run(arguments: ["serve"], environment: Self.environment) == 1)
    }

    @Test func aSignalStopsServicesInReverse() async {
        let order = Order()
        let started = Mutex(0)
        let ready: @Sendable () -> Void = {
            let count = started.withLock { started in
                started += 1
                return started
            }
            if count == 2 { kill(getpid(), SIGTERM) }
        }
        let services = ["pool", "web"].map { Waiting(name: $0, order: order, started: ready) }
        #expect(await commands(services).run(arguments: [], environment: Self.environment) == 0)
        #expect(order.all == ["web", "pool"])
    }

    @Test func deadlinesCancelWhatTakesTooLong() async throws {
        #expect(try await withDeadline(.seconds(60)) { 7 } == 7)
        await #expect(throws: Failure.self) { try await withDeadline(.seconds(60)) { throw Failure() } }
        await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(.milliseconds(50)) {
                let never = AsyncStream<Void> { _ in }
                for await _ in never {}
                try Task.checkCancellation()
            }
        }
    }
}
