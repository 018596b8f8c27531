// SPDX-License-Identifier: Apache-2.0
// Deletes accounts whose grace is over.

import Domain
import Foundation
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Deletes accounts step by step, so that another goes on where one was killed: first what issuers gave is given back, then what is noted
/// of them is emptied, then the account goes and everybody is told.
struct DepartureWorker: Service {
    let dependencies: Dependencies
    let metrics: Metrics

    private static let pause = Duration.seconds(5)
    /// How long the issuers of an account are waited for.
    static let patience = Duration.seconds(7 * 86_400)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let backlog = Mutex((waiting: Int64(0), age: Int64(0)))
            metrics.gauge(
                "madang_departures_waiting",
                help: "Accounts whose grace is over and of which some service may have something left."
            ) { Double(backlog.withLock { $0.waiting }) }
            metrics.gauge("madang_departures_age_seconds", help: "For how long the grace of the oldest is over.") {
                Double(backlog.withLock { $0.age })
            }
            await repeatedly(
                every: DepartureWorker.pause,
                orSaying: "accounts wait to be deleted",
                to: dependencies.logger
            ) {
                while try await step() { try Task.checkCancellation() }
                let measured = try await DepartureStore.backlog(now: dependencies.now(), in: dependencies.database)
                backlog.withLock { $0 = measured }
            }
        }
    }

    /// Goes on with one account. When its step fails it is put off, and the others go on.
    ///
    /// - Returns: whether one was due.
    func step() async throws -> Bool {
        try await dependencies.database.workOff(
            next: { try await DepartureStore.next(at: dependencies.now(), in: $0) },
            work: { departure, transaction in
                try await goOn(departure, transaction)
                Failpoint.reach("departure.stepped")
            }
        ) { departure, error in
            dependencies.logger.error(
                "an account was not deleted",
                metadata: [
                    "account_id": "\(departure.accountID)", "attempts": "\(departure.attempts + 1)",
                    "error": "\(error)",
                ]
            )
            try await DepartureStore.putOff(
                departure.accountID,
                reason: String("\(error)".prefix(1000)).replacing("\0", with: ""),
                now: dependencies.now(),
                in: dependencies.database
            )
        }
    }

    private func goOn(_ departure: DepartureStore.Departure, _ transaction: Transaction) async throws {
        let (account, now) = (departure.accountID, dependencies.now())
        guard let begun = departure.begun else {
            return try await Departures.begin(account, dependencies, in: transaction)
        }
        if try await RevocationStore.isPending(account, in: transaction) {
            guard now - begun > DepartureWorker.patience else {
                return DepartureStore.wait(account, until: now + .seconds(2), in: transaction)
            }
            dependencies.logger.error(
                "an account is deleted before what its issuer gave was given back, which goes on being tried",
                metadata: ["account_id": "\(account)"]
            )
        }
        if try await RemainsStore.emptyNotes(of: account, in: transaction) > 0 {
            return DepartureStore.wait(account, until: now, in: transaction)
        }
        try await Departures.finish(account, dependencies, in: transaction)
        dependencies.logger.notice("an account is deleted", metadata: ["account_id": "\(account)"])
    }
}
