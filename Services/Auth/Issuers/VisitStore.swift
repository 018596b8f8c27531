// SPDX-License-Identifier: Apache-2.0
// The SQL of `issuer_visits`.

import Domain
import Postgres
import Serving

/// Browsers that were sent to an issuer.
enum VisitStore {
    struct Visit: Sendable {
        let issuer: String
        let browserHash: [UInt8]
        let returnTo: String?
        let name: String?
        let expires: Timestamp
        /// To which account the issuer is linked; nil for a visit that signs somebody in.
        let accountID: AccountID?

        static let columns: SQL = "issuer, browser_hash, return_to, name, expires_at, account_id"
    }

    static func insert(_ hash: [UInt8], _ visit: Visit, in database: some Querying) async throws {
        _ = try await database.query(
            """
            INSERT INTO issuer_visits (hash, issuer, browser_hash, return_to, name, expires_at, account_id)
            VALUES
                (\(hash), \(visit.issuer), \(visit.browserHash), \(visit.returnTo), \(visit.name), \(visit.expires),
                \(visit.accountID))
            """
        )
    }

    /// Keeps the name that the issuer posts, for the browser that comes back with it. False for an unknown visit.
    static func keep(
        name: String?,
        of hash: [UInt8],
        issuer: String,
        now: Timestamp,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            UPDATE issuer_visits
            SET name = coalesce(name, \(name))
            WHERE hash = \(hash) AND issuer = \(issuer) AND expires_at > \(now)
            """
        ).affected == 1
    }

    /// Once, and by the same browser alone: another's visit stays.
    static func take(
        _ hash: [UInt8],
        issuer: String,
        browser: [UInt8],
        now: Timestamp,
        in database: some Querying
    ) async throws -> Visit? {
        try await database.query(
            """
            DELETE FROM issuer_visits
            WHERE hash = \(hash) AND issuer = \(issuer) AND browser_hash = \(browser) AND expires_at > \(now)
            RETURNING \(Visit.columns)
            """
        ).one(as: Visit.init)
    }

    static let aged = AgedRows(of: "issuer_visits", by: "hash", since: "expires_at")
}
