// SPDX-License-Identifier: Apache-2.0
// What search forgets.

import Domain
import Outbox
import Serving

/// Each table has its sweep here or its bound in the README.
enum Sweeps {
    /// How long it is known that something has ended, so that what arrives late is known to be late.
    private static let memory = Duration.seconds(90 * 86_400)
    /// How long it is known who asked what.
    private static let questions = Duration.seconds(7 * 86_400)

    static func all(now: @escaping @Sendable () -> Timestamp) -> [Sweep] {
        let words = WordWalk()
        let documents = Sweep(AgedStore.documents.name, every: .seconds(60)) { database in
            let aged = try await AgedStore.documents.forget(before: now() - memory, in: database)
            return aged > 0 ? aged : try await AgedStore.forgetDocumentsOfGonePlaces(in: database)
        }
        return [documents] + AgedStore.ended.map { $0.sweep(after: memory, now: now) }
            + AgedStore.questions.map { $0.sweep(after: questions, now: now) }
            + AgedStore.days.map { rows in
                Sweep(rows.name) { try await rows.forget(before: now().first(before: Trends.kept) as PostID, in: $0) }
            }
            + [
                Sweep("words", every: .seconds(60)) { try await words.step(in: $0) },
                Sweep("term_upgrades", every: .seconds(60)) { try await TermUpgradeStore.end(in: $0) },
            ]
    }
}
