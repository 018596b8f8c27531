// SPDX-License-Identifier: Apache-2.0
// What auth tells again to whoever rebuilds a projection of it.

import Domain
import Events
import Outbox
import Serving

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
        Teller("blocked_terms", tells: [BlockedTermChanged.self]) { place, transaction in
            let rows = try await BlockedTermStore.list(after: place[0], limit: place.limit, in: transaction)
            return Teller.Step(rows, limit: place.limit, key: { [$0.term.id.rawValue] }) {
                [Teller.Fact($0.event, at: $0.changed)]
            }
        },
        Teller("blocked_domains", tells: [BlockedDomainChanged.self]) { place, transaction in
            let rows = try await BlockedDomainStore.list(after: place[0], limit: place.limit, in: transaction)
            return Teller.Step(rows, limit: place.limit, key: { [$0.id.rawValue] }) {
                [Teller.Fact($0.event, at: $0.changed)]
            }
        },
    ]
}
