// SPDX-License-Identifier: Apache-2.0
// The projection of blocks and mutes.

import Domain
import Events
import Postgres

/// That an account does not want to hear of another, or wants to again.
struct Silence: Sendable {
    enum Kind: String, Sendable {
        /// Works both ways.
        case block
        case mute
    }

    let kind: Kind
    let account: AccountID
    let target: AccountID
    let version: Int64
    /// False for the end of one, and for a mute that leaves notifications alone.
    let hides: Bool
    let since: Timestamp
    let until: Timestamp?

    /// - Parameter moment: when it was said.
    init(
        _ kind: Kind,
        of target: AccountID,
        for account: AccountID,
        hides: Bool,
        until: Timestamp? = nil,
        version: Int64,
        at moment: Timestamp
    ) {
        self.kind = kind
        self.account = account
        self.target = target
        self.hides = hides
        self.until = until
        self.version = version
        since = moment
    }

    /// Whose acts somebody may not hear of any more.
    var silenced: [AccountID] { kind == .block ? [account, target] : [target] }
}

enum SilenceStore {
    /// Keeps what was said.
    static func keep(_ silence: Silence, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO silences (account_id, target_id, kind, version, hides, since, until, spent_from)
            SELECT \(silence.account), \(silence.target), \(silence.kind.rawValue), \(silence.version),
                \(silence.hides), \(silence.since), \(silence.until),
                (
                    SELECT greatest(min(n.since), \(silence.since))
                    FROM silences n
                    WHERE n.account_id = \(silence.account) AND n.target_id = \(silence.target)
                        AND n.kind = \(silence.kind.rawValue) AND n.version > \(silence.version)
                    HAVING count(*) > 0
                )
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Keeps what is told again. Where the newest word says the same, that one stays, from when it was said, with the version
    /// of what is told again, which may be higher than the one that it had.
    static func keepAgain(_ silence: Silence, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH newest AS (
                SELECT version, hides FROM silences
                WHERE account_id = \(silence.account) AND target_id = \(silence.target)
                    AND kind = \(silence.kind.rawValue)
                ORDER BY version DESC
                LIMIT 1
            ), same AS (
                UPDATE silences s SET version = \(silence.version), until = \(silence.until), spent_from = NULL
                FROM newest n
                WHERE s.account_id = \(silence.account) AND s.target_id = \(silence.target)
                    AND s.kind = \(silence.kind.rawValue) AND s.version = n.version AND n.hides = \(silence.hides)
                    AND n.version <= \(silence.version)
            )
            INSERT INTO silences (account_id, target_id, kind, version, hides, since, until)
            SELECT \(silence.account), \(silence.target), \(silence.kind.rawValue), \(silence.version),
                \(silence.hides), \(silence.since), \(silence.until)
            WHERE NOT EXISTS (
                SELECT FROM newest n WHERE n.version > \(silence.version) OR n.hides = \(silence.hides)
            )
            ON CONFLICT (account_id, target_id, kind, version) DO UPDATE
            SET hides = excluded.hides, since = excluded.since, until = excluded.until, spent_from = NULL
            """
        )
    }

    /// Notes of older words that this one has taken their place.
    static func supersede(_ silence: Silence, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE silences SET spent_from = greatest(since, \(silence.since))
            WHERE account_id = \(silence.account) AND target_id = \(silence.target)
                AND kind = \(silence.kind.rawValue) AND version < \(silence.version)
                AND (spent_from IS NULL OR spent_from > greatest(since, \(silence.since)))
            """
        )
    }
}
