// SPDX-License-Identifier: Apache-2.0
// GIFs that people keep.

import Domain
import Postgres

/// A GIF in a list that is paged by places.
struct PlacedGif: Sendable {
    let place: Int64
    let gif: FoundGif

    /// What is read of a row of either.
    static let columns: SQL = "\(Gif.columns), u.gif, u.item"

    init?(_ place: Int64, _ own: Gif?, _ id: String?, _ item: String?) {
        self.place = place
        if let own {
            gif = .own(own)
        } else if let id, let item {
            gif = .upstream(UpstreamGif(id: id, json: item))
        } else {
            return nil
        }
    }
}

enum GifFavouriteStore {
    /// Whether a GIF is there, whether somebody has it, and how many they have.
    struct Standing: Sendable {
        let isThere: Bool
        let isKept: Bool
        let count: Int
    }

    static func standing(of gif: MediaID, for account: AccountID, in database: some Querying) async throws -> Standing?
    {
        try await database.query(
            """
            SELECT EXISTS (SELECT FROM gifs g WHERE g.id = \(gif)) OR EXISTS (SELECT FROM upstream_gifs u WHERE u.id = \(gif)),
                EXISTS (SELECT FROM gif_favourites f WHERE f.account_id = \(account) AND f.gif_id = \(gif)),
                (SELECT count(*) FROM gif_favourites f WHERE f.account_id = \(account))
            """
        ).one(as: Standing.init)
    }

    /// - Parameters:
    ///   - gif: the id of an entry, or the number of a GIF of others.
    ///   - place: above all that the account has.
    static func add(_ gif: MediaID, to account: AccountID, at place: Int64, in database: some Querying) async throws {
        _ = try await database.query(
            """
            INSERT INTO gif_favourites (account_id, gif_id, place)
            SELECT \(account), g.id, \(place)
            FROM (SELECT id FROM gifs UNION ALL SELECT id FROM upstream_gifs) g
            WHERE g.id = \(gif)
            ON CONFLICT DO NOTHING
            """
        )
    }

    static func remove(_ gif: MediaID, from account: AccountID, in database: some Querying) async throws {
        _ = try await database.query("DELETE FROM gif_favourites WHERE account_id = \(account) AND gif_id = \(gif)")
    }

    static func list(of account: AccountID, _ page: Page, in database: some Querying) async throws -> [PlacedGif] {
        try await database.query(
            """
            SELECT f.place, \(PlacedGif.columns)
            FROM (
                SELECT place, gif_id FROM gif_favourites
                WHERE account_id = \(account) AND \(page.cut("place"))
            ) f
            LEFT JOIN gifs g ON g.id = f.gif_id
            LEFT JOIN upstream_gifs u ON u.id = f.gif_id
            ORDER BY f.place DESC
            """
        ).all(as: PlacedGif.init).compactMap(\.self)
    }
}
