// SPDX-License-Identifier: Apache-2.0
// The lists of accounts: followers, following, requests, blocks, mutes.

import Domain
import Views
import Web

/// GET /api/v1/accounts/:id/followers.
enum ListFollowers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(request, dependencies) { .followers(of: $0) }
    }
}

/// GET /api/v1/accounts/:id/following.
enum ListFollowing {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(request, dependencies) { .following(by: $0) }
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
    /// A list of the account of the path, which is empty for others where its owner hides it.
    static func answer(
        _ request: Request,
        _ dependencies: Dependencies,
        _ list: (AccountID) -> AccountList
    ) async throws -> Answer {
        let owner: AccountID = try request.id()
        let page = try request.parameters().page(default: 40, maximum: 80)
        let isShown = try await AccountStore.showsCollections(owner, to: request.viewer, in: dependencies.database)
        guard let isShown else { throw Problem.notFound }
        guard isShown else { return .json(array: [AccountView]()) }
        return try await answer(list(owner), page, request, dependencies) {
            AccountView($0.account, site: dependencies.site)
        }
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
        return try await answer(list(), page, request, dependencies, view)
    }

    private static func answer(
        _ list: AccountList,
        _ page: Page,
        _ request: Request,
        _ dependencies: Dependencies,
        _ view: (ListedAccount) -> some View
    ) async throws -> Answer {
        let listed = try await AccountListStore.page(page, of: list, in: dependencies.database)
        return Answer.json(array: listed.map(view))
            .linked(request, site: dependencies.site, newest: listed.first?.entry, oldest: listed.last?.entry)
    }
}

/// The Mastodon API's MutedAccount: an account, and when its mute ends.
private struct MutedAccountView: ObjectView {
    let listed: ListedAccount
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        AccountView(listed.account, site: site).writeMembers(to: &json)
        json.member("mute_expires_at", listed.expires)
    }
}
