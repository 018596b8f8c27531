// SPDX-License-Identifier: Apache-2.0
// Takes devices to which something is due, some at a time.

import Domain
import Logging
import Outbox
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Sends what is due. Every copy of the process takes part; a device that one leaves in the middle, another takes when its lease
/// ends.
struct DeliveryWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    /// Devices that are sent to at a time, by a process.
    static let most = 32

    /// Devices of a platform among them. Push services of browsers are strangers, each of whom may hold a flight for long: room
    /// is left for Apple and Firebase.
    static func most(_ platform: Platform) -> Int { platform == .web ? most / 2 : most }

    /// What a task of the worker ended with.
    private enum End: Sendable {
        case landed(Platform)
        case waited
    }

    /// How long something waits that another copy made, or that was put off.
    private static let pause = Duration.seconds(1)

    func run() async throws {
        let waiting = measure()
        guard !dependencies.senders.isEmpty else { return try await gracefulShutdown() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await cancelWhenGracefulShutdown { await count(waiting) } }
            group.addTask { await work() }
        }
    }

    private func work() async {
        await withTaskGroup(of: End.self) { group in
            var flying: [Platform: Int] = [:]
            var isWaiting = false
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                let rings = dependencies.bell.rings
                for (flight, deliver) in await claim(beside: flying) {
                    flying[deliver.platform, default: 0] += 1
                    group.addTask {
                        await fly(flight, deliver)
                        return .landed(deliver.platform)
                    }
                }
                if !isWaiting {
                    isWaiting = true
                    group.addTask {
                        await cancelWhenGracefulShutdown {
                            await dependencies.bell.wait(after: rings, atMost: DeliveryWorker.pause)
                        }
                        return .waited
                    }
                }
                switch await group.next() {
                case .landed(let platform): flying[platform, default: 1] -= 1
                case .waited, nil: isWaiting = false
                }
            }
        }
    }

    /// Takes devices to which something is due, each with how it is sent to.
    ///
    /// - Parameter flying: how many are sent to already.
    func claim(beside flying: [Platform: Int]) async -> [(Flight, DeliverToDevice)] {
        var claimed: [(Flight, DeliverToDevice)] = []
        let now = dependencies.now()
        for (platform, sender) in dependencies.senders.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let room = min(
                DeliveryWorker.most - flying.values.reduce(0, +) - claimed.count,
                DeliveryWorker.most(platform) - flying[platform, default: 0]
            )
            guard room > 0, !dependencies.rests.isResting(platform, at: now) else { continue }
            let deliver = DeliverToDevice(
                platform: platform,
                sender: sender,
                dependencies: dependencies,
                metrics: metrics,
                logger: logger
            )
            do {
                let flights = try await DeliveryStore.claim(
                    platform,
                    most: room,
                    at: now,
                    lease: now + DeliveryPatience.lease,
                    in: dependencies.database
                )
                claimed += flights.map { ($0, deliver) }
            } catch {
                if !(error is CancellationError) { logger.warning("pushes wait", metadata: ["error": "\(error)"]) }
            }
        }
        return claimed
    }

    private func fly(_ flight: Flight, _ deliver: DeliverToDevice) async {
        do {
            try await deliver.run(flight)
        } catch {
            // Another takes the device when the lease ends.
            if !(error is CancellationError) {
                logger.warning("a device waits", metadata: ["device": "\(flight.device)", "error": "\(error)"])
            }
        }
    }

    /// Sends everything that is due now: for tests.
    ///
    /// - Returns: how many flights it took.
    @discardableResult
    func finish() async throws -> Int {
        var flights = 0
        while true {
            let claimed = await claim(beside: [:])
            guard !claimed.isEmpty else { return flights }
            flights += claimed.count
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (flight, deliver) in claimed { group.addTask { try await deliver.run(flight) } }
                try await group.waitForAll()
            }
        }
    }

    // MARK: Measurements

    private final class Count: Sendable {
        let waiting = Atomic(0)
    }

    /// Of every platform, so that what is not turned on is seen to be still.
    ///
    /// - Returns: where to put how many wait.
    private func measure() -> [Platform: Count] {
        let counts = Dictionary(uniqueKeysWithValues: Platform.allCases.map { ($0, Count()) })
        for (platform, count) in counts {
            metrics.gauge(
                "madang_push_misconfigured",
                help: "Whether a provider says that our keys or names are wrong.",
                labels: [("platform", platform.rawValue)]
            ) { dependencies.rests.isMisconfigured(platform) ? 1 : 0 }
            metrics.gauge(
                "madang_push_waiting",
                help: "Pushes that have not been sent.",
                labels: [("platform", platform.rawValue)]
            ) { Double(count.waiting.load(ordering: .relaxed)) }
        }
        return counts
    }

    private func count(_ counts: [Platform: Count]) async {
        await repeatedly(every: .seconds(10), orSaying: "waiting pushes are not counted", to: logger) {
            for (platform, count) in counts where dependencies.senders[platform] != nil {
                let waiting = try await DeliveryStore.waiting(on: platform, in: dependencies.database)
                count.waiting.store(waiting, ordering: .relaxed)
            }
        }
    }
}
