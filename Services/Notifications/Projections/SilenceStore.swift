// SPDX-License-Identifier: Apache-2.0
// The projection of blocks and mutes.

import Domain
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
    var until: Timestamp?

    /// Whose acts somebody may not hear of any more.
    var silenced: [AccountID] { kind == .block ? [account, target] : [target] }
}

enum SilenceStore {
    /// Holds back blocks and mutes of an account until this transaction ends. Ask for it before telling somebody of what
    /// the account did: then a silence that comes at the same time, in another process, either is seen or sweeps it away.
    static func share(_ actor: AccountID, in transaction: Transaction) {
        transaction.enqueue("SELECT pg_advisory_xact_lock_shared(\(actor))")
    }

    /// Keeps what was said; what hides also sweeps away the notifications caused until then.
    static func keep(_ silence: Silence, in transaction: Transaction) {
        for account in silence.silenced.sorted() {
            transaction.enqueue("SELECT pg_advisory_xact_lock(\(account))")
        }
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
        transaction.enqueue(
            """
            UPDATE silences SET spent_from = greatest(since, \(silence.since))
            WHERE account_id = \(silence.account) AND target_id = \(silence.target)
                AND kind = \(silence.kind.rawValue) AND version < \(silence.version)
                AND (spent_from IS NULL OR spent_from > greatest(since, \(silence.since)))
            """
        )
        guard silence.hides else { return }
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE account_id = \(silence.account) AND actor_id = \(silence.target) AND created_at < \(silence.since)
            """
        )
        guard silence.kind == .block else { return }
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE account_id = \(silence.target) AND actor_id = \(silence.account) AND created_at < \(silence.since)
            """
        )
    }

    /// Removes some words in whose place a newer one has been since before a moment. The newest of each pair stays: a
    /// block may last for ever.
    static func forget(before moment: Timestamp) -> SQL {
        """
        DELETE FROM silences
        WHERE (account_id, target_id, kind, version) IN (
            SELECT account_id, target_id, kind, version FROM silences
            WHERE spent_from < \(moment)
            ORDER BY spent_from
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }
}
