// SPDX-License-Identifier: Apache-2.0
// The SQL on accounts.

import Calls
import Domain
import Events
import Postgres
import Serving

/// Reads and writes accounts.
enum AccountStore {
    static func exists(_ id: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query("SELECT 1 FROM accounts WHERE id = \(id)").isEmpty
    }

    /// Those of the accounts that have a row.
    static func existing(_ ids: [AccountID], in database: some Querying) async throws -> Set<AccountID> {
        Set(try await database.query("SELECT id FROM accounts WHERE id = ANY (\(ids))").all { try $0.next() })
    }

    /// Whether somebody else may see whom an account follows and who follows it; nil when there is no such account.
    static func showsCollections(
        _ id: AccountID,
        to viewer: AccountID?,
        in database: some Querying
    ) async throws -> Bool? {
        let isAllowed: SQL = """
            NOT coalesce((extras ->> 'hide_collections')::boolean, false)
            AND NOT \(RestrictedAccounts.isHidden("accounts.id"))
            """
        return try await shows(isAllowed, of: id, to: viewer, in: database)
    }

    /// Whether somebody else may see what an account made a favourite; nil when there is no such account.
    static func showsFavourites(
        _ id: AccountID,
        to viewer: AccountID?,
        in database: some Querying
    ) async throws -> Bool? {
        let isAllowed: SQL = """
            coalesce((extras ->> 'show_favourites')::boolean, false)
            AND NOT \(Visible.isBlocked("id", with: "\(viewer)"))
            """
        return try await shows(isAllowed, of: id, to: viewer, in: database)
    }

    private static func shows(
        _ isAllowed: SQL,
        of id: AccountID,
        to viewer: AccountID?,
        in database: some Querying
    ) async throws -> Bool? {
        try await database.query(
            "SELECT (\(viewer) IS NOT NULL AND id = \(viewer)) OR (\(isAllowed)) FROM accounts WHERE id = \(id)"
        ).one { try $0.next() }
    }

    /// The accounts of these names. Account 0 has one, too, and is nobody's.
    static func ids(of names: [Username], in database: some Querying) async throws -> [Username: AccountID] {
        let rows = try await database.query(
            "SELECT username, id FROM accounts WHERE username = ANY (\(names.map(\.text))) AND id <> 0"
        )
        let ids = try rows.all { (try $0.next(Username.self), try $0.next(AccountID.self)) }
        return Dictionary(ids) { first, _ in first }
    }

    /// Makes an account's row; nil when it has one, or when its username is another account's.
    ///
    /// An id tells when it was made, so the row is the same whether the event or the account's first act makes it.
    static func insert(
        _ id: AccountID,
        username: Username,
        in transaction: some Transacting
    ) async throws -> AccountSnapshot? {
        try await transaction.query(
            """
            INSERT INTO accounts AS a (id, username, created_at)
            VALUES (\(id), \(username), \(id.timestamp))
            ON CONFLICT DO NOTHING
            RETURNING \(AccountSnapshot.columns)
            """
        ).one(AccountSnapshot.init(columns:))
    }

    static func account(_ id: AccountID, in database: some Querying) async throws -> AccountSnapshot? {
        try await database.query("SELECT \(AccountSnapshot.columns) FROM accounts a WHERE a.id = \(id)").one(
            AccountSnapshot.init(columns:)
        )
    }

    static func account(_ username: Username, in database: some Querying) async throws -> AccountSnapshot? {
        try await database.query(
            "SELECT \(AccountSnapshot.columns) FROM accounts a WHERE a.username = \(username) AND a.id <> 0"
        ).one(AccountSnapshot.init(columns:))
    }

    /// Those of `ids` that exist, in the order in which they were asked for.
    static func accounts(_ ids: [AccountID], in database: some Querying) async throws -> [AccountSnapshot] {
        try await database.query(
            """
            SELECT \(AccountSnapshot.columns)
            FROM unnest(\(ids)) WITH ORDINALITY AS wanted (id, place)
            JOIN accounts a ON a.id = wanted.id
            ORDER BY wanted.place
            """
        ).all(AccountSnapshot.init(columns:))
    }

    /// Accounts that search found, in its order, and before them whoever has the name.
    ///
    /// - Parameter viewer: who has no block with any of them. Only whoever has the name may be blocked by the viewer, who must
    ///   find them to take that back.
    static func found(
        _ found: FoundAccounts,
        viewer: AccountID?,
        in database: some Querying
    ) async throws -> [AccountSnapshot] {
        let isFollowed: SQL =
            found.isFollowed
            ? "AND EXISTS (SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = a.id)" : ""
        let named: SQL = "SELECT id, 0 FROM accounts WHERE username = \(found.name?.text) AND id <> 0"
        return try await database.query(
            """
            \(.wanted(found.ids, after: named))
            SELECT \(AccountSnapshot.columns)
            FROM wanted w
            JOIN accounts a ON a.id = w.id
            WHERE CASE WHEN w.place = 0
                THEN NOT EXISTS (SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_id = \(viewer))
                ELSE NOT \(Visible.hasBlock("a.id", with: "\(viewer)"))
            END AND NOT \(RestrictedAccounts.isHidden("a.id", from: "\(viewer)")) \(isFollowed)
            ORDER BY w.place
            LIMIT \(found.limit)
            """
        ).all(AccountSnapshot.init(columns:))
    }

    /// What only the owner of an account sees of it.
    static func credentials(_ id: AccountID, in database: some Querying) async throws -> Credentials? {
        try await database.query(
            """
            SELECT \(Credentials.columns)
            FROM accounts a
            WHERE a.id = \(id)
            """
        ).one(Credentials.init(columns:))
    }

    /// Changes what the draft gives.
    static func update(
        _ id: AccountID,
        with draft: ProfileDraft,
        in transaction: some Transacting
    ) async throws -> Credentials? {
        try await transaction.query(
            """
            UPDATE accounts a
            SET display_name = coalesce(\(draft.displayName), display_name),
                note = coalesce(\(draft.note), note),
                fields = coalesce(\(draft.fieldsJSON), fields),
                locked = coalesce(\(draft.locked), locked),
                bot = coalesce(\(draft.bot), bot),
                discoverable = coalesce(\(draft.discoverable), discoverable),
                default_visibility = coalesce(\(draft.visibility), default_visibility),
                default_sensitive = coalesce(\(draft.sensitive), default_sensitive),
                default_language = CASE
                    WHEN \(draft.language == nil) THEN default_language
                    ELSE nullif(\(draft.language), '')
                END,
                extras = coalesce(extras || \(draft.extrasJSON), \(draft.extrasJSON), extras),
                awaited_avatar_id = CASE
                    WHEN \(draft.pictures[.avatar] == nil) THEN awaited_avatar_id
                    ELSE \(draft.awaited[.avatar])
                END,
                awaited_header_id = CASE
                    WHEN \(draft.pictures[.header] == nil) THEN awaited_header_id
                    ELSE \(draft.awaited[.header])
                END,
                version = version + 1
            WHERE id = \(id)
            RETURNING \(Credentials.columns)
            """
        ).one(Credentials.init(columns:))
    }

    /// How many there are of accounts and posts, and how many accounts posted since a moment.
    static func statistics(activeSince: Timestamp, in database: some Querying) async throws -> Statistics {
        try await database.query(
            """
            SELECT count(*), coalesce(sum(posts_count), 0)::bigint,
                count(*) FILTER (WHERE last_post_at > \(activeSince))
            FROM accounts
            """
        ).one { Statistics(accounts: try $0.next(), posts: try $0.next(), activeMonth: try $0.next()) } ?? Statistics()
    }
}
