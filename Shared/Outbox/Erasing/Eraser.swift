// SPDX-License-Identifier: Apache-2.0
// Carries erasures out, and tells once nothing is left.

import Domain
import Events
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Erases what a service has of deleted accounts; every copy of the process does, an account each. What it does is committed step by
/// step, so that another goes on where one was killed.
struct Eraser: Service {
    let service: String
    let steps: [ErasureStep]
    let database: Database
    let metrics: Metrics
    let logger: Logger
    /// Rung when there may be something to do.
    var bell: Bell?

    private static let pause = Duration.milliseconds(500)
    /// Failed tries of a step after which it counts as one that fails always.
    private static let failures = 5
    /// Seconds after each round until the next, for what was still on the way: an event, a request, the replay of a dead letter.
    static let rests: [Int64] = [2, 30, 600, 3600, 86_400, 604_800]

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let backlog = Mutex((waiting: Int64(0), age: Int64(0)))
            metrics.gauge("madang_erasures_waiting", help: "Deleted accounts of which something may be left here.") {
                Double(backlog.withLock { $0.waiting })
            }
            metrics.gauge("madang_erasures_age_seconds", help: "How long the oldest of them waits.") {
                Double(backlog.withLock { $0.age })
            }
            await repeatedly(
                every: backlog.withLock { $0.waiting } == 0 ? bell.idlePause : Eraser.pause,
                wokenBy: bell,
                orSaying: "deleted accounts wait to be erased",
                to: logger
            ) {
                // Nearly always there is nothing, which one look says.
                let measured = try await ErasingStore.backlog(in: database)
                backlog.withLock { $0 = (measured.waiting, measured.age) }
                guard measured.isDue else { return }
                while try await step() { try Task.checkCancellation() }
            }
        }
    }

    /// Goes on with one account. When its step fails it is put off, and the others go on.
    ///
    /// - Returns: whether there was one.
    func step() async throws -> Bool {
        try await database.workOff(next: { try await ErasingStore.next(in: $0) }, work: goOn) { erasure, error in
            logger.log(
                level: erasure.attempts + 1 >= Eraser.failures ? .error : .warning,
                "a step of an erasure failed",
                metadata: [
                    "account_id": "\(erasure.accountID)", "attempts": "\(erasure.attempts + 1)", "error": "\(error)",
                    "step": "\(steps.indices.contains(erasure.step) ? steps[erasure.step].name : "")",
                ]
            )
            try await ErasingStore.putOff(erasure, reason: storable("\(error)"), in: database)
        }
    }

    /// Takes steps until one has erased something, or the round is over.
    @Sendable private func goOn(_ erasure: Erasure, _ transaction: Transaction) async throws {
        var erasure = erasure
        while steps.indices.contains(erasure.step) {
            let count = try await steps[erasure.step].run(erasure.accountID, in: transaction)
            Failpoint.reach("erasure.stepped", with: steps[erasure.step].name)
            if count > 0 {
                erasure.erased += Int64(count)
                return ErasingStore.keep(erasure, pause: 0, in: transaction)
            }
            erasure.step += 1
        }
        let isClean = erasure.erased == 0
        let next = Erasure(
            accountID: erasure.accountID,
            step: 0,
            erased: 0,
            rounds: erasure.rounds + 1,
            attempts: 0,
            isTold: erasure.isTold || isClean
        )
        if isClean, !erasure.isTold {
            try tell(erasure.accountID, in: transaction)
            logger.notice("an account is erased", metadata: ["account_id": "\(erasure.accountID)"])
        }
        let rest = Eraser.rests.indices.contains(erasure.rounds) ? Eraser.rests[erasure.rounds] : nil
        ErasingStore.keep(next, pause: rest ?? (isClean ? nil : Eraser.rests.last), in: transaction)
    }

    private func tell(_ account: AccountID, in transaction: Transaction) throws {
        guard let end = Catalogue.erasing.first(where: { $0.name.hasPrefix("\(service).") }) else {
            throw Unacceptable("\(service) has no event for erasures: ErasureOwners")
        }
        try transaction.record(end.init(accountID: account))
    }
}
