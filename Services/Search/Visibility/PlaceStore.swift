// SPDX-License-Identifier: Apache-2.0
// Where people talk.

import Domain
import Events
import Postgres
import TextAnalysis

/// A playground or a channel, or the end of one.
struct Place: Hashable, Sendable {
    let id: Int64
    /// Of a channel.
    let playground: Int64?
    let version: Int64
    let name: String
    let isGone: Bool
}

extension Place {
    init(_ playground: PlaygroundSnapshot) {
        let id = playground.id.rawValue
        self.init(id: id, playground: nil, version: playground.version, name: playground.name, isGone: false)
    }

    init(_ channel: ChannelSnapshot) {
        self.init(
            id: channel.id.rawValue,
            playground: channel.playgroundID?.rawValue,
            version: channel.version,
            name: channel.name,
            isGone: false
        )
    }
}

enum PlaceStore {
    /// - Parameter places: each once.
    static func keep(_ places: [Place], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO places (id, parent_id, version, name, gone)
            SELECT id, nullif(parent_id, 0), version, name, gone FROM unnest(
                \(places.map(\.id)), \(places.map { $0.playground ?? 0 }), \(places.map(\.version)),
                \(places.map { NameKeys.typed($0.name) }), \(places.map(\.isGone))
            ) AS p (id, parent_id, version, name, gone)
            ORDER BY id
            ON CONFLICT (id) DO UPDATE
            SET parent_id = excluded.parent_id, version = excluded.version, name = excluded.name, gone = excluded.gone,
                changed_at = now()
            WHERE excluded.version > places.version
                OR excluded.version = places.version AND NOT places.gone
                    AND (excluded.parent_id, excluded.name, excluded.gone) IS DISTINCT FROM (places.parent_id, places.name, places.gone)
            """
        )
    }

    /// The channels that somebody is in now and that have this id or name, or whose playground has.
    static func channels(
        of account: AccountID,
        named name: String,
        or id: Int64?,
        in database: some Querying
    ) async throws -> [Int64] {
        let name = NameKeys.typed(name)
        return try await database.query(
            """
            SELECT c.id FROM memberships m
            CROSS JOIN LATERAL (
                SELECT c.id, c.parent_id, c.name FROM places c WHERE c.id = m.place_id AND NOT c.gone OFFSET 0
            ) c
            WHERE m.account_id = \(account) AND m.active
                AND (c.id = \(id ?? 0) OR c.parent_id = \(id ?? 0)
                    OR \(name) <> '' AND \(name) IN (c.name, (SELECT p.name FROM places p WHERE p.id = c.parent_id)))
            """
        ).all { try $0.next() }
    }
}
