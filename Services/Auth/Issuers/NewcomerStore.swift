// SPDX-License-Identifier: Apache-2.0
// The SQL of `newcomers`.

import Domain
import Postgres
import Serving

/// Kind of the ids of newcomers.
enum NewcomerRow {}
typealias NewcomerID = ID<NewcomerRow>

/// Who was signed in by an issuer and has no account yet.
enum NewcomerStore {
    struct Newcomer: Sendable {
        let id: NewcomerID
        let issuer: String
        let subject: String
        let email: String?
        let name: String?
        let client: String?
        let sealedToken: [UInt8]?

        static let columns: SQL = "id, issuer, subject, email, name, client_id, sealed_token"
    }

    /// Keeps what is told. What was told before stays where nothing is said this time: a name is said once.
    static func keep(
        _ id: NewcomerID,
        issuer: String,
        subject: String,
        email: EmailAddress?,
        name: String?,
        sealed: SealedToken?,
        until expires: Timestamp,
        in transaction: some Transacting
    ) async throws -> Newcomer? {
        try await transaction.query(
            """
            INSERT INTO newcomers AS n (id, issuer, subject, email, name, client_id, sealed_token, expires_at)
            VALUES
                (\(id), \(issuer), \(subject), \(email?.text), \(name), \(sealed?.client), \(sealed?.bytes), \(expires))
            ON CONFLICT (issuer, subject) DO UPDATE
            SET email = coalesce(excluded.email, n.email), name = coalesce(excluded.name, n.name),
                client_id = coalesce(excluded.client_id, n.client_id),
                sealed_token = coalesce(excluded.sealed_token, n.sealed_token),
                expires_at = greatest(n.expires_at, excluded.expires_at)
            RETURNING \(Newcomer.columns)
            """
        ).one(as: Newcomer.init)
    }

    static func newcomer(_ id: NewcomerID, in database: some Querying) async throws -> Newcomer? {
        try await database.query(
            """
            SELECT \(Newcomer.columns)
            FROM newcomers
            WHERE id = \(id)
            """
        ).one(as: Newcomer.init)
    }

    /// Once: nil for whoever comes second.
    static func take(_ id: NewcomerID, in transaction: some Transacting) async throws -> Newcomer? {
        try await transaction.query(
            """
            DELETE FROM newcomers
            WHERE id = \(id)
            RETURNING \(Newcomer.columns)
            """
        ).one(as: Newcomer.init)
    }

    /// Who links an account with what they had begun to sign up with is new no more.
    static func forget(issuer: String, subject: String, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM newcomers WHERE issuer = \(issuer) AND subject = \(subject)")
    }

    static let aged = AgedRows(of: "newcomers", by: "id", since: "expires_at")
}
