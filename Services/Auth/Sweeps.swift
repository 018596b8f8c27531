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
            Sweep("authorization_codes") { try await CodeStore.purge(before: now() + .seconds(-86_400), in: $0) },
            Sweep("sign_in_attempts") {
                try await AttemptStore.purge(before: now() - limits.signInWindow, in: $0)
            },
            Sweep("access_tokens") { try await SessionStore.purgeTokens(before: now(), in: $0) },
            // What others keep for a session, such as a device that is pushed to, ends in the same second.
            Sweep("sessions", every: .seconds(1)) { database in
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
                let audit = Audit(
                    actor: "madang",
                    database: database,
                    ids: dependencies.ids,
                    now: now,
                    logger: dependencies.logger
                )
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
            Sweep("known_devices") {
                try await DeviceStore.purge(before: now() - limits.unusedSession, in: $0)
            },
            Sweep("newcomers") { try await NewcomerStore.purge(before: now(), in: $0) },
            Sweep("issuer_visits") { try await VisitStore.purge(before: now(), in: $0) },
            Sweep("taken_tokens") { try await TakenTokenStore.purge(before: now(), in: $0) },
            Sweep("departures") { try await DepartureStore.purge(before: now() - limits.audit, in: $0) },
            // Where nobody sends letters, those that wait are forgotten too.
            Sweep("letters") { database in
                let ended = try await LetterStore.purge(endedBefore: now() - limits.letterKept, in: database)
                guard dependencies.mail == nil else { return ended }
                return try await ended + LetterStore.purge(dueBefore: now(), in: database)
            },
            Sweep("mail_links") { try await LinkStore.purge(before: now(), in: $0) },
            Sweep("audit") { try await AuditStore.purge(before: now() - limits.audit, in: $0) },
        ] + BlockListStore.sweeps(now: now)
    }
}
