// SPDX-License-Identifier: Apache-2.0
// The SQL of `sessions` and of the tokens and cookies that belong to them.

import Domain
import Postgres
import Serving

/// Grants of access and what proves them.
enum SessionStore {
    struct Draft: Sendable {
        let id: SessionID
        let accountID: AccountID?
        let appID: AppID
        let scopes: ScopeSet
        let device: String
        let expires: Timestamp?
    }

    static func insert(_ session: Draft, now: Timestamp, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO sessions
                (id, account_id, app_id, scopes, device, created_at, last_used_at, expires_at)
            VALUES
                (\(session.id), \(session.accountID), \(session.appID), \(session.scopes.description),
                \(session.device), \(now), \(now), \(session.expires))
            """
        )
    }

    static func insertAccessToken(
        _ hash: [UInt8],
        of session: SessionID,
        now: Timestamp,
        expires: Timestamp?,
        isSeen: Bool = true,
        in transaction: some Transacting
    ) async throws {
        let seen = isSeen ? now : nil
        _ = try await transaction.query(
            """
            INSERT INTO access_tokens (hash, session_id, created_at, expires_at, seen_at)
            VALUES (\(hash), \(session), \(now), \(expires), \(seen))
            """
        )
    }

    /// Notes that the client has the token; false when it was withdrawn a moment ago.
    static func see(token hash: [UInt8], now: Timestamp, in database: some Querying) async throws -> Bool {
        try await database.query(
            """
            UPDATE access_tokens
            SET seen_at = coalesce(seen_at, \(now))
            WHERE hash = \(hash)
            """
        ).affected == 1
    }

    /// Takes back a token that nobody has shown yet; false when somebody has.
    static func withdrawUnseen(token hash: [UInt8], in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            DELETE FROM access_tokens
            WHERE hash = \(hash) AND seen_at IS NULL
            """
        ).affected == 1
    }

    static func insertCookie(_ hash: [UInt8], of session: SessionID, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO cookies (hash, session_id)
            VALUES (\(hash), \(session))
            """
        )
    }

    /// Who a token stands for, in one statement.
    struct Holder: Columned {
        let sessionID: SessionID
        let account: Principal.Account?
        let scopes: ScopeSet
        let lastUsed: Timestamp
        let appID: AppID
        let appName: String
        let appWebsite: String?
        let isOwnApp: Bool
        let expires: Timestamp?
        /// When the token was given out, as long as it may end and nobody has shown it.
        let unseenSince: Timestamp?
        /// Whether their address waits to be confirmed.
        let isUnconfirmed: Bool

        /// Of `access_tokens t`, `sessions s`, `accounts a`, `restricted_accounts k` and `apps p`.
        static let columns: SQL = """
            s.id, a.id, a.username, a.role, coalesce('frozen' = ANY (k.restrictions), false), s.scopes, s.last_used_at, p.id, p.name, p.website,
                p.first_party,
                least(t.expires_at, s.expires_at),
                CASE WHEN t.expires_at IS NOT NULL AND t.seen_at IS NULL THEN t.created_at END,
                a.confirmation_asked_at IS NOT NULL
            """

        init(columns: inout Columns) throws {
            sessionID = try columns.next()
            let accountID = try columns.next(AccountID?.self)
            let username = try columns.next(Username?.self)
            let role = try columns.next(Role?.self) ?? .user
            let isFrozen: Bool = try columns.next()
            account = accountID.flatMap { id in
                username.map { Principal.Account(id: id, username: $0, role: role, isFrozen: isFrozen) }
            }
            scopes = try columns.next()
            lastUsed = try columns.next()
            appID = try columns.next()
            appName = try columns.next()
            appWebsite = try columns.next()
            isOwnApp = try columns.next()
            expires = try columns.next()
            unseenSince = try columns.next()
            isUnconfirmed = try columns.next()
        }
    }

    static func holder(ofToken hash: [UInt8], now: Timestamp, in database: some Querying) async throws -> Holder? {
        try await database.query(
            """
            SELECT \(Holder.columns)
            FROM access_tokens t
            JOIN sessions s ON s.id = t.session_id
            JOIN apps p ON p.id = s.app_id
            LEFT JOIN accounts a ON a.id = s.account_id
            LEFT JOIN restricted_accounts k ON k.account_id = s.account_id
            WHERE t.hash = \(hash)
                AND (t.expires_at IS NULL OR t.expires_at > \(now))
                AND (s.expires_at IS NULL OR s.expires_at > \(now))
            """
        ).one(Holder.init(columns:))
    }

    static func touch(_ session: SessionID, now: Timestamp, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE sessions
            SET last_used_at = \(now)
            WHERE id = \(session) AND last_used_at < \(now)
            """
        )
    }

    /// Notes a use that makes the session last longer.
    static func extend(
        _ session: SessionID,
        until expires: Timestamp,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws {
        _ = try await transaction.query(
            """
            UPDATE sessions
            SET expires_at = \(expires), last_used_at = \(now)
            WHERE id = \(session)
            """
        )
    }

    struct SignedIn: Columned {
        let sessionID: SessionID
        let account: Principal.Account
        let lastUsed: Timestamp

        /// Of `sessions s` and `accounts a`.
        static let columns: SQL = "s.id, a.id, a.username, s.last_used_at"

        init(columns: inout Columns) throws {
            sessionID = try columns.next()
            account = Principal.Account(id: try columns.next(), username: try columns.next())
            lastUsed = try columns.next()
        }
    }

    static func signedIn(cookie hash: [UInt8], now: Timestamp, in database: some Querying) async throws -> SignedIn? {
        try await database.query(
            """
            SELECT \(SignedIn.columns)
            FROM cookies c
            JOIN sessions s ON s.id = c.session_id
            JOIN accounts a ON a.id = s.account_id
            WHERE c.hash = \(hash) AND s.expires_at > \(now)
            """
        ).one(SignedIn.init(columns:))
    }

    struct Listed: Sendable {
        let id: SessionID
        let appName: String
        let appWebsite: String?
        let device: String
        let scopes: String
        let created: Timestamp
        let lastUsed: Timestamp

        /// Of `sessions s` and `apps p`.
        static let columns: SQL = "s.id, p.name, p.website, s.device, s.scopes, s.created_at, s.last_used_at"
    }

    static func list(of account: AccountID, now: Timestamp, in database: some Querying) async throws -> [Listed] {
        try await database.query(
            """
            SELECT \(Listed.columns)
            FROM sessions s
            JOIN apps p ON p.id = s.app_id
            WHERE s.account_id = \(account) AND (s.expires_at IS NULL OR s.expires_at > \(now))
            ORDER BY s.id DESC
            LIMIT 500
            """
        ).all(as: Listed.init)
    }

    /// Which sessions end.
    enum Ending: Sendable {
        case one(SessionID)
        /// Only if it is the account's.
        case oneOf(AccountID, SessionID)
        case all(AccountID, except: SessionID?)
        /// Of an access token, or of a refresh token of the family, if it is of this app.
        case token([UInt8], family: [UInt8]?, AppID)
        case cookie([UInt8])
        /// Of somebody who may administer no longer: those with scopes of administration.
        case privileged(AccountID)

        fileprivate var condition: SQL {
            switch self {
            case .one(let id): "id = \(id)"
            case .oneOf(let account, let id): "id = \(id) AND account_id = \(account)"
            case .all(let account, let kept): "account_id = \(account) AND id IS DISTINCT FROM \(kept)"
            case .token(let token, let family, let app):
                """
                app_id = \(app)
                    AND id IN (
                        SELECT session_id FROM access_tokens WHERE hash = \(token)
                        UNION ALL
                        SELECT session_id FROM refresh_tokens WHERE family_hash = \(family)
                    )
                """
            case .cookie(let hash): "id IN (SELECT session_id FROM cookies WHERE hash = \(hash))"
            case .privileged(let account): "account_id = \(account) AND ' ' || scopes LIKE '% admin%'"
            }
        }
    }

    /// What was ended, for `SessionRevoked`.
    struct Ended: Sendable {
        let id: SessionID
        let accountID: AccountID?

        static let columns: SQL = "id, account_id"
    }

    static func end(_ ending: Ending, in transaction: some Transacting) async throws -> [Ended] {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE \(ending.condition)
            RETURNING \(Ended.columns)
            """
        ).all(as: Ended.init)
    }

    static let agedTokens = AgedRows(of: "access_tokens", by: "hash", since: "expires_at")

    /// Forgets what has run out.
    ///
    /// - Returns: what ended; what others keep for it ends with it.
    static func purge(
        now: Timestamp,
        unusedAppsBefore cutoff: Timestamp,
        unusedBefore: Timestamp,
        in transaction: some Transacting
    ) async throws -> [Ended] {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE id IN (
                (SELECT id FROM sessions WHERE expires_at < \(now) LIMIT 1000)
                UNION ALL
                (SELECT id FROM sessions WHERE account_id IS NULL AND last_used_at < \(cutoff) LIMIT 1000)
                UNION ALL
                (
                    SELECT id FROM sessions
                    WHERE account_id IS NOT NULL AND expires_at IS NULL AND last_used_at < \(unusedBefore)
                    LIMIT 1000
                )
            )
            RETURNING \(Ended.columns)
            """
        ).all(as: Ended.init)
    }

    /// When the next of those that there are runs out, unless it is used before.
    static func nextEnd(
        ofUnusedApps appAlone: Duration,
        ofUnused unused: Duration,
        in database: some Querying
    ) async throws -> Timestamp? {
        let moments: [Timestamp?]? = try await database.query(
            """
            SELECT
                (SELECT min(expires_at) FROM sessions),
                (SELECT min(last_used_at) FROM sessions WHERE account_id IS NULL),
                (SELECT min(last_used_at) FROM sessions WHERE account_id IS NOT NULL AND expires_at IS NULL)
            """
        ).one { columns in
            [
                try columns.next(), try columns.next(Timestamp?.self).map { $0 + appAlone },
                try columns.next(Timestamp?.self).map { $0 + unused },
            ]
        }
        return moments?.compactMap(\.self).min()
    }
}
