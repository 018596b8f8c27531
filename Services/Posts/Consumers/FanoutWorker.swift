// SPDX-License-Identifier: Apache-2.0
// What is told to more followers than fit the transaction of its event.

import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Goes on with fan-outs in transactions of their own, one step after the other, so that a burst of posts to many
/// followers never makes a batch of events too large for its deadline. Every copy of the process takes part.
struct FanoutWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    /// How long a fan-out waits that was put off, or that a copy began which is no more. Of its own the worker is told.
    private static let pause = Duration.seconds(1)
    /// How long nobody looks where nothing waits.
    private static let idlePause = Duration.seconds(5)
    /// Tries of a step after which it counts as one that fails always. It is tried on, now and then: whoever mends the
    /// cause has nothing else to do.
    private static let failures = 5

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let backlog = Mutex((waiting: Int64(0), age: Int64(0), failing: Int64(0)))
            metrics.gauge(
                "madang_fanouts_waiting",
                help: "Posts, edits and withdrawals not yet told to every follower."
            ) {
                Double(backlog.withLock { $0.waiting })
            }
            metrics.gauge("madang_fanouts_age_seconds", help: "Age of the oldest of them.") {
                Double(backlog.withLock { $0.age })
            }
            metrics.gauge("madang_fanouts_failing", help: "Those of them whose next step failed five times or more.") {
                Double(backlog.withLock { $0.failing })
            }
            await goOn { measured in backlog.withLock { $0 = measured } }
        }
    }

    /// - Parameter note: is told what waits, every time that it is looked at.
    private func goOn(_ note: ((waiting: Int64, age: Int64, failing: Int64)) -> Void) async {
        var waits = true
        while !Task.isCancelled {
            let rings = dependencies.fanouts.rings
            do {
                var measured = try await FanoutWorker.backlog(dependencies)
                if measured.waiting > 0 {
                    while try await FanoutWorker.step(dependencies, logger: logger) { try Task.checkCancellation() }
                    measured = try await FanoutWorker.backlog(dependencies)
                }
                waits = measured.waiting > 0
                note(measured)
            } catch is CancellationError {
                return
            } catch {
                logger.warning("fan-outs wait", metadata: ["error": "\(error)"])
            }
            await dependencies.fanouts.wait(
                after: rings,
                atMost: waits ? FanoutWorker.pause : FanoutWorker.idlePause
            )
        }
    }

    /// Goes on with one fan-out. When its step fails, it is put off, and the others go on.
    ///
    /// - Returns: whether there was one.
    static func step(_ dependencies: Dependencies, logger: Logger) async throws -> Bool {
        let taken = Mutex(LargeFanout?.none)
        do {
            return try await dependencies.database.transaction { transaction in
                guard let fanout = try await LargeFanoutStore.next(in: transaction) else { return false }
                taken.withLock { $0 = fanout }
                try await Fanout.goOn(with: fanout, dependencies, transaction)
                return true
            }
        } catch {
            guard let fanout = taken.withLock({ $0 }), await dependencies.database.isInnocent(of: error) else {
                throw error
            }
            let failed = fanout.attempts + 1
            logger.log(
                level: failed >= failures ? .error : .warning,
                "a step of a fan-out failed",
                metadata: [
                    "post": "\(fanout.id)", "kind": "\(fanout.kind)", "attempts": "\(failed)", "error": "\(error)",
                ]
            )
            let reason = String("\(error)".prefix(1000)).replacing("\0", with: "")
            try await LargeFanoutStore.putOff(fanout, reason: reason, in: dependencies.database)
            return true
        }
    }

    static func backlog(_ dependencies: Dependencies) async throws -> (waiting: Int64, age: Int64, failing: Int64) {
        try await LargeFanoutStore.backlog(failures: failures, in: dependencies.database)
    }
}
