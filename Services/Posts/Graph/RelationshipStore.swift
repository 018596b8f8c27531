// SPDX-License-Identifier: Apache-2.0
// The SQL of how an account and others stand to each other.

import Domain
import Postgres
import Views

/// Reads relationships.
enum RelationshipStore {
    /// How each follower stands to their followee; nil where the latter does not exist.
    ///
    /// `OFFSET 0` keeps each look-up one by its whole key: a join may read all followers of somebody popular.
    static func relationships(
        of pairs: [Follow],
        now: Timestamp,
        in database: some Querying
    ) async throws -> [RelationshipView?] {
        let rows = try await database.query(
            """
            SELECT wanted.place, \(RelationshipView.columns)
            FROM unnest(\(pairs.map(\.follower)), \(pairs.map(\.followee)))
                WITH ORDINALITY AS wanted (viewer_id, id, place)
            JOIN accounts a ON a.id = wanted.id
            LEFT JOIN LATERAL (
                SELECT f.id, f.show_boosts, f.notify, f.languages
                FROM follows f
                WHERE f.follower_id = wanted.viewer_id AND f.followee_id = a.id
                OFFSET 0
            ) f ON true
            LEFT JOIN LATERAL (
                SELECT r.id, r.show_boosts, r.notify, r.languages
                FROM follow_requests r
                WHERE r.follower_id = wanted.viewer_id AND r.followee_id = a.id
                OFFSET 0
            ) r ON true
            LEFT JOIN LATERAL (
                SELECT m.id, m.notifications, m.expires_at
                FROM mutes m
                WHERE m.account_id = wanted.viewer_id AND m.target_id = a.id
                    AND (m.expires_at IS NULL OR m.expires_at > \(now))
                OFFSET 0
            ) m ON true
            LEFT JOIN LATERAL (
                SELECT n.comment FROM account_notes n WHERE n.account_id = wanted.viewer_id AND n.target_id = a.id OFFSET 0
            ) n ON true
            """
        ).all { (place: try $0.next(Int.self), view: try RelationshipView(columns: &$0)) }
        var views = [RelationshipView?](repeating: nil, count: pairs.count)
        for row in rows { views[row.place - 1] = row.view }
        return views
    }
}

extension RelationshipView {
    /// Of `accounts a`, and what the viewer of `wanted` has with them: `follows f`, `follow_requests r`, `mutes m`,
    /// `account_notes n`.
    fileprivate static let columns: SQL = """
        a.id, f.id IS NOT NULL, coalesce(f.show_boosts, r.show_boosts, false),
        coalesce(f.notify, r.notify, false), coalesce(f.languages, r.languages),
        EXISTS (SELECT FROM follows WHERE follower_id = a.id AND followee_id = wanted.viewer_id OFFSET 0),
        EXISTS (SELECT FROM blocks WHERE account_id = wanted.viewer_id AND target_id = a.id OFFSET 0),
        EXISTS (SELECT FROM blocks WHERE account_id = a.id AND target_id = wanted.viewer_id OFFSET 0),
        m.id IS NOT NULL, coalesce(m.notifications, false), m.expires_at,
        r.id IS NOT NULL,
        EXISTS (SELECT FROM follow_requests WHERE follower_id = a.id AND followee_id = wanted.viewer_id OFFSET 0),
        coalesce(n.comment, '')
        """

    fileprivate init(columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            following: try columns.next(),
            showingBoosts: try columns.next(),
            notifying: try columns.next(),
            languages: try columns.next([String]?.self) ?? [],
            followedBy: try columns.next(),
            blocking: try columns.next(),
            blockedBy: try columns.next(),
            muting: try columns.next(),
            mutingNotifications: try columns.next(),
            mutingExpiresAt: try columns.next(),
            requested: try columns.next(),
            requestedBy: try columns.next(),
            note: try columns.next()
        )
    }
}
