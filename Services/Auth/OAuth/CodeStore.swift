// SPDX-License-Identifier: Apache-2.0
// The SQL of `authorization_codes`.

import Domain
import Postgres
import Serving

/// Codes between a person's consent and an app's token.
enum CodeStore {
    struct Code: Sendable {
        let appID: AppID
        let accountID: AccountID
        let redirectURI: String
        let scopes: ScopeSet
        let challenge: String?
        let expires: Timestamp
        let isUsed: Bool
        let sessionID: SessionID?

        static let columns: SQL =
            "app_id, account_id, redirect_uri, scopes, challenge, expires_at, used_at IS NOT NULL, session_id"
    }

    static func insert(
        _ hash: [UInt8],
        app: AppID,
        account: AccountID,
        redirectURI: String,
        scopes: ScopeSet,
        challenge: CodeChallenge?,
        expires: Timestamp,
        in transaction: some Transacting
    ) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO authorization_codes (hash, app_id, account_id, redirect_uri, scopes, challenge, expires_at)
            VALUES
                (\(hash), \(app), \(account), \(redirectURI), \(scopes.description), \(challenge?.text), \(expires))
            """
        )
    }

    /// The code, which nobody else can redeem until the transaction ends.
    static func lock(_ hash: [UInt8], in transaction: some Transacting) async throws -> Code? {
        try await transaction.query(
            """
            SELECT \(Code.columns)
            FROM authorization_codes
            WHERE hash = \(hash)
            FOR UPDATE
            """
        ).one(as: Code.init)
    }

    static func use(_ hash: [UInt8], for session: SessionID, now: Timestamp, in transaction: some Transacting)
        async throws
    {
        _ = try await transaction.query(
            """
            UPDATE authorization_codes
            SET used_at = \(now), session_id = \(session)
            WHERE hash = \(hash)
            """
        )
    }

    /// Codes that nobody has redeemed yet.
    static func deleteUnused(of account: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            DELETE FROM authorization_codes
            WHERE account_id = \(account) AND used_at IS NULL
            """
        )
    }

    static let aged = AgedRows(of: "authorization_codes", by: "hash", since: "expires_at")
}
