// SPDX-License-Identifier: Apache-2.0
// The SQL of what posts tells again: everything it owns, by the primary keys.

import Domain
import Events
import Outbox
import Postgres

/// That somebody made a post a favourite, or boosted it.
struct RetoldReaction: Sendable {
    /// Of the favourite or the boost.
    let number: PostID
    /// Of the boost.
    let visibility: Visibility
    let actor: AccountSnapshot
    let target: NewPostStore.Stored

    /// Of the favourite or boost `f`.
    fileprivate static func list(visibility: SQL) -> SQL {
        "f.id, \(visibility), \(AccountSnapshot.columns("a.")), \(NewPostStore.Stored.columns)"
    }

    static let columns = list(visibility: "f.visibility")
}

/// What stands between two accounts.
struct RetoldPair: Sendable {
    let actor: AccountSnapshot
    let target: AccountID
    /// Of its row, which tells when it was made.
    let number: PostID
    /// Not below any that was told of the pair, nor above any that will be.
    let version: Int64
    /// Of a mute: whether it hides notifications too.
    let hidesNotifications: Bool
    /// Of a mute.
    let expires: Timestamp?

    fileprivate static func list(target: SQL, mute: SQL) -> SQL {
        "\(AccountSnapshot.columns), t.\(target), t.id, greatest(a.graph_version, t.id), \(mute)"
    }

    static let columns = list(target: "target_id", mute: "t.notifications, t.expires_at")
}

/// A project with its leader.
struct RetoldProject: Sendable {
    let project: ProjectSnapshot
    let leader: AccountSnapshot

    static let columns: SQL = "\(ProjectSnapshot.columns), \(AccountSnapshot.columns("l."))"
}

/// A record with its reader.
struct RetoldRecord: Sendable {
    let record: RecordRow
    let reader: AccountSnapshot

    static let columns: SQL = "\(RecordRow.columns), \(AccountSnapshot.columns)"
}

enum RetoldStore {
    static func projects(after place: Teller.Place, in database: some Querying) async throws -> [RetoldProject] {
        try await database.query(
            """
            SELECT \(RetoldProject.columns)
            FROM projects p
            CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
            WHERE p.id > \(place[0]) AND p.deleted_at IS NULL
            ORDER BY p.id
            LIMIT \(place.limit)
            """
        ).all(as: RetoldProject.init)
    }

    /// Those that others than their owner may see.
    static func records(after place: Teller.Place, in database: some Querying) async throws -> [RetoldRecord] {
        try await database.query(
            """
            SELECT \(RetoldRecord.columns)
            FROM (
                SELECT r.* FROM reading_records r
                WHERE r.id > \(place[0]) AND r.visibility <> 'private'
                ORDER BY r.id
                LIMIT \(place.limit)
            ) r
            \(RecordRow.joined)
            CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = r.account_id OFFSET 0) a
            ORDER BY r.id
            """
        ).all(as: RetoldRecord.init)
    }

    enum Pairs: Sendable, CaseIterable {
        case follows, requests, blocks, mutes

        fileprivate var table: SQL {
            switch self {
            case .follows: "follows"
            case .requests: "follow_requests"
            case .blocks: "blocks"
            case .mutes: "mutes"
            }
        }

        fileprivate var actor: SQL { self == .follows || self == .requests ? "follower_id" : "account_id" }
        fileprivate var target: SQL { self == .follows || self == .requests ? "followee_id" : "target_id" }

        fileprivate var columns: SQL {
            let mute: SQL = self == .mutes ? "t.notifications, t.expires_at" : "false, NULL::timestamptz"
            return RetoldPair.list(target: target, mute: mute)
        }
    }

    static func accounts(after place: Teller.Place, in database: some Querying) async throws -> [AccountSnapshot] {
        try await database.query(
            """
            SELECT \(AccountSnapshot.columns) FROM accounts a WHERE a.id > \(place[0])
            ORDER BY a.id LIMIT \(place.limit)
            """
        ).all(AccountSnapshot.init(columns:))
    }

    static func posts(after place: Teller.Place, in database: some Querying) async throws -> [NewPostStore.Stored] {
        try await database.query(
            """
            SELECT \(NewPostStore.Stored.columns)
            FROM posts p
            CROSS JOIN LATERAL (SELECT w.* FROM accounts w WHERE w.id = p.account_id OFFSET 0) w
            WHERE p.id > \(place[0]) AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
            ORDER BY p.id
            LIMIT \(place.limit)
            """
        ).all(NewPostStore.Stored.init(columns:))
    }

    static func favourites(after place: Teller.Place, in database: some Querying) async throws -> [RetoldReaction] {
        try await database.query(
            """
            SELECT \(RetoldReaction.list(visibility: "p.visibility"))
            FROM favourites f
            \(RetoldStore.target(of: "f.post_id"))
            WHERE (f.account_id, f.post_id) > (\(place[0]), \(place[1])) AND p.deleted_at IS NULL
            ORDER BY f.account_id, f.post_id
            LIMIT \(place.limit)
            """
        ).all(as: RetoldReaction.init)
    }

    static func boosts(after place: Teller.Place, in database: some Querying) async throws -> [RetoldReaction] {
        try await database.query(
            """
            SELECT \(RetoldReaction.columns)
            FROM posts f
            \(RetoldStore.target(of: "f.boost_of_id"))
            WHERE f.id > \(place[0]) AND f.boost_of_id IS NOT NULL AND f.deleted_at IS NULL AND p.deleted_at IS NULL
            ORDER BY f.id
            LIMIT \(place.limit)
            """
        ).all(as: RetoldReaction.init)
    }

    /// Looked up one by one, where a join would read every post and account for a page.
    private static func target(of post: SQL) -> SQL {
        """
        CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = \(post) OFFSET 0) p
        CROSS JOIN LATERAL (SELECT w.* FROM accounts w WHERE w.id = p.account_id OFFSET 0) w
        CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = f.account_id OFFSET 0) a
        """
    }

    static func pairs(
        _ pairs: Pairs,
        after place: Teller.Place,
        at now: Timestamp,
        in database: some Querying
    ) async throws -> [RetoldPair] {
        let stands: SQL = pairs == .mutes ? "AND coalesce(t.expires_at > \(now), true)" : ""
        return try await database.query(
            """
            SELECT \(pairs.columns)
            FROM \(pairs.table) t
            CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = t.\(pairs.actor) OFFSET 0) a
            WHERE (t.\(pairs.actor), t.\(pairs.target)) > (\(place[0]), \(place[1])) \(stands)
            ORDER BY t.\(pairs.actor), t.\(pairs.target)
            LIMIT \(place.limit)
            """
        ).all(as: RetoldPair.init)
    }
}
