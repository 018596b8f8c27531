// SPDX-License-Identifier: Apache-2.0
// The SQL of `issuer_revocations`.

import Domain
import Postgres

/// Kind of the ids of revocations.
enum RevocationRow {}
typealias RevocationID = ID<RevocationRow>

/// Refresh tokens of issuers that are to be given back.
enum RevocationStore {
    struct Revocation: Sendable {
        let id: RevocationID
        let accountID: AccountID
        let issuer: String
        let subject: String
        let client: String
        let sealedToken: [UInt8]
        let asked: Timestamp

        static let columns: SQL = "id, account_id, issuer, subject, client_id, sealed_token, asked_at"
    }

    /// Nothing for an identity without a token.
    static func ask(
        _ id: RevocationID,
        of identity: IdentityStore.Linked,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws {
        guard let client = identity.client, let token = identity.sealedToken else { return }
        _ = try await transaction.query(
            """
            INSERT INTO issuer_revocations (\(Revocation.columns), due_at)
            VALUES
                (\(id), \(identity.accountID), \(identity.issuer), \(identity.subject), \(client), \(token), \(now), \(now))
            """
        )
    }

    /// The one that is due longest, which nobody else takes until it is due again: after one minute, two, four…, a day.
    static func claim(at now: Timestamp, in database: some Querying) async throws -> Revocation? {
        try await database.query(
            """
            UPDATE issuer_revocations
            SET tries = tries + 1,
                due_at = \(now) + least(interval '1 minute' * power(2, least(tries, 20)), interval '1 day')
            WHERE id = (
                SELECT id FROM issuer_revocations
                WHERE due_at <= \(now)
                ORDER BY due_at
                LIMIT 1
                FOR UPDATE SKIP LOCKED
            )
            RETURNING \(Revocation.columns)
            """
        ).one(as: Revocation.init)
    }

    /// Whether something of an account is still to be given back.
    static func isPending(_ account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.query("SELECT FROM issuer_revocations WHERE account_id = \(account) LIMIT 1").count > 0
    }

    static func end(_ id: RevocationID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM issuer_revocations WHERE id = \(id)")
    }
}
