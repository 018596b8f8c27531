// SPDX-License-Identifier: Apache-2.0
// Names in a circle that is small against all there are: members, followed people, channels of a playground.

import Domain
import Postgres
import TextAnalysis

/// Among whom or what is looked.
enum Circle: Sendable {
    case followed(by: AccountID)
    /// For whom is one of them; nobody else learns who they are.
    case members(of: Int64, for: AccountID)
    case channels(of: Int64)

    /// A column `id` of those in it.
    fileprivate var members: SQL {
        switch self {
        case .followed(let account):
            "SELECT t.target_id AS id FROM ties t WHERE t.kind = 1 AND t.account_id = \(account) AND t.active"
        case .members(let place, let viewer):
            """
            SELECT m.account_id AS id FROM memberships m
            WHERE m.place_id = \(place) AND m.active AND coalesce((
                SELECT v.active FROM memberships v WHERE v.account_id = \(viewer) AND v.place_id = \(place)
            ), false)
            """
        case .channels(let place): "SELECT p.id FROM places p WHERE p.parent_id = \(place) AND NOT p.gone"
        }
    }
}

enum CircleStore {
    /// Those of a circle whose name, or a word of it, begins so, those before whose beginning it is; all of them for no text. Whom
    /// the viewer may not see is not among them.
    static func named(
        _ text: String,
        _ kind: SearchKind,
        in circle: Circle,
        for viewer: AccountID?,
        most: Int,
        in database: some Querying
    ) async throws -> [Int64] {
        let typed = NameKeys.typed(text)
        let initials = NameKeys.initials(typed: text) ?? "\u{10FFFF}"
        return try await database.query(
            """
            SELECT c.id FROM (\(circle.members)) c
            CROSS JOIN LATERAL (
                SELECT min(n.position) AS position FROM names n
                WHERE n.kind = \(kind.rawValue) AND n.id = c.id
                    AND (starts_with(n.typed, \(typed)) OR starts_with(n.initials, \(initials)))
            ) n
            JOIN documents d ON d.kind = \(kind.rawValue) AND d.id = c.id
            WHERE n.position IS NOT NULL AND NOT d.gone AND \(Visible.to(viewer))
            ORDER BY n.position > 0, d.popularity DESC, c.id DESC
            LIMIT \(most)
            """
        ).all { try $0.next() }
    }

    /// Those of some that are in a circle.
    static func among(_ ids: [Int64], in circle: Circle, in database: some Querying) async throws -> Set<Int64> {
        Set(
            try await database.query(
                "SELECT i.id FROM unnest(\(ids)) AS i (id) JOIN (\(circle.members)) c ON c.id = i.id"
            ).all { try $0.next(Int64.self) }
        )
    }
}
