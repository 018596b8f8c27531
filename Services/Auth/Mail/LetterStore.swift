// SPDX-License-Identifier: Apache-2.0
// The SQL of `letters`.

import Domain
import Foundation
import Postgres
import Serving

extension LetterKind: ColumnWord {}

/// Letters that wait to be sent, and what came of those that were.
enum LetterStore {
    /// How a letter ended; the raw values are what operators read.
    enum Outcome: String, ColumnWord, CaseIterable, Sendable {
        case sent
        /// The server says that it will never take it.
        case refused
        /// Nobody took it as long as it was of use.
        case expired
        /// A newer one of its kind has gone.
        case superseded
        /// Nobody has the address, or needs the letter any more.
        case unknown
    }

    /// One that a worker has.
    struct Waiting: Sendable {
        /// A UUID, as text.
        let id: String
        /// Nil for one that was asked for by an address alone.
        let accountID: AccountID?
        let username: String?
        let address: String?
        let language: String
        let letter: JSONB?
        let created: Timestamp
        let expires: Timestamp
        /// With this one.
        let tries: Int
        /// What the server said last.
        let reason: String?

        static let columns: SQL =
            "CAST(id AS text), account_id, username, address, language, letter, created_at, expires_at, tries, reason"
    }

    private static let written: SQL = """
        id, account_id, username, address, recipient, language, kind, letter, created_at, expires_at, due_at
        """

    /// How many of a kind have been written to an address since a moment.
    private static func count(of kind: LetterKind, to recipient: SQL, since: Timestamp) -> SQL {
        "(SELECT count(*) FROM letters l WHERE l.recipient = \(recipient) AND l.kind = \(kind) AND l.created_at > \(since))"
    }

    /// Writes to the address that an account has now; nothing for one that has none, or has had enough.
    static func insert(
        _ id: String,
        _ letter: Letter,
        to account: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws {
        let kind = letter.kind
        let recipient: SQL = "sha256(convert_to(a.email, 'UTF8'))"
        _ = try await transaction.query(
            """
            INSERT INTO letters (\(written))
            SELECT CAST(\(id) AS uuid), a.id, a.username, a.email, \(recipient), a.language, \(kind),
                \(try JSONB(letter)), \(now), \(now + kind.patience), \(now)
            FROM accounts a
            WHERE a.id = \(account) AND a.email IS NOT NULL
                AND \(count(of: kind, to: recipient, since: now - LetterKind.window)) < \(kind.most)
            """
        )
    }

    /// Writes to an address, whether or not somebody has it: who asks cannot tell by the time that it takes.
    static func insert(
        _ id: String,
        _ letter: Letter,
        to address: EmailAddress,
        _ language: Language,
        at now: Timestamp,
        in database: some Querying
    ) async throws {
        let kind = letter.kind
        let recipient = Secret.hash(address.text)
        _ = try await database.query(
            """
            INSERT INTO letters (\(written))
            SELECT CAST(\(id) AS uuid), NULL, NULL, \(address.text), \(recipient), \(language.rawValue), \(kind),
                \(try JSONB(letter)), \(now), \(now + kind.patience), \(now)
            WHERE \(count(of: kind, to: "\(recipient)", since: now - LetterKind.window)) < \(kind.most)
            """
        )
    }

    /// Those that are due longest, which nobody else takes before `lease`.
    static func claim(most: Int, at now: Timestamp, lease: Timestamp, in database: some Querying) async throws
        -> [Waiting]
    {
        try await database.query(
            """
            UPDATE letters
            SET tries = tries + 1, due_at = \(lease)
            WHERE id = ANY(ARRAY(
                SELECT id FROM letters
                WHERE due_at <= \(now)
                ORDER BY due_at
                LIMIT \(most)
                FOR UPDATE SKIP LOCKED
            ))
            RETURNING \(Waiting.columns)
            """
        ).all(as: Waiting.init)
    }

    static func putOff(_ id: String, until due: Timestamp, because reason: String, in database: some Querying)
        async throws
    {
        _ = try await database.query(
            """
            UPDATE letters
            SET due_at = \(due), reason = \(reason)
            WHERE id = CAST(\(id) AS uuid) AND due_at IS NOT NULL
            """
        )
    }

    /// Forgets what it says and to whom; that it was, stays for a while. False when it had ended before.
    static func end(
        _ id: String,
        _ outcome: Outcome,
        because reason: String?,
        at now: Timestamp,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            UPDATE letters
            SET ended_at = \(now), due_at = NULL, outcome = \(outcome), reason = \(reason),
                address = NULL, username = NULL, letter = NULL
            WHERE id = CAST(\(id) AS uuid) AND due_at IS NOT NULL
            """
        ).affected == 1
    }

    /// How many wait, of ten thousand at most, and since when the first does.
    static func waiting(in database: some Querying) async throws -> (count: Int, oldest: Timestamp?) {
        try await database.query(
            """
            SELECT count(*), min(created_at)
            FROM (SELECT created_at FROM letters WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 10000) waiting
            """
        ).one { (try $0.next(), try $0.next()) } ?? (0, nil)
    }

    static let aged = AgedRows(of: "letters", by: "id", since: "ended_at")

    /// Where nobody sends them, nobody needs them.
    static let unsent = AgedRows(of: "letters", by: "id", since: "due_at")
}

extension JSONB {
    init(_ letter: Letter) throws { self.init(Array(try JSONEncoder().encode(letter))) }

    /// Nil for a letter that only a later release knows.
    var asLetter: Letter? { try? JSONDecoder().decode(Letter.self, from: Data(json)) }
}
