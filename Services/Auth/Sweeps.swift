// SPDX-License-Identifier: Apache-2.0
// What auth forgets: codes, tokens, sessions and counters that have run out.

import Domain
import Outbox
import Postgres
import Serving

enum Sweeps {
    static func all(_ dependencies: Dependencies) -> [Sweep] {
        let limits = dependencies.limits
        let now = dependencies.now
        return [
            // A code is kept for a while after it expired, to notice its second use.
            CodeStore.aged.sweep(after: .seconds(86_400), now: now),
            AttemptStore.aged.sweep(after: limits.signInWindow, now: now),
            SessionStore.agedTokens.sweep(now: now),
            // What others keep for a session, such as a device that is pushed to, ends in the same second.
            Sweep(
                "sessions",
                every: .seconds(5),
                next: { database in
                    try await SessionStore.nextEnd(
                        ofUnusedApps: limits.appAlone,
                        ofUnused: limits.unusedSession,
                        in: database
                    ).map { $0 - now() }
                }
            ) { database in
                let now = now()
                return try await database.transaction { transaction in
                    let ended = try await SessionStore.purge(
                        now: now,
                        unusedAppsBefore: now - limits.appAlone,
                        unusedBefore: now - limits.unusedSession,
                        in: transaction
                    )
                    for session in ended where session.accountID != nil { try transaction.tellEnd(of: session) }
                    return ended.count
                }
            },
            Sweep("apps") { database in
                let (never, unused) = (now() - limits.appNeverUsed, now() - limits.appUnused)
                let audit = Audit(actor: "madang", dependencies)
                return try await database.transaction { transaction in
                    let count = try await AppStore.purge(
                        neverUsedBefore: never,
                        unusedBefore: unused,
                        in: transaction
                    )
                    if count > 0 { try audit.note(.appsDeleted, .init(detail: "\(count) unused"), in: transaction) }
                    return count
                }
            },
            DeviceStore.aged.sweep(after: limits.unusedSession, now: now),
            NewcomerStore.aged.sweep(now: now),
            VisitStore.aged.sweep(now: now),
            VisitStore.agedNames.sweep(after: VisitStore.nameKept, now: now),
            TakenTokenStore.aged.sweep(now: now),
            DepartureStore.aged.sweep(after: limits.audit, now: now),
            // Where nobody sends letters, those that wait are forgotten too.
            Sweep("letters") { database in
                let ended = try await LetterStore.aged.forget(before: now() - limits.letterKept, in: database)
                guard dependencies.mail == nil else { return ended }
                return try await ended + LetterStore.unsent.forget(before: now(), in: database)
            },
            LinkStore.aged.sweep(now: now),
            Sweep("audit") { try await AuditStore.purge(before: now() - limits.audit, in: $0) },
        ] + BlockListStore.sweeps(now: now)
    }
}
