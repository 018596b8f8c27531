// SPDX-License-Identifier: Apache-2.0
// The projection of favourites, boosts, follows and requests to follow: the newest word on each.

import Domain
import Events
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

    /// An act as an event tells of it.
    init<Subject>(_ kind: NotificationKind, by actor: AccountID, of subject: ID<Subject>, _ event: Envelope<some Event>)
    {
        self.kind = kind
        self.actor = actor
        self.subject = subject.rawValue
        version = event.data.subjectVersion
        moment = event.time
    }

    /// Whether the subject is a post, which may have been deleted meanwhile.
    var concernsPost: Bool { kind == .favourite || kind == .reblog }
}

enum ActStore {
    /// Keeps that an act was done, or taken back, unless a newer word on it is known; when repairing, also in place of what
    /// is known at the same version.
    static func keep(_ act: Act, active: Bool, repairing: Bool = false, in transaction: some Transacting) {
        let isNewer: SQL = repairing ? "excluded.version >= acts.version" : "excluded.version > acts.version"
        transaction.enqueue(
            """
            INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
            SELECT \(act.kind.rawValue), \(act.subject), \(act.actor), \(act.version), \(active), \(act.moment)
            WHERE NOT \(act.concernsPost)
                OR NOT EXISTS (SELECT FROM posts WHERE id = \(act.subject) AND snapshot IS NULL)
            ON CONFLICT (kind, subject_id, actor_id) DO UPDATE
            SET version = excluded.version, active = excluded.active, at = excluded.at
            WHERE \(isNewer)
            """
        )
    }

    /// Forgets what was done to a post.
    static func forget(_ post: PostID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM acts WHERE kind IN ('favourite', 'reblog') AND subject_id = \(post)")
    }
}
