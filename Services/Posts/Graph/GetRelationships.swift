// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/relationships?id[]= and /familiar_followers?id[]=: how others stand to somebody.

import Domain
import Events
import Views
import Web

/// Shows how the asking account stands to others.
enum GetRelationships {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let others = try request.parameters().accounts(limit: dependencies.limits.ids)
        let relationships = try await RelationshipStore.relationships(
            of: others.map { Follow(follower: account.id, followee: $0) },
            now: dependencies.now(),
            in: dependencies.database
        )
        return .json(array: relationships.compactMap(\.self))
    }
}

/// Shows, for each asked account, which of those one follows follow it.
enum GetFamiliarFollowers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let ids = try request.parameters().accounts(limit: dependencies.limits.ids)
        let found = try await AccountListStore.familiarFollowers(
            of: ids,
            viewer: account.id,
            limit: 40,
            in: dependencies.database
        )
        return .json(
            array: ids.map { FamiliarFollowersView(id: $0, accounts: found[$0] ?? [], site: dependencies.site) }
        )
    }
}

/// The Mastodon API's FamiliarFollowers (docs.joinmastodon.org/entities/FamiliarFollowers).
private struct FamiliarFollowersView: ObjectView {
    let id: AccountID
    let accounts: [AccountSnapshot]
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("accounts", accounts.map { AccountView($0, site: site) })
    }
}
