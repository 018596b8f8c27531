// SPDX-License-Identifier: Apache-2.0
// The SQL of `accounts`.

package import Calls
import Domain
import Events
import Outbox
public import Postgres

/// People who can sign in.
enum AccountStore {
    struct Credentials: Sendable {
        let id: AccountID
        let username: Username
        /// Nil of somebody whom an issuer signs in, who told none or one that another has.
        let email: String?
        /// Nil of somebody whom only issuers sign in.
        let passwordHash: String?

        static let columns: SQL = "id, username, email, password_hash"
    }

    /// By name or by address of mail, whichever is given.
    static func credentials(
        username: Username?,
        email: EmailAddress?,
        in database: some Querying
    ) async throws -> Credentials? {
        try await database.query(
            """
            SELECT \(Credentials.columns)
            FROM accounts
            WHERE username = \(username?.text) OR email = \(email?.text)
            """
        ).one(as: Credentials.init)
    }

    static func credentials(_ id: AccountID, in database: some Querying) async throws -> Credentials? {
        try await database.query(
            """
            SELECT \(Credentials.columns)
            FROM accounts
            WHERE id = \(id)
            """
        ).one(as: Credentials.init)
    }

    static func identity(_ id: AccountID, in database: some Querying) async throws -> Identity? {
        try await database.query(
            """
            SELECT \(Identity.columns)
            FROM accounts a
            WHERE a.id = \(id)
            """
        ).one(Identity.init(columns:))
    }

    /// Of the person who began a session; the address of mail only when it is a session of an app of our own.
    static func identity(
        of session: SessionID,
        now: Timestamp,
        in database: some Querying
    ) async throws -> Identity? {
        try await database.query(
            """
            SELECT \(Identity.columns(telling: "CASE WHEN p.first_party THEN a.email END"))
            FROM sessions s
            JOIN accounts a ON a.id = s.account_id
            JOIN apps p ON p.id = s.app_id
            WHERE s.id = \(session) AND (s.expires_at IS NULL OR s.expires_at > \(now))
            """
        ).one(Identity.init(columns:))
    }

    /// Those who signed up, in the order of their ids, as was told of them then.
    static func registered(after place: Teller.Place, in database: some Querying) async throws -> [AccountRegistered] {
        try await database.query(
            """
            SELECT id, username, language, created_at
            FROM accounts
            WHERE id > \(place[0])
            ORDER BY id
            LIMIT \(place.limit)
            """
        ).all { columns in
            AccountRegistered(
                accountID: try columns.next(),
                username: try columns.next(),
                language: Language(rawValue: try columns.next()) ?? .english,
                createdAt: try columns.next()
            )
        }
    }

    /// Nil for an account that is gone.
    static func role(of id: AccountID, in database: some Querying) async throws -> Role? {
        try await database.query(
            """
            SELECT role
            FROM accounts
            WHERE id = \(id)
            """
        ).one { try $0.next() }
    }

    /// - Returns: the version of the new role; nil when the account has it already, or is gone.
    static func give(_ role: Role, to id: AccountID, in transaction: some Transacting) async throws -> Int64? {
        try await transaction.query(
            """
            UPDATE accounts
            SET role = \(role), role_version = role_version + 1
            WHERE id = \(id) AND role <> \(role)
            RETURNING role_version
            """
        ).one { try $0.next() }
    }

    /// The roles of those who hold one or held one, in the order of their ids.
    static func roles(after place: Teller.Place, in database: some Querying) async throws -> [RoleGiven] {
        try await database.query(
            """
            SELECT id, role, role_version
            FROM accounts
            WHERE id > \(place[0]) AND (role <> 'user' OR role_version > 0)
            ORDER BY id
            LIMIT \(place.limit)
            """
        ).all { columns in
            RoleGiven(accountID: try columns.next(), role: try columns.next(), subjectVersion: try columns.next())
        }
    }

    /// Whether there is a password. Nobody else changes how somebody gets in until the transaction ends; nil for an account that is
    /// gone.
    static func lock(_ id: AccountID, in transaction: some Transacting) async throws -> Bool? {
        try await transaction.query(
            """
            SELECT password_hash IS NOT NULL
            FROM accounts
            WHERE id = \(id)
            FOR NO KEY UPDATE
            """
        ).one { try $0.next() }
    }

