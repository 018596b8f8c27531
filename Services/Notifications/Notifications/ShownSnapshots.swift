// SPDX-License-Identifier: Apache-2.0
// What notifications show, kept between pages, so that a page that shows it again decodes and writes none of it.

import Domain
import Events
import Postgres
import Serving
import Synchronization
import Views

/// An account as it was read last, with its JSON.
final class ShownAccount: Sendable {
    let account: AccountSnapshot
    let view: WrittenView

    fileprivate init(_ account: AccountSnapshot, site: Site) {
        self.account = account
        view = WrittenView(AccountView(account, site: site))
    }
}

/// A post as it was read last, with the JSON that it had when it was shown last.
final class ShownPost: Sendable {
    private struct Written {
        let author: RowEdition
        let card: CardSnapshot?
        let template: StatusTemplate
    }

    let post: PostSnapshot
    private let written = Mutex<Written?>(nil)

    fileprivate init(_ post: PostSnapshot) { self.post = post }

    /// - Parameter edition: of the author.
    func view(
        by author: AccountSnapshot,
        _ edition: RowEdition,
        _ card: CardSnapshot?,
        for viewer: StatusView.Viewer,
        site: Site
    ) -> any View {
        let kept = written.withLock { $0 }
        if let kept, kept.author == edition, kept.card == card { return kept.template.filled(for: viewer) }
        guard let template = StatusTemplate(post, author: author, card: card, site: site) else {
            return StatusView(post, author: author, card: card, viewer: viewer, site: site)
        }
        written.withLock { $0 = Written(author: edition, card: card, template: template) }
        return template.filled(for: viewer)
    }
}

/// The accounts and posts that notifications showed last.
struct ShownSnapshots: Sendable {
    private let site: Site
    private let accounts = KeptEditions<Int64, RowEdition, ShownAccount>(capacity: 4096)
    private let posts = KeptEditions<Int64, RowEdition, ShownPost>(capacity: 4096)

    init(site: Site) { self.site = site }

    /// The notifications with what they show; without those of which that is gone already while their own removal is under way.
    func rows(of listed: [ListedNotification], in database: some Querying) async throws -> [NotificationRow] {
        let people = listed.flatMap { [$0.actor, $0.author].compactMap(\.self) }
        let accounts = try await accounts.values(of: people, make: { ShownAccount($0, site: site) }) {
            try await AccountStore.snapshots(of: $0.map { AccountID($0) }, in: database)
        }
        let posts = try await posts.values(of: listed.compactMap(\.post), make: ShownPost.init) {
            try await PostStore.snapshots(of: $0.map { PostID($0) }, in: database)
        }
        return listed.compactMap { NotificationRow($0, accounts, posts) }
    }

    func row(of listed: ListedNotification?, in database: some Querying) async throws -> NotificationRow? {
        guard let listed else { return nil }
        return try await rows(of: [listed], in: database).first
    }
}
