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

    /// How long a name is kept for the browser's next visit when nobody came of this one: an issuer that tells it once has told it.
    static let nameKept = Duration.seconds(86_400)

    /// Once, and by the same browser alone: another's visit stays. A visit that was taken is over and is kept until `forget`, with the
    /// name, which a later one of the browser takes over: what comes of this one is not known yet.
    static func take(
        _ hash: [UInt8],
        issuer: String,
        browser: [UInt8],
        now: Timestamp,
        in database: some Querying
    ) async throws -> Visit? {
        try await database.query(
            """
            UPDATE issuer_visits v
            SET expires_at = \(now), name = coalesce(v.name, (
                SELECT o.name FROM issuer_visits o
                WHERE o.browser_hash = \(browser) AND o.issuer = \(issuer) AND o.name IS NOT NULL
                    AND o.expires_at <= \(now) AND o.expires_at > \(now - nameKept)
                ORDER BY o.expires_at DESC
                LIMIT 1
            ))
            WHERE v.hash = \(hash) AND v.issuer = \(issuer) AND v.browser_hash = \(browser) AND v.expires_at > \(now)
            RETURNING \(Visit.columns)
            """
        ).one(as: Visit.init)
    }

    /// Forgets the visits of a browser that are over, once it is known who came by the last.
    static func forget(
        issuer: String,
        browser: [UInt8],
        now: Timestamp,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            DELETE FROM issuer_visits
            WHERE browser_hash = \(browser) AND issuer = \(issuer) AND expires_at <= \(now)
            """
        )
    }

    static let aged = AgedRows(of: "issuer_visits", by: "hash", since: "expires_at", where: "name IS NULL")
    static let agedNames = AgedRows(of: "issuer_visits", by: "hash", since: "expires_at", where: "name IS NOT NULL")
}