    /// Waits for whoever holds the account, and holds it back until the transaction ends; several may at once.
    static func share(_ id: AccountID, in transaction: some Transacting) {
        transaction.enqueue("SELECT FROM accounts WHERE id = \(id) FOR SHARE")
    }

    /// Which of the two is in use.
    static func taken(
        username: Username?,
        email: EmailAddress,
        in database: some Querying
    ) async throws -> (username: Bool, email: Bool) {
        try await database.query(
            """
            SELECT EXISTS (SELECT FROM accounts WHERE username = \(username)),
                EXISTS (SELECT FROM accounts WHERE email = \(email.text))
            """
        ).one { (try $0.next(), try $0.next()) } ?? (false, false)
    }

    /// Somebody to whom a letter goes by their address.
    struct Addressee: Sendable {
        let id: AccountID
        let username: Username
        let language: String
        let hasPassword: Bool
        let isUnconfirmed: Bool

        static let columns: SQL =
            "id, username, language, password_hash IS NOT NULL, confirmation_asked_at IS NOT NULL"
    }

    static func addressee(of address: String, in database: some Querying) async throws -> Addressee? {
        try await database.query(
            """
            SELECT \(Addressee.columns)
            FROM accounts
            WHERE email = \(address)
            """
        ).one(as: Addressee.init)
    }

    /// Whether the address waits to be confirmed.
    static func isUnconfirmed(_ id: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query(
            "SELECT 1 FROM accounts WHERE id = \(id) AND confirmation_asked_at IS NOT NULL"
        ).isEmpty
    }

    /// False for an account that is gone or has another address.
    static func confirm(_ id: AccountID, _ address: String, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE accounts
            SET confirmation_asked_at = NULL
            WHERE id = \(id) AND email = \(address)
            """
        ).affected == 1
    }

    /// Puts another address in the place of one that waits to be confirmed.
    static func correct(_ id: AccountID, to email: EmailAddress, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            UPDATE accounts
            SET email = \(email.text)
            WHERE id = \(id) AND confirmation_asked_at IS NOT NULL
            """
        )
    }

    /// Names of the unique constraints, which decide between sign-ups at the same moment.
    static let usernameConstraint = "accounts_username_key"
    static let emailConstraint = "accounts_email_key"

    struct Draft: Sendable {
        let username: Username
        let email: EmailAddress?
        let language: Language
        var reason: String?
        /// Whether the address is to be confirmed before the person gets in.
        var mustConfirm = false
        /// How the rules were agreed to; nil where nobody asked.
        var consent: ConsentWay?
    }

    static func insert(
        _ id: AccountID,
        _ draft: Draft,
        passwordHash: String?,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO accounts
                (id, username, email, password_hash, language, reason, created_at, password_changed_at,
                confirmation_asked_at)
            VALUES
                (\(id), \(draft.username), \(draft.email?.text), \(passwordHash), \(draft.language.rawValue),
                \(draft.reason), \(now), \(now), \(draft.mustConfirm ? now : nil))
            """
        )
    }

    /// Replaces the hash of a password that stays the same.
    static func rehash(_ id: AccountID, from old: String, to new: String, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE accounts
            SET password_hash = \(new)
            WHERE id = \(id) AND password_hash = \(old)
            """
        )
    }

    /// False when somebody else changed it since `old` was read.
    ///
    /// - Parameter old: nil for the first one.
    static func changePassword(
        _ id: AccountID,
        from old: String?,
        to new: String,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE accounts
            SET password_hash = \(new), password_changed_at = \(now)
            WHERE id = \(id) AND password_hash IS NOT DISTINCT FROM \(old)
            """
        ).affected == 1
    }
}

extension Identity: Columned {
    package static var columns: SQL { columns(telling: "a.email") }

    /// Of `accounts a`, with what is told of the address.
    static func columns(telling email: SQL) -> SQL { "a.id, a.username, \(email), a.created_at" }

    package init(columns: inout Columns) throws {
        self = try columns.read(Self.init)
    }
}
