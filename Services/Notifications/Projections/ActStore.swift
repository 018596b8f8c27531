// SPDX-License-Identifier: Apache-2.0
// The projection of favourites, boosts, follows and requests to follow: the newest word on each.

import Domain
import Postgres

/// Something an account did to a post or an account, and may take back.
struct Act: Sendable {
    let kind: NotificationKind
    let actor: AccountID
    /// The post or the account.
    let subject: Int64
    let version: Int64
    /// When it was done or taken back.
    let moment: Timestamp

    init(_ kind: NotificationKind, by actor: AccountID, of post: PostID, version: Int64, at moment: Timestamp) {
        self.init(kind, by: actor, subject: post.rawValue, version: version, at: moment)
    }

    init(_ kind: NotificationKind, by actor: AccountID, of account: AccountID, version: Int64, at moment: Timestamp) {
        self.init(kind, by: actor, subject: account.rawValue, version: version, at: moment)
    }

    private init(
        _ kind: NotificationKind,
        by actor: AccountID,
        subject: Int64,
        version: Int64,
        at moment: Timestamp
    ) {
        self.kind = kind
        self.actor = actor
        self.subject = subject
        self.version = version
        self.moment = moment
    }

    /// Whether the subject is a post, which may have been deleted meanwhile.
    var concernsPost: Bool { kind == .favourite || kind == .reblog }
}

enum ActStore {
    static func done(_ act: Act, in transaction: Transaction) {
        keep(act, active: true, in: transaction)
    }

    /// Takes the act back and withdraws what was told of it, or of an earlier one.
    static func takenBack(_ act: Act, in transaction: Transaction) {
        keep(act, active: false, in: transaction)
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE type = \(act.kind.rawValue) AND subject_id = \(act.subject) AND actor_id = \(act.actor)
                AND version < \(act.version)
            """
        )
    }

    /// Removes some words that were said before a moment.
    static func forget(before moment: Timestamp) -> SQL {
        """
        DELETE FROM acts
        WHERE (kind, subject_id, actor_id) IN (
            SELECT kind, subject_id, actor_id FROM acts
            WHERE at < \(moment)
            ORDER BY at
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }

    private static func keep(_ act: Act, active: Bool, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
            SELECT \(act.kind.rawValue), \(act.subject), \(act.actor), \(act.version), \(active), \(act.moment)
            WHERE NOT \(act.concernsPost)
                OR NOT EXISTS (SELECT FROM posts WHERE id = \(act.subject) AND snapshot IS NULL)
            ON CONFLICT (kind, subject_id, actor_id) DO UPDATE
            SET version = excluded.version, active = excluded.active, at = excluded.at
            WHERE excluded.version > acts.version
            """
        )
    }
}
