// SPDX-License-Identifier: Apache-2.0
// The SQL of `sessions` and of the tokens and cookies that belong to them.

import Domain
import Postgres

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

    static func insert(_ session: Draft, now: Timestamp, in transaction: Transaction) async throws {
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
        in transaction: Transaction
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
    static func see(token hash: [UInt8], now: Timestamp, in database: Database) async throws -> Bool {
        try await database.query(
            """
            UPDATE access_tokens
            SET seen_at = coalesce(seen_at, \(now))
            WHERE hash = \(hash)
            """
        ).affected == 1
    }

    /// Takes back a token that nobody has shown yet; false when somebody has.
    static func withdrawUnseen(token hash: [UInt8], in transaction: Transaction) async throws -> Bool {
        try await transaction.query(
            """
            DELETE FROM access_tokens
            WHERE hash = \(hash) AND seen_at IS NULL
            """
        ).affected == 1
    }

    static func insertCookie(_ hash: [UInt8], of session: SessionID, in transaction: Transaction) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO cookies (hash, session_id)
            VALUES (\(hash), \(session))
            """
        )
    }

    /// Who a token stands for, in one statement.
    struct Holder: Sendable {
        let sessionID: SessionID
        let account: Principal.Account?
        let scopes: ScopeSet
        let lastUsed: Timestamp
        let expires: Timestamp?
        /// Whether this is the first that is heard of a token that came out of a refresh just now.
        let isUnseen: Bool
        let appID: AppID
        let appName: String
        let appWebsite: String?
    }

    static func holder(
        ofToken hash: [UInt8],
        now: Timestamp,
        unseenSince: Timestamp,
        in database: Database
    ) async throws -> Holder? {
        try await database.query(
            """
            SELECT s.id, a.id, a.username, s.scopes, s.last_used_at, least(t.expires_at, s.expires_at),
                t.expires_at IS NOT NULL AND t.seen_at IS NULL AND t.created_at >= \(unseenSince),
                p.id, p.name, p.website
            FROM access_tokens t
            JOIN sessions s ON s.id = t.session_id
            JOIN apps p ON p.id = s.app_id
            LEFT JOIN accounts a ON a.id = s.account_id
            WHERE t.hash = \(hash)
                AND (t.expires_at IS NULL OR t.expires_at > \(now))
                AND (s.expires_at IS NULL OR s.expires_at > \(now))
            """
        ).first.map { row in
            var columns = row.columns
            let sessionID = try columns.next(SessionID.self)
            let accountID = try columns.next(AccountID?.self)
            let username = try columns.next(Username?.self)
            return Holder(
                sessionID: sessionID,
                account: accountID.flatMap { id in username.map { Principal.Account(id: id, username: $0) } },
                scopes: ScopeSet(try columns.next(String.self)) ?? ScopeSet([]),
                lastUsed: try columns.next(),
                expires: try columns.next(),
                isUnseen: try columns.next(),
                appID: try columns.next(),
                appName: try columns.next(),
                appWebsite: try columns.next()
            )
        }
    }

    static func touch(_ session: SessionID, now: Timestamp, in database: Database) async throws {
        _ = try await database.query(
            """
            UPDATE sessions
            SET last_used_at = \(now)
            WHERE id = \(session) AND last_used_at < \(now)
            """
        )
    }

    static func touch(_ session: SessionID, now: Timestamp, in transaction: Transaction) async throws {
        _ = try await transaction.query(
            """
            UPDATE sessions
            SET last_used_at = \(now)
            WHERE id = \(session)
            """
        )
    }

    struct SignedIn: Sendable {
        let sessionID: SessionID
        let account: Principal.Account
        let lastUsed: Timestamp
    }

    static func signedIn(cookie hash: [UInt8], now: Timestamp, in database: Database) async throws -> SignedIn? {
        try await database.query(
            """
            SELECT s.id, a.id, a.username, s.last_used_at
            FROM cookies c
            JOIN sessions s ON s.id = c.session_id
            JOIN accounts a ON a.id = s.account_id
            WHERE c.hash = \(hash) AND s.expires_at > \(now)
            """
        ).first.map { row in
            var columns = row.columns
            return SignedIn(
                sessionID: try columns.next(),
                account: Principal.Account(id: try columns.next(), username: try columns.next()),
                lastUsed: try columns.next()
            )
        }
    }

    struct Listed: Sendable {
        let id: SessionID
        let appName: String
        let appWebsite: String?
        let device: String
        let scopes: String
        let created: Timestamp
        let lastUsed: Timestamp
    }

    static func list(of account: AccountID, now: Timestamp, in database: Database) async throws -> [Listed] {
        try await database.query(
            """
            SELECT s.id, p.name, p.website, s.device, s.scopes, s.created_at, s.last_used_at
            FROM sessions s
            JOIN apps p ON p.id = s.app_id
            WHERE s.account_id = \(account) AND (s.expires_at IS NULL OR s.expires_at > \(now))
            ORDER BY s.id DESC
            LIMIT 500
            """
        ).map { row in
            var columns = row.columns
            return Listed(
                id: try columns.next(),
                appName: try columns.next(),
                appWebsite: try columns.next(),
                device: try columns.next(),
                scopes: try columns.next(),
                created: try columns.next(),
                lastUsed: try columns.next()
            )
        }
    }

    /// What was ended, for `SessionRevoked`.
    struct Ended: Sendable {
        let id: SessionID
        let accountID: AccountID?
    }

    static func end(_ id: SessionID, in transaction: Transaction) async throws -> [Ended] {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE id = \(id)
            RETURNING id, account_id
            """
        ).map(ended)
    }

    static func end(_ id: SessionID, of account: AccountID, in transaction: Transaction) async throws -> [Ended] {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE id = \(id) AND account_id = \(account)
            RETURNING id, account_id
            """
        ).map(ended)
    }

    static func endAll(of account: AccountID, except kept: SessionID?, in transaction: Transaction) async throws
        -> [Ended]
    {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE account_id = \(account) AND id IS DISTINCT FROM \(kept)
            RETURNING id, account_id
            """
        ).map(ended)
    }

    /// Ends the session whose access or refresh token this is, if the session is of this app.
    static func end(token: [UInt8], family: [UInt8]?, of app: AppID, in transaction: Transaction) async throws
        -> [Ended]
    {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE app_id = \(app)
                AND id IN (
                    SELECT session_id FROM access_tokens WHERE hash = \(token)
                    UNION ALL
                    SELECT session_id FROM refresh_tokens WHERE family_hash = \(family)
                )
            RETURNING id, account_id
            """
        ).map(ended)
    }

    static func end(cookie hash: [UInt8], in transaction: Transaction) async throws -> [Ended] {
        try await transaction.query(
            """
            DELETE FROM sessions
            WHERE id IN (SELECT session_id FROM cookies WHERE hash = \(hash))
            RETURNING id, account_id
            """
        ).map(ended)
    }

    static func purgeTokens(before now: Timestamp, in database: Database) async throws -> Int {
        try await database.query(
            """
            DELETE FROM access_tokens
            WHERE hash IN (SELECT hash FROM access_tokens WHERE expires_at < \(now) LIMIT 1000)
            """
        ).affected
    }

    /// Forgets what has run out. Nobody needs to be told: nobody believes it any more.
    static func purge(
        now: Timestamp,
        unusedAppsBefore cutoff: Timestamp,
        unusedBefore: Timestamp,
        in database: Database
    ) async throws -> Int {
        try await database.query(
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
            """
        ).affected
    }

    private static func ended(_ row: Row) throws -> Ended {
        var columns = row.columns
        return Ended(id: try columns.next(), accountID: try columns.next())
    }
}
