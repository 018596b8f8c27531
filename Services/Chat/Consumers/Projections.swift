// SPDX-License-Identifier: Apache-2.0
// The queue chat.projections: what chat must know of accounts, blocks and files.

import Domain
import Events
import Outbox
import Postgres

/// Keeps the newest of each; the tables end the same in whatever order events come, and however often.
enum Projections {
    static let queue = EventQueue(
        "chat.projections",
        [
            Reaction(to: AccountRegistered.self) { envelope, transaction in
                let event = envelope.data
                try AccountStore.keep(
                    AccountSnapshot(
                        id: event.accountID,
                        username: event.username,
                        // The same whether the event or the account's first act makes the row.
                        createdAt: event.accountID.timestamp,
                        version: 0
                    ),
                    in: transaction
                )
            },
            Reaction(to: ProfileUpdated.self) { envelope, transaction in
                try AccountStore.keep(envelope.data.account, in: transaction)
            },
            Reaction(to: AccountBlocked.self) { envelope, transaction in
                let event = envelope.data
                BlockStore.keep(
                    event.actorID,
                    event.targetID,
                    active: true,
                    version: event.subjectVersion,
                    in: transaction
                )
            },
            Reaction(to: AccountUnblocked.self) { envelope, transaction in
                let event = envelope.data
                BlockStore.keep(
                    event.actorID,
                    event.targetID,
                    active: false,
                    version: event.subjectVersion,
                    in: transaction
                )
            },
            Reaction(to: MediaProcessed.self) { envelope, transaction in
                try MediaStore.keep(envelope.data, in: transaction)
            },
            Reaction(to: MediaFailed.self) { envelope, transaction in
                MediaStore.keep(envelope.data, in: transaction)
            },
        ]
    )
}
