// SPDX-License-Identifier: Apache-2.0
// The SQL of `refresh_tokens`.

import Domain
import Postgres

/// Refresh tokens, one row for each family.
enum RefreshTokenStore {
    struct Family: Columned {
        let sessionID: SessionID
        let accountID: AccountID?
        let appID: AppID
        let scopes: ScopeSet
        let currentHash: [UInt8]
        let expires: Timestamp
        let rotates: Bool
        /// The one before the current, as long as its client may not have got the answer.
        let predecessor: Predecessor?

        /// Of `sessions s` and `refresh_tokens r`.
        static let columns: SQL = """
            s.id, s.account_id, s.app_id, s.scopes, r.current_hash, r.expires_at, r.rotates,
                CASE WHEN r.successor_hash = r.current_hash THEN r.previous_hash END, r.successor_access, r.grace_until
            """

        init(columns: inout Columns) throws {
            sessionID = try columns.next()
            accountID = try columns.next()
            appID = try columns.next()
            scopes = try columns.next()
            currentHash = try columns.next()
            expires = try columns.next()
            rotates = try columns.next()
            let hash = try columns.next([UInt8]?.self)
            let access = try columns.next([UInt8]?.self)
            let until = try columns.next(Timestamp?.self)
            predecessor =
                if let hash, let access, let until { Predecessor(hash: hash, access: access, until: until) } else {
                    nil
                }
        }
    }

    struct Predecessor: Sendable {
        let hash: [UInt8]
        /// The access token that was given in its place.
        let access: [UInt8]
        let until: Timestamp
    }

    static func insert(
        family: [UInt8],
        current: [UInt8],
        session: SessionID,
        expires: Timestamp,
        rotates: Bool,
        in transaction: some Transacting
    ) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO refresh_tokens (family_hash, current_hash, session_id, expires_at, rotates)
            VALUES (\(family), \(current), \(session), \(expires), \(rotates))
            """
        )
    }

    /// The family, which nobody else can refresh until the transaction ends.
    static func lock(_ family: [UInt8], in transaction: some Transacting) async throws -> Family? {
        try await transaction.query(
            """
            SELECT \(Family.columns)
            FROM refresh_tokens r
            JOIN sessions s ON s.id = r.session_id
            WHERE r.family_hash = \(family)
            FOR UPDATE OF s, r
            """
        ).one(Family.init(columns:))
    }

    /// - Parameter predecessor: what is taken once more for a while; nil when it was already.
    static func rotate(
        _ family: [UInt8],
        to current: [UInt8],
        predecessor: Predecessor?,
        expires: Timestamp,
        in transaction: some Transacting
    ) async throws {
        _ = try await transaction.query(
            """
            UPDATE refresh_tokens
            SET current_hash = \(current), expires_at = \(expires), successor_hash = \(current),
                previous_hash = \(predecessor?.hash), successor_access = \(predecessor?.access),
                grace_until = \(predecessor?.until)
            WHERE family_hash = \(family)
            """
        )
    }
}
