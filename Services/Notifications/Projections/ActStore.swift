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

    init<Subject>(
        _ kind: NotificationKind,
        by actor: AccountID,
        of subject: ID<Subject>,
        version: Int64,
        at moment: Timestamp
    ) {
        self.kind = kind
        self.actor = actor
        self.subject = subject.rawValue
        self.version = version
        self.moment = moment
    }

    /// Whether the subject is a post, which may have been deleted meanwhile.
    var concernsPost: Bool { kind == .favourite || kind == .reblog }
}

/// That an act was done or taken back.
struct Word: Sendable {
    let act: Act
    let isActive: Bool
}

enum ActStore {
    /// Keeps each word unless a newer one on the act is known; when repairing, also in place of what is known at the same
    /// version.
    ///
    /// - Parameter words: one an act. Their rows are locked in the order of the keys.
    static func keep(_ words: [Word], repairing: Bool = false, in transaction: some Transacting) {
        guard !words.isEmpty else { return }
        let acts = words.map(\.act)
        let isNewer: SQL = repairing ? "excluded.version >= acts.version" : "excluded.version > acts.version"
        transaction.enqueue(
            """
            INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
            SELECT w.kind, w.subject_id, w.actor_id, w.version, w.active, w.at
            FROM unnest(
                \(acts.map(\.kind.rawValue)), \(acts.map(\.subject)), \(acts.map(\.actor)), \(acts.map(\.version)),
                \(words.map(\.isActive)), \(acts.map(\.moment))
            ) AS w (kind, subject_id, actor_id, version, active, at)
            WHERE w.kind NOT IN ('favourite', 'reblog')
                OR NOT EXISTS (SELECT FROM posts p WHERE p.id = w.subject_id AND p.snapshot IS NULL)
            ORDER BY w.kind, w.subject_id, w.actor_id
            ON CONFLICT (kind, subject_id, actor_id) DO UPDATE
            SET version = excluded.version, active = excluded.active, at = excluded.at
            WHERE \(isNewer)
            """
        )
    }

    /// That `acts` as `row` is the act of this key.
    ///
    /// The actor as a range: by equality the planner takes the index of an actor's acts as long as people have few on average, and reads
    /// through all that a keen one did.
    static func isAct(_ row: SQL, _ kind: SQL, of subject: SQL, by actor: SQL) -> SQL {
        """
        \(row).kind = \(kind) AND \(row).subject_id = \(subject)
            AND \(row).actor_id >= \(actor) AND \(row).actor_id <= \(actor)
        """
    }

    /// Whether somebody did this, and has not taken it back.
    static func isActive(_ kind: SQL, of subject: SQL, by actor: SQL) -> SQL {
        """
        EXISTS (
            SELECT FROM acts act
            WHERE \(isAct("act", kind, of: subject, by: actor)) AND act.active
            OFFSET 0
        )
        """
    }

    /// Forgets what was done to a post.
    static func forget(_ post: PostID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM acts WHERE kind IN ('favourite', 'reblog') AND subject_id = \(post)")
    }
}
