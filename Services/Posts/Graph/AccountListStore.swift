// SPDX-License-Identifier: Apache-2.0
// The SQL of the lists of accounts: followers, following, requests, blocks, mutes, and who reacted to a post.

import Domain
import Events
import Postgres
import Serving

/// An account in a list, with the id of its entry, by which the list is paged.
struct ListedAccount: Sendable {
    let entry: Int64
    let account: AccountSnapshot
    /// Of a mute.
    let expires: Timestamp?

    /// Of the entries `page` and `accounts a`.
    static let columns: SQL = "page.id, \(AccountSnapshot.columns), page.expires_at"
}

/// Whose entries a list has.
enum AccountList: Sendable {
    case followers(of: AccountID)
    case following(by: AccountID)
    case requests(to: AccountID)
    case blocks(by: AccountID)
    /// Those that have not ended at a moment.
    case mutes(by: AccountID, at: Timestamp)
    /// Who made a post a favourite or boosted it for everyone to see, as far as the viewer may meet them.
    case favourites(of: PostID, viewer: AccountID?)
    case boosts(of: PostID, viewer: AccountID?)

    /// A statement that gives `id`, `account_id` and `expires_at`, ending in a condition.
    fileprivate var entries: SQL {
        switch self {
        case .followers(let id):
            """
            SELECT id, follower_id AS account_id, \(Self.never) FROM follows
            WHERE followee_id = \(id) AND NOT \(RestrictedAccounts.isHidden("follows.follower_id"))
            """
        case .following(let id):
            """
            SELECT id, followee_id AS account_id, \(Self.never) FROM follows
            WHERE follower_id = \(id) AND NOT \(RestrictedAccounts.isHidden("follows.followee_id"))
            """
        case .requests(let id):
            """
            SELECT id, follower_id AS account_id, \(Self.never) FROM follow_requests
            WHERE followee_id = \(id) AND NOT \(RestrictedAccounts.isHidden("follow_requests.follower_id"))
            """
        case .blocks(let id):
            "SELECT id, target_id AS account_id, \(Self.never) FROM blocks WHERE account_id = \(id)"
        case .mutes(let id, let now):
            """
            SELECT id, target_id AS account_id, expires_at FROM mutes
            WHERE account_id = \(id) AND (expires_at IS NULL OR expires_at > \(now))
            """
        case .favourites(let post, let viewer):
            """
            SELECT id, account_id, \(Self.never) FROM favourites
            WHERE post_id = \(post) AND NOT \(Visible.isBlocked("favourites.account_id", with: "\(viewer)"))
            """
        case .boosts(let post, let viewer):
            """
            SELECT id, account_id, \(Self.never) FROM posts
            WHERE boost_of_id = \(post) AND deleted_at IS NULL AND visibility IN ('public', 'unlisted')
                AND NOT \(Visible.isBlocked("posts.account_id", with: "\(viewer)"))
            """
        }
    }

    private static let never: SQL = "NULL::timestamptz AS expires_at"
}

/// Reads lists of accounts.
enum AccountListStore {
    /// One page, the newest entry first: one walk along an index.
    static func page(_ page: Page, of list: AccountList, in database: some Querying) async throws -> [ListedAccount] {
        try await database.query(
            """
            WITH page AS (\(list.entries) AND \(page.cut("id")))
            SELECT \(ListedAccount.columns)
            FROM page
            JOIN accounts a ON a.id = page.account_id
            ORDER BY page.id DESC
            """
        ).all(as: ListedAccount.init)
    }

    /// For each of `ids`, accounts that `viewer` follows and that follow it, at most `limit`; none that either hides.
    static func familiarFollowers(
        of ids: [AccountID],
        viewer: AccountID,
        limit: Int,
        in database: some Querying
    ) async throws -> [AccountID: [AccountSnapshot]] {
        let rows = try await database.query(
            """
            SELECT wanted.id, \(AccountSnapshot.columns)
            FROM unnest(\(ids)) AS wanted (id)
            CROSS JOIN LATERAL (
                SELECT mine.followee_id
                FROM follows mine
                JOIN follows theirs ON theirs.follower_id = mine.followee_id AND theirs.followee_id = wanted.id
                WHERE mine.follower_id = \(viewer)
                ORDER BY mine.id DESC
                LIMIT \(limit)
            ) familiar
            JOIN accounts a ON a.id = familiar.followee_id
            WHERE NOT coalesce((a.extras ->> 'hide_collections')::boolean, false)
                AND NOT \(RestrictedAccounts.isHidden("a.id"))
                AND NOT EXISTS (
                    SELECT FROM accounts hidden
                    WHERE hidden.id = wanted.id AND (hidden.extras ->> 'hide_collections')::boolean
                )
            """
        ).all { (id: try $0.next(AccountID.self), account: try $0.next(AccountSnapshot.self)) }
        return Dictionary(grouping: rows, by: \.id).mapValues { $0.map(\.account) }
    }
}
