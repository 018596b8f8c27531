// SPDX-License-Identifier: Apache-2.0
// Has files made of uploads, some at a time, in processes of their own.

import Domain
import Events
import Logging
import MediaWork
import Outbox
import Postgres
import ServiceKit
import ServiceLifecycle

/// Takes uploads that wait, and ends each as ready or as failed. Every copy of the process takes part; what one leaves in the
/// middle, another takes when its lease ends.
struct JobWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics
    let logger: Logger

    /// How long something waits that another copy was told of.
    private static let pause = Duration.seconds(5)

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<dependencies.workers { group.addTask { await work() } }
        }
    }

    private func work() async {
        await takeTurns(pausing: JobWorker.pause, bell: dependencies.bell, orSaying: "uploads wait", to: logger) {
            try await JobWorker.step(dependencies, metrics: metrics, logger: logger)
        }
    }

    /// Works on one upload.
    ///
    /// - Returns: whether there was one.
    static func step(_ dependencies: Dependencies, metrics: Metrics, logger: Logger) async throws -> Bool {
        let claimed = try await JobStore.claim(
            at: dependencies.now(),
            lease: dependencies.limits.lease,
            in: dependencies.database
        )
        guard let job = claimed else { return false }
        let outcome: String
        do {
            // The attempt before was the last: nobody lived to say what came of it.
            guard job.attempt <= dependencies.limits.attempts else {
                try await EndJob.fail(job, .damaged, dependencies)
                return true
            }
            switch try await job.lease(dependencies).hold({ try await make(job, dependencies) }) {
            case .refused(let reason):
                try await EndJob.fail(job, reason, dependencies)
                outcome = "refused"
            case .made, .page: outcome = "made"
            }
        } catch is Lease.Lost {
            outcome = "lost"
        } catch is Lease.Stopping {
            try await JobStore.putOff(
                job.upload.id,
                attempt: job.attempt,
                until: dependencies.now(),
                counts: false,
                in: dependencies.database
            )
            outcome = "stopped"
        } catch let error as CancellationError {
            throw error
        } catch {
            logger.warning(
                "an upload could not be worked on",
                metadata: ["upload": "\(job.upload.id)", "attempt": "\(job.attempt)", "error": "\(error)"]
            )
            try await giveUp(job, after: error, dependencies)
            outcome = "failed"
        }
        metrics.count(
            "madang_media_jobs_total",
            help: "Uploads worked on, by what came of it.",
            labels: [("outcome", outcome)],
            by: 1
        )
        return true
    }

    /// Puts what was made into its place, where something was made.
    private static func make(_ job: Job, _ dependencies: Dependencies) async throws -> WorkReport {
        let storage = dependencies.storage
        let workplace = try await storage.makeWorkplace(job.upload.id, attempt: job.attempt)
        do {
            let focus = job.upload.text.focus.map { WorkOrder.Focus(x: $0.x, y: $0.y) }
            let report = try await dependencies.makeRenditions(
                WorkOrder(
                    input: storage.incoming(job.upload.id),
                    directory: workplace,
                    purpose: job.upload.purpose,
                    focus: focus
                )
            )
            switch report {
            case .made(let made): try await EndJob.finish(job, made, in: workplace, dependencies)
            case .page: throw EndJob.BadReport()
            case .refused: break
            }
            await storage.clear(workplace: workplace)
            return report
        } catch {
            await storage.clear(workplace: workplace)
            throw error
        }
    }

    /// Tries again a little later, or no more.
    private static func giveUp(_ job: Job, after error: any Error, _ dependencies: Dependencies) async throws {
        // A database that is away says nothing of the upload.
        if error is PostgresError { return }
        let canStore = await dependencies.storage.hasRoom() && !StorageFailure.isOne(error)
        guard canStore else {
            // Nor does a full disk, or a bucket that cannot be reached.
            return try await JobStore.putOff(
                job.upload.id,
                attempt: job.attempt,
                until: dependencies.now() + .seconds(5),
                counts: false,
                in: dependencies.database
            )
        }
        guard job.attempt < dependencies.limits.attempts else {
            return try await EndJob.fail(job, .damaged, dependencies)
        }
        let moment = dependencies.now() + .milliseconds(200 << job.attempt)
        try await JobStore.putOff(
            job.upload.id,
            attempt: job.attempt,
            until: moment,
            counts: true,
            in: dependencies.database
        )
    }
}

extension Job {
    fileprivate func lease(_ dependencies: Dependencies) -> Lease {
        Lease(time: dependencies.limits.lease, now: dependencies.now) { end in
            try await JobStore.renew(upload.id, attempt: attempt, until: end, in: dependencies.database)
        }
    }
}
