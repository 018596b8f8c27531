// SPDX-License-Identifier: Apache-2.0
// The SQL of `mail_links`.

import Domain
import Postgres
import Serving

/// What links in letters prove. Only the newest of an account and a purpose is good, once.
enum LinkStore {
    struct Link: Sendable {
        let accountID: AccountID
        let address: String

        static let columns: SQL = "account_id, address"
    }

    struct Draft: Sendable {
        let accountID: AccountID
        let purpose: LetterKind
        let hash: [UInt8]
        /// A UUID, as text.
        let letterID: String
        let asked: Timestamp
        let address: String
        let expires: Timestamp
    }

    /// False where a letter that was asked for later has gone already. A letter that goes once more keeps its link as it is.
    static func keep(_ link: Draft, in database: some Querying) async throws -> Bool {
        try await database.query(
            """
            INSERT INTO mail_links AS l (account_id, purpose, hash, letter_id, asked_at, address, expires_at)
            VALUES
                (\(link.accountID), \(link.purpose), \(link.hash), CAST(\(link.letterID) AS uuid), \(link.asked),
                \(link.address), \(link.expires))
            ON CONFLICT (account_id, purpose) DO UPDATE
            SET hash = excluded.hash, letter_id = excluded.letter_id, asked_at = excluded.asked_at,
                address = excluded.address, expires_at = excluded.expires_at,
                used_at = CASE WHEN l.letter_id = excluded.letter_id THEN l.used_at END
            WHERE l.asked_at < excluded.asked_at OR l.letter_id = excluded.letter_id
            """
        ).affected == 1
    }

    /// Whose it is, as long as it is good.
    static func link(
        _ hash: [UInt8],
        for purpose: LetterKind,
        now: Timestamp,
        in database: some Querying
    ) async throws -> Link? {
        try await database.query(
            """
            SELECT \(Link.columns)
            FROM mail_links
            WHERE hash = \(hash) AND purpose = \(purpose) AND used_at IS NULL AND expires_at > \(now)
            """
        ).one(as: Link.init)
    }

    /// Uses it up; nil for one that is not good, or not any more.
    static func use(
        _ hash: [UInt8],
        for purpose: LetterKind,
        now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Link? {
        try await transaction.query(
            """
            UPDATE mail_links
            SET used_at = \(now)
            WHERE hash = \(hash) AND purpose = \(purpose) AND used_at IS NULL AND expires_at > \(now)
            RETURNING \(Link.columns)
            """
        ).one(as: Link.init)
    }

    static let aged = AgedRows(of: "mail_links", by: "account_id, purpose", since: "expires_at")
}
