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

    /// Ends letters to the account that still wait, and those to its address.
    static func endLetters(to account: AccountID, at now: Timestamp, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            UPDATE letters
            SET ended_at = \(now), due_at = NULL, outcome = \(LetterStore.Outcome.unknown), reason = NULL,
                address = NULL, username = NULL, letter = NULL
            WHERE due_at IS NOT NULL AND id IN (
                SELECT id FROM letters WHERE account_id = \(account) AND due_at IS NOT NULL
                UNION ALL
                SELECT l.id
                FROM accounts a
                JOIN letters l ON l.recipient = sha256(convert_to(a.email, 'UTF8'))
                WHERE a.id = \(account)
            )
            """
        )
    }

    /// What posts told of it.
    static func deleteRestrictions(of account: AccountID, in transaction: some Transacting) async throws {
        _ = try await transaction.query("DELETE FROM restricted_accounts WHERE account_id = \(account)")
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
