// SPDX-License-Identifier: Apache-2.0
// What auth tells again to whoever rebuilds a projection of it.

import Domain
import Events
import Outbox

enum Tellers {
    static let all = [
        Teller("accounts", tells: [AccountRegistered.self]) { place, transaction in
            let rows = try await AccountStore.registered(after: place, in: transaction)
            return Teller.Step(rows, limit: place.limit, key: { [$0.accountID.rawValue] }) {
                [Teller.Fact($0, at: $0.createdAt)]
            }
        },
        Teller("roles", tells: [RoleGiven.self]) { place, transaction in
            let rows = try await AccountStore.roles(after: place, in: transaction)
            return Teller.Step(rows, limit: place.limit, key: { [$0.accountID.rawValue] }) {
                [Teller.Fact($0, at: $0.accountID.timestamp)]
            }
        },
    ]
}
