// SPDX-License-Identifier: Apache-2.0
// The SQL of `identities`.

import Domain
import Postgres

/// Kind of the ids of identities.
enum IdentityRow {}
typealias IdentityID = ID<IdentityRow>

/// Who issuers say that somebody is: issuer and subject are the key, never an address of mail.
enum IdentityStore {
    /// Of several that sign up at the same moment one wins by it.
    static let keyConstraint = "identities_key"

    struct Draft: Sendable {
        let id: IdentityID
        let accountID: AccountID
        let issuer: String
        let subject: String
        let email: EmailAddress?
        var token: SealedToken?
    }

    struct Linked: Sendable {
        let id: IdentityID
        let accountID: AccountID
        let issuer: String
        let subject: String
        let email: String?
        let mailArrives: Bool
        let client: String?
        let sealedToken: [UInt8]?
        let linked: Timestamp
        let lastUsed: Timestamp

        static let columns: SQL =
            "id, account_id, issuer, subject, email, mail_arrives, client_id, sealed_token, linked_at, last_used_at"
    }

    static func insert(_ identity: Draft, now: Timestamp, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO identities
                (id, account_id, issuer, subject, email, client_id, sealed_token, linked_at, last_used_at)
            VALUES
                (\(identity.id), \(identity.accountID), \(identity.issuer), \(identity.subject), \(identity.email?.text),
                \(identity.token?.client), \(identity.token?.bytes), \(now), \(now))
            """
        )
    }

    /// Whose it is; nil for nobody's.
    static func use(
        issuer: String,
        subject: String,
        email: EmailAddress?,
        token: SealedToken?,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Linked? {
        try await transaction.query(
            """
            UPDATE identities
            SET last_used_at = greatest(last_used_at, \(now)), email = coalesce(\(email?.text), email),
                client_id = coalesce(\(token?.client), client_id), sealed_token = coalesce(\(token?.bytes), sealed_token)
            WHERE issuer = \(issuer) AND subject = \(subject)
            RETURNING \(Linked.columns)
            """
        ).one(as: Linked.init)
    }

    /// Whom an issuer may have named: somebody with an account, or somebody who has none yet.
    enum Named: CaseIterable, Sendable {
        case identity, newcomer

        fileprivate var table: SQL { self == .identity ? "identities" : "newcomers" }
    }

    /// Adds what the issuer gave for a code.
    static func keep(
        _ sealed: SealedToken,
        of named: Named,
        issuer: String,
        subject: String,
        in transaction: some Transacting
    ) async throws {
        _ = try await transaction.query(
            """
            UPDATE \(named.table)
            SET client_id = \(sealed.client), sealed_token = \(sealed.bytes)
            WHERE issuer = \(issuer) AND subject = \(subject)
            """
        )
    }

    static func list(of account: AccountID, in database: some Querying) async throws -> [Linked] {
        try await database.query(
            """
            SELECT \(Linked.columns)
            FROM identities
            WHERE account_id = \(account)
            ORDER BY id
            """
        ).all(as: Linked.init)
    }

    static func find(issuer: String, subject: String, in database: some Querying) async throws -> Linked? {
        try await database.query(
            """
            SELECT \(Linked.columns)
            FROM identities
            WHERE issuer = \(issuer) AND subject = \(subject)
            """
        ).one(as: Linked.init)
    }

    static func delete(_ id: IdentityID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM identities WHERE id = \(id)")
    }

    /// Forgets a token that the issuer has taken back.
    static func dropToken(_ id: IdentityID, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            "UPDATE identities SET client_id = NULL, sealed_token = NULL WHERE id = \(id)"
        )
    }

    /// What is told late changes nothing.
    static func note(
        mailArrives: Bool,
        to id: IdentityID,
        at moment: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE identities
            SET mail_arrives = \(mailArrives), mail_told_at = \(moment)
            WHERE id = \(id) AND (mail_told_at IS NULL OR mail_told_at < \(moment))
            """
        ).affected == 1
    }
}

/// A refresh token of an issuer, closed, and the app that it was given to.
struct SealedToken: Sendable {
    let client: String
    let bytes: [UInt8]
}

extension SealedToken {
    /// Nil where there is nothing that will be given back.
    init?(_ exchange: CodeExchange?, of issuer: Issuer, subject: String, client: String, _ seal: Seal) throws {
        guard issuer.wantsRevocation, let token = exchange?.refreshToken else { return nil }
        self.init(client: client, bytes: try seal.close(token, of: SealedToken.place(issuer.address, subject)))
    }

    static func place(_ issuer: String, _ subject: String) -> String { "\(issuer)\0\(subject)" }
}
