// SPDX-License-Identifier: Apache-2.0
// The queue posts.flags, and what is flagged here: what was written has a word of which whoever runs the place wants to hear.

import Domain
import Events
import Outbox
import Postgres

/// Notes that this place itself reports something.
enum FileFlag {
    /// How long it is known.
    static let lifetime = Duration.seconds(90 * 24 * 3600)

    /// What chat finds.
    static let queue = EventQueue(
        "posts.flags",
        [Reaction(to: ThingFlagged.self) { envelope, transaction in run(envelope.data, in: transaction) }]
    )

    static func run(_ flag: ThingFlagged, in transaction: some Transacting) { FlagStore.keep(flag, in: transaction) }

    /// Flags something of posts' own.
    ///
    /// - Parameter term: the word that was found; nil for none.
    static func run(
        _ term: BlockedTermID?,
        on kind: ThingKind,
        _ id: String,
        of account: AccountID,
        _ dependencies: Dependencies,
        in transaction: some Transacting
    ) {
        guard let term else { return }
        let flag = ThingFlagged(
            thing: Thing(kind: kind, id: id),
            accountID: account,
            termID: term,
            flaggedAt: dependencies.now(),
            subjectVersion: dependencies.ids.number()
        )
        run(flag, in: transaction)
    }
}
