// SPDX-License-Identifier: Apache-2.0
// Ways through the catalogue of GIFs.

import Domain
import Postgres

/// A part of what was found.
struct GifPage: Sendable {
    let gifs: [Gif]
    /// How many there are, `GifLimits.found` for all that are more.
    let total: Int
}

/// Which part of what is found somebody asks for.
struct GifPart: Sendable {
    /// From 0 to 4,999.
    let offset: Int
    /// From 1 to 50.
    let limit: Int
}

/// A category, or a part of one, with the id of what shows it.
struct GifCategory: Sendable {
    let category: String
    let subcategory: String
    let example: MediaID
}

enum GifSearchStore {
    /// What has all words: first what is called so, then what is taken often, then the newest.
    static func search(_ query: GifQuery, _ part: GifPart, in database: some Querying) async throws -> GifPage {
        try await page(
            """
            WITH found AS (
                SELECT g.id, g.keys @> \(query.exact) AS first, g.weight AS second FROM gifs g
                WHERE \(matches(query)) AND g.form LIKE ALL (\(query.patterns))
                LIMIT 5000
            )
            """,
            part,
            in: database
        )
    }

    /// What was taken lately, then the newest.
    static func trending(
        _ kind: GifKind,
        _ rating: GifRating,
        _ part: GifPart,
        in database: some Querying
    ) async throws -> GifPage {
        try await page(
            """
            WITH found AS (
                SELECT g.id, g.score AS first, 0 AS second FROM gifs g
                WHERE g.kind = \(kind.rawValue) AND g.rating <= \(rating.rawValue)
                ORDER BY g.score DESC, g.id DESC
                LIMIT 5000
            )
            """,
            part,
            in: database
        )
    }

    /// - Parameter subcategory: of which everything is shown.
    static func category(
        _ category: String,
        _ subcategory: String,
        _ kind: GifKind,
        _ rating: GifRating,
        _ part: GifPart,
        in database: some Querying
    ) async throws -> GifPage {
        try await page(
            """
            WITH found AS (
                SELECT g.id, g.weight AS first, 0 AS second FROM gifs g
                WHERE g.kind = \(kind.rawValue) AND g.category = \(category) AND g.category <> ''
                    AND g.subcategory = \(subcategory) AND g.rating <= \(rating.rawValue)
                LIMIT 5000
            )
            """,
            part,
            in: database
        )
    }

    private static func page(_ found: SQL, _ part: GifPart, in database: some Querying) async throws -> GifPage {
        let rows: [(Int, Gif?)] = try await database.query(
            """
            \(found)
            SELECT t.total, \(Gif.columns)
            FROM (SELECT count(*) AS total FROM found) t
            LEFT JOIN (
                SELECT * FROM found ORDER BY first DESC, second DESC, id DESC LIMIT \(part.limit) OFFSET \(part.offset)
            ) p ON true
            LEFT JOIN gifs g ON g.id = p.id
            ORDER BY p.first DESC, p.second DESC, p.id DESC
            """
        ).all { (try $0.next(), try $0.next()) }
        return GifPage(gifs: rows.compactMap(\.1), total: rows.first?.0 ?? 0)
    }

    /// What has the most of some words.
    ///
    /// - Parameter left: is not among them.
    static func nearest(
        _ query: GifQuery,
        without left: MediaID = MediaID(0),
        limit: Int,
        in database: some Querying
    ) async throws -> [Gif] {
        try await database.query(
            """
            SELECT \(Gif.columns)
            FROM (
                SELECT n.id, n.weight, (SELECT count(*) FROM unnest(n.keys) k WHERE k = ANY (\(query.words + query.exact))) AS shared
                FROM gifs n
                WHERE n.keys && \(query.words) AND n.keys @> \([query.kindKey])
                    AND n.rating <= \(query.rating.rawValue) AND n.id <> \(left)
                LIMIT 5000
            ) p
            JOIN gifs g ON g.id = p.id
            ORDER BY p.shared DESC, p.weight DESC, p.id DESC
            LIMIT \(limit)
            """
        ).all { try $0.next() }
    }

    /// One of those that have all words; each may be it.
    static func drawn(_ query: GifQuery, in database: some Querying) async throws -> Gif? {
        try await database.query(
            """
            SELECT \(Gif.columns)
            FROM (
                SELECT g.id FROM gifs g
                WHERE \(matches(query)) AND g.form LIKE ALL (\(query.patterns))
                LIMIT 5000
            ) p
            JOIN gifs g ON g.id = p.id
            ORDER BY random()
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    /// One of all; each may be it.
    static func drawn(_ kind: GifKind, _ rating: GifRating, in database: some Querying) async throws -> Gif? {
        let choice: SQL = """
            SELECT \(Gif.columns) FROM gifs g WHERE g.kind = \(kind.rawValue) AND g.rating <= \(rating.rawValue)
            """
        return try await database.query(
            """
            (\(choice) AND g.lot >= (SELECT random()) ORDER BY g.lot LIMIT 1)
            UNION ALL
            (\(choice) ORDER BY g.lot LIMIT 1)
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    private static func matches(_ query: GifQuery) -> SQL {
        "g.keys @> \(query.keys) AND g.rating <= \(query.rating.rawValue)"
    }

    /// All categories with their parts, by their names: a step over an index for each.
    static func categories(_ kind: GifKind, _ rating: GifRating, in database: some Querying) async throws
        -> [GifCategory]
    {
        try await database.query(
            """
            WITH RECURSIVE places AS (
                (
                    SELECT g.category, g.subcategory, 1 AS number FROM gifs g
                    WHERE g.kind = \(kind.rawValue) AND g.category <> ''
                    ORDER BY g.category, g.subcategory LIMIT 1
                )
                UNION ALL
                SELECT n.category, n.subcategory, p.number + 1
                FROM places p
                CROSS JOIN LATERAL (
                    SELECT g.category, g.subcategory FROM gifs g
                    WHERE g.kind = \(kind.rawValue) AND g.category <> ''
                        AND (g.category, g.subcategory) > (p.category, p.subcategory)
                    ORDER BY g.category, g.subcategory LIMIT 1
                ) n
                WHERE p.number < 1000
            )
            SELECT p.category, p.subcategory, e.id
            FROM places p
            CROSS JOIN LATERAL (
                SELECT g.id FROM gifs g
                WHERE g.kind = \(kind.rawValue) AND g.category = p.category AND g.category <> ''
                    AND g.subcategory = p.subcategory AND g.rating <= \(rating.rawValue)
                ORDER BY g.weight DESC, g.id DESC LIMIT 1
            ) e
            ORDER BY p.number
            """
        ).all(as: GifCategory.init)
    }
}
