// SPDX-License-Identifier: Apache-2.0
// The queue posts.accounts: everyone who signs up gets a profile, which nobody sees while its owner is about to leave, and whose role
// it is to moderate is known.

import Events
import Outbox

/// Makes the row of a new account, unless its first act did.
enum Accounts {
    static let queue = EventQueue(
        "posts.accounts",
        // Profiles are the service's own: what is missing is made, and nothing goes.
        rebuild: Rebuild(seen: { _ in [] }, withdrawals: []),
        [
            Reaction(to: AccountRegistered.self) { envelope, transaction in
                let event = envelope.data
                if try await ErasingStore.isGone(event.accountID, in: transaction) { return }
                if let made = try await AccountStore.insert(event.accountID, username: event.username, in: transaction)
                {
                    try transaction.record(ProfileUpdated(account: made))
                } else if try await !AccountStore.exists(event.accountID, in: transaction) {
                    throw Unacceptable("the username belongs to another account")
                }
            },
            Reaction(to: AccountLeaving.self) { envelope, transaction in
                try await Restrict.hear(envelope.data, at: envelope.time, in: transaction)
            },
            Reaction(to: RoleGiven.self) { envelope, transaction in
                RoleStore.keep(envelope.data, in: transaction)
            },
        ]
    )
}
