// SPDX-License-Identifier: Apache-2.0
// The SQL of `consents`.

import Domain
import Postgres

enum ConsentStore {
    /// That somebody agrees to all that is in force on a day. Where no text of the rules or of the privacy policy was published it is
    /// version 0, which stands in the settings.
    static func give(
        by account: AccountID,
        way: ConsentWay,
        on day: Day,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO consents (account_id, kind, version, given_at, way)
            SELECT \(account), k.kind, coalesce(f.version, 0), \(now), \(way.rawValue)
            FROM (VALUES ('rules'), ('privacy'), ('terms')) k (kind)
            LEFT JOIN LATERAL (
                SELECT d.version
                FROM documents d
                WHERE d.kind = k.kind AND d.effective_on <= \(day)
                ORDER BY d.effective_on DESC
                LIMIT 1
            ) f ON true
            WHERE f.version IS NOT NULL OR k.kind <> 'terms'
            ON CONFLICT (account_id, kind, version) DO NOTHING
            """
        )
    }

    /// The texts in force to which somebody has to agree and has not: neither to one that asks for it nor to a later one.
    static func due(
        from account: AccountID,
        on day: Day,
        in database: some Querying
    ) async throws -> [DueConsent] {
        try await database.query(
            """
            SELECT k.kind, f.version, n.consent_until
            FROM (VALUES ('rules'), ('privacy'), ('terms')) k (kind)
            CROSS JOIN LATERAL (
                SELECT d.version
                FROM documents d
                WHERE d.kind = k.kind AND d.effective_on <= \(day)
                ORDER BY d.effective_on DESC
                LIMIT 1
            ) f
            CROSS JOIN LATERAL (
                SELECT d.version, d.consent_until
                FROM documents d
                WHERE d.kind = k.kind AND d.effective_on <= \(day) AND d.consent_until IS NOT NULL
                ORDER BY d.effective_on DESC
                LIMIT 1
            ) n
            WHERE NOT EXISTS (
                SELECT FROM consents c
                WHERE c.account_id = \(account) AND c.kind = k.kind AND c.version >= n.version
            )
            ORDER BY k.kind
            """
        ).all { DueConsent(kind: try $0.next(), version: try $0.next(), until: try $0.next()) }
    }

    /// What somebody agreed to, the first of each kind first.
    static func list(
        of account: AccountID,
        in database: some Querying
    ) async throws -> [(kind: String, version: Int64, given: Timestamp, way: String)] {
        try await database.query(
            """
            SELECT kind, version, given_at, way
            FROM consents
            WHERE account_id = \(account)
            ORDER BY kind, version
            LIMIT 1000
            """
        ).all { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
    }
}
