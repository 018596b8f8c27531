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
}

enum SilenceStore {
    /// Keeps what was said; what hides also sweeps away the notifications caused until then.
    static func keep(_ silence: Silence, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO silences (account_id, target_id, kind, version, hides, since, until)
            VALUES (
                \(silence.account), \(silence.target), \(silence.kind.rawValue), \(silence.version), \(silence.hides),
                \(silence.since), \(silence.until)
            )
            ON CONFLICT DO NOTHING
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
}
