// SPDX-License-Identifier: Apache-2.0
// Named collections of GIFs.

import Domain
import Postgres

/// A row of `gif_collections`.
struct GifCollection: Sendable {
    /// A number of our own making, as ids are.
    let id: Int64
    let name: String
    let created: Timestamp
    let count: Int

    static let columns: SQL = """
        c.id, c.name, c.created_at, (SELECT count(*) FROM gif_collected i WHERE i.collection_id = c.id)
        """
}

enum GifCollectionStore {
    static func count(of account: AccountID, in database: some Querying) async throws -> Int {
        try await database.query("SELECT count(*) FROM gif_collections c WHERE c.account_id = \(account)").number()
    }

    static func make(
        _ id: Int64,
        of account: AccountID,
        named name: String,
        at now: Timestamp,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            INSERT INTO gif_collections (id, account_id, name, created_at)
            VALUES (\(id), \(account), \(name), \(now))
            """
        )
    }

    static func collection(_ id: Int64, of account: AccountID, in database: some Querying) async throws
        -> GifCollection?
    {
        try await database.query(
            "SELECT \(GifCollection.columns) FROM gif_collections c WHERE c.id = \(id) AND c.account_id = \(account)"
        ).one(as: GifCollection.init)
    }

    static func list(of account: AccountID, _ page: Page, in database: some Querying) async throws -> [GifCollection] {
        try await database.query(
            """
            SELECT \(GifCollection.columns)
            FROM (
                SELECT id, name, created_at FROM gif_collections
                WHERE account_id = \(account) AND \(page.cut("id"))
            ) c
            ORDER BY c.id DESC
            """
        ).all(as: GifCollection.init)
    }

    /// - Returns: whether there was one.
    static func rename(_ id: Int64, of account: AccountID, to name: String, in database: some Querying) async throws
        -> Bool
    {
        try await database.query(
            "UPDATE gif_collections SET name = \(name) WHERE id = \(id) AND account_id = \(account)"
        ).affected == 1
    }

    /// - Returns: whether there was one.
    static func delete(_ id: Int64, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.query(
            """
            WITH gone AS (
                DELETE FROM gif_collections WHERE id = \(id) AND account_id = \(account) RETURNING id
            ), emptied AS (
                DELETE FROM gif_collected USING gone WHERE gif_collected.collection_id = gone.id
            )
            SELECT id FROM gone
            """
        ).affected == 1
    }

    // MARK: What is in them

    static func gifs(in collection: Int64, _ page: Page, in database: some Querying) async throws -> [PlacedGif] {
        try await database.query(
            """
            SELECT i.place, \(PlacedGif.columns)
            FROM (
                SELECT place, gif_id FROM gif_collected
                WHERE collection_id = \(collection) AND \(page.cut("place"))
            ) i
            LEFT JOIN gifs g ON g.id = i.gif_id
            LEFT JOIN upstream_gifs u ON u.id = i.gif_id
            ORDER BY i.place DESC
            """
        ).all(as: PlacedGif.init).compactMap(\.self)
    }

    /// Whether it is in it by now: not where there is no such GIF, or no room.
    ///
    /// - Parameters:
    ///   - place: above all that are in it.
    ///   - limit: of GIFs in a collection.
    static func add(
        _ gif: MediaID,
        to collection: Int64,
        of account: AccountID,
        at place: Int64,
        limit: Int,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            WITH added AS (
                INSERT INTO gif_collected (collection_id, gif_id, place)
                SELECT c.id, g.id, \(place)
                FROM gif_collections c, (SELECT id FROM gifs UNION ALL SELECT id FROM upstream_gifs) g
                WHERE c.id = \(collection) AND c.account_id = \(account) AND g.id = \(gif)
                    AND (SELECT count(*) FROM gif_collected i WHERE i.collection_id = \(collection)) < \(limit)
                ON CONFLICT DO NOTHING
                RETURNING gif_id
            )
            SELECT gif_id FROM added
            UNION
            SELECT gif_id FROM gif_collected WHERE collection_id = \(collection) AND gif_id = \(gif)
            """
        ).affected == 1
    }

    static func remove(
        _ gif: MediaID,
        from collection: Int64,
        of account: AccountID,
        in database: some Querying
    ) async throws {
        _ = try await database.query(
            """
            DELETE FROM gif_collected USING gif_collections c
            WHERE collection_id = \(collection) AND gif_id = \(gif) AND c.id = collection_id AND c.account_id = \(account)
            """
        )
    }
}
