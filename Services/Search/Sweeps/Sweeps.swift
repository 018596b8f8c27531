// SPDX-License-Identifier: Apache-2.0
// What search forgets.

import Domain
import Outbox

/// Each table has its sweep here or its bound in the README.
enum Sweeps {
    /// How long it is known that something has ended, so that what arrives late is known to be late.
    private static let memory = Duration.seconds(90 * 86_400)
    /// How long it is known who asked what.
    private static let questions = Duration.seconds(7 * 86_400)

    static func all(now: @escaping @Sendable () -> Timestamp) -> [Sweep] {
        let words = WordWalk()
        return AgedTable.allCases.map { table in
            let memory = table == .askers || table == .queries ? questions : memory
            return Sweep(table.rawValue, every: table == .documents ? .seconds(60) : .seconds(600)) { database in
                let aged = try await AgedStore.forget(table, before: now() + (.zero - memory), in: database)
                guard aged == 0, table == .documents else { return aged }
                return try await AgedStore.forgetDocumentsOfGonePlaces(in: database)
            }
        }
            + DayTable.allCases.map { table in
                Sweep(table.rawValue) {
                    try await AgedStore.forget(table, before: now().first(before: Trends.kept), in: $0)
                }
            }
            + [Sweep("words", every: .seconds(60)) { try await words.step(in: $0) }]
    }
}
