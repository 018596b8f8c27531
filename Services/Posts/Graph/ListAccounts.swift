// SPDX-License-Identifier: Apache-2.0
// The lists of accounts: followers, following, requests, blocks, mutes.

import Domain
import Events
import Views
import Web

/// GET /api/v1/accounts/:id/followers.
enum ListFollowers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (id, page) = try await ListedAccount.ownerAndPage(request, dependencies)
        let list = try await GraphLists.followers(of: id, page, in: dependencies.database)
        return list.answer(request, dependencies)
    }
}

/// GET /api/v1/accounts/:id/following.
enum ListFollowing {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let (id, page) = try await ListedAccount.ownerAndPage(request, dependencies)
        let list = try await GraphLists.following(by: id, page, in: dependencies.database)
        return list.answer(request, dependencies)
    }
}

/// GET /api/v1/follow_requests: who asks to follow the asking account.
enum ListFollowRequests {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try request.parameters().page(default: 40, maximum: 80)
        let id = try request.requireAccount().id
        return try await GraphLists.requests(to: id, page, in: dependencies.database).answer(request, dependencies)
    }
}

/// GET /api/v1/blocks.
enum ListBlocks {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try request.parameters().page(default: 40, maximum: 80)
        let id = try request.requireAccount().id
        return try await GraphLists.blocks(by: id, page, in: dependencies.database).answer(request, dependencies)
    }
}

/// GET /api/v1/mutes.
enum ListMutes {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try request.parameters().page(default: 40, maximum: 80)
        let list = try await GraphLists.mutes(
            by: try request.requireAccount().id,
            page,
            now: dependencies.now(),
            in: dependencies.database
        )
        return Answer.json(array: list.map { MutedAccountView(listed: $0, site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: list.first?.entry, oldest: list.last?.entry)
    }
}

extension ListedAccount {
    /// Whose list of the path, and which part of it.
    fileprivate static func ownerAndPage(
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> (AccountID, Page) {
        let id: AccountID = try request.id()
        let page = try request.parameters().page(default: 40, maximum: 80)
        guard try await AccountStore.exists(id, in: dependencies.database) else { throw Problem.notFound }
        return (id, page)
    }
}

extension [ListedAccount] {
    fileprivate func answer(_ request: Request, _ dependencies: Dependencies) -> Answer {
        Answer.json(array: map { AccountView($0.account, site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: first?.entry, oldest: last?.entry)
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
