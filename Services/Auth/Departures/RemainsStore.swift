// SPDX-License-Identifier: Apache-2.0
// The SQL that takes away what auth itself has of somebody.

import Domain
import Postgres

/// What goes when an account is deleted, beside what goes with its row.
enum RemainsStore {
    /// Takes where somebody was and what they said out of some of what is noted of them; that it happened stays.
    ///
    /// - Returns: how many notes.
    static func emptyNotes(of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE audit
            SET address = '', detail = '', bucket = NULL
            WHERE id IN (
                SELECT id FROM audit
                WHERE account_id = \(account) AND (address <> '' OR detail <> '' OR bucket IS NOT NULL)
                LIMIT 500
            )
            """
        ).affected
    }

    /// Tries to sign in that are counted for an account; those that are counted for its devices are forgotten soon.
    static func deleteAttempts(of account: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM sign_in_attempts WHERE key = \("account:\(account)")")
    }

    /// From now on nobody gets in with a password.
    static func dropPassword(of account: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("UPDATE accounts SET password_hash = NULL WHERE id = \(account)")
    }

    /// Keeps the name from everybody else; what is kept of it is no name.
    static func reserveName(of account: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO former_usernames (hash)
            SELECT sha256(convert_to(username, 'UTF8')) FROM accounts WHERE id = \(account)
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// With everything that refers to it.
    static func deleteAccount(_ account: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM accounts WHERE id = \(account)")
    }
}
