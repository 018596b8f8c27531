// SPDX-License-Identifier: Apache-2.0
// The lists of accounts: followers, following, requests, blocks, mutes.

import Domain
import Events
import Views
import Web

/// GET /api/v1/accounts/:id/followers.
enum ListFollowers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(
            .followers(of: await ListAccounts.owner(request, dependencies)),
            request,
            dependencies
        )
    }
}

/// GET /api/v1/accounts/:id/following.
enum ListFollowing {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(
            .following(by: await ListAccounts.owner(request, dependencies)),
            request,
            dependencies
        )
    }
}

/// GET /api/v1/follow_requests: who asks to follow the asking account.
enum ListFollowRequests {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(.requests(to: request.requireAccount().id), request, dependencies)
    }
}

/// GET /api/v1/blocks.
enum ListBlocks {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(.blocks(by: request.requireAccount().id), request, dependencies)
    }
}

/// GET /api/v1/mutes.
enum ListMutes {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(
            .mutes(by: request.requireAccount().id, at: dependencies.now()),
            request,
            dependencies
        ) { MutedAccountView(listed: $0, site: dependencies.site) }
    }
}

/// What the lists of accounts have in common.
enum ListAccounts {
    /// The account of the path, if it exists.
    static func owner(_ request: Request, _ dependencies: Dependencies) async throws -> AccountID {
        let id: AccountID = try request.id()
        guard try await AccountStore.exists(id, in: dependencies.database) else { throw Problem.notFound }
        return id
    }

    static func answer(
        _ list: @autoclosure () async throws -> AccountList,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        try await answer(try await list(), request, dependencies) { AccountView($0.account, site: dependencies.site) }
    }

    /// The asked page of a list, linked by the ids of its entries; what is asked is read before whose list it is.
    static func answer(
        _ list: @autoclosure () async throws -> AccountList,
        _ request: Request,
        _ dependencies: Dependencies,
        _ view: (ListedAccount) -> some View
    ) async throws -> Answer {
        let page = try request.parameters().page(default: 40, maximum: 80)
        let listed = try await AccountListStore.page(page, of: list(), in: dependencies.database)
        return Answer.json(array: listed.map(view))
            .linked(request, site: dependencies.site, newest: listed.first?.entry, oldest: listed.last?.entry)
    }
}

/// The Mastodon API's MutedAccount: an account, and when its mute ends.
private struct MutedAccountView: View {
    let listed: ListedAccount
    let site: Site

    func write(to json: inout JSONWriter) {
        var end = JSONWriter(capacity: 64)
        end.object { $0.member("mute_expires_at", listed.expires) }
        // Two objects become one: the first without its brace, a comma, the second without its.
        let account = AccountView(listed.account, site: site).json().dropLast()
        json.raw(account + [UInt8(ascii: ",")] + end.bytes.dropFirst())
    }
}
