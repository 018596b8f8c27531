// SPDX-License-Identifier: Apache-2.0
// How the index is rebuilt, while it serves, from what auth, posts and chat tell again.

import Domain
import Events
import Outbox

extension Rebuild {
    /// Of the queue `search.index`. Links and words go by sweeps of their own, a book whose first record went is put right by `ShelfWalk`; segments stay as they are cut.
    static let index = Rebuild(seen: seen, withdrawals: UntoldTable.allCases.map(\.rows))

    @Sendable private static func seen(_ event: any Event) -> [Seen] {
        let news = News([event])
        return news.documents.map { Seen("document", Int64($0.kind.rawValue), $0.id) }
            + news.accounts.flatMap { [Seen("account", $0.id.rawValue), Seen("document", 1, $0.id.rawValue)] }
            + news.registered.map { Seen("account", $0.accountID.rawValue) }
            + news.popularity.map { Seen("popular", $0.id) }
            + news.ties.map { Seen("tie", Int64($0.kind.rawValue), $0.account.rawValue, $0.target.rawValue) }
            + news.memberships.map { Seen("membership", $0.account.rawValue, $0.place) }
            + news.places.map { Seen("place", $0.id) }
            + news.shelved.filter { $0.book != nil }.flatMap {
                [Seen("shelved", $0.record.rawValue), Seen("document", Int64($0.key.kind.rawValue), $0.key.id)]
            }
    }
}
