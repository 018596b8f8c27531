// SPDX-License-Identifier: Apache-2.0
// Entries of the catalogue of GIFs.

import Domain
import Postgres
import Serving

/// An entry that is about to be.
struct NewGif: Sendable {
    /// That of its upload.
    let id: MediaID
    let importer: AccountID
    let importerName: String?
    let text: GifText
    let files: GifFiles
    /// SHA-256 of the file it was imported from.
    let source: String?
    let now: Timestamp
}

enum GifStore {
    /// - Returns: false where it, or one from the same file, is there already.
    static func insert(_ gif: NewGif, in transaction: some Transacting) async throws -> Bool {
        let (text, found) = (gif.text, GifKeys(gif.text))
        return try await transaction.query(
            """
            WITH made AS (
                INSERT INTO gifs (id, importer_id, importer_name, kind, rating, title, alt_text, tags, category, subcategory,
                    language, keys, form, files, source, created_at)
                VALUES (\(gif.id), \(gif.importer), \(gif.importerName), \(text.kind.rawValue), \(text.rating.rawValue),
                    \(text.title), \(text.altText), \(text.tags), \(text.category), \(text.subcategory), \(text.language),
                    \(found.keys), \(found.form), \(gif.files.rows), \(gif.source), \(gif.now))
                ON CONFLICT DO NOTHING
                RETURNING id
            ), tagged AS (
                INSERT INTO gif_tags (tag, gif_id) SELECT t.tag, made.id FROM made, unnest(\(text.tags)) AS t (tag)
            )
            SELECT id FROM made
            """
        ).affected == 1
    }

    static func change(_ id: MediaID, to text: GifText, in transaction: some Transacting) {
        let found = GifKeys(text)
        transaction.enqueue(
            """
            WITH changed AS (
                UPDATE gifs
                SET kind = \(text.kind.rawValue), rating = \(text.rating.rawValue), title = \(text.title),
                    alt_text = \(text.altText), tags = \(text.tags), category = \(text.category),
                    subcategory = \(text.subcategory), language = \(text.language), keys = \(found.keys),
                    form = \(found.form)
                WHERE id = \(id)
                RETURNING id
            ), gone AS (
                DELETE FROM gif_tags WHERE gif_id = \(id) AND tag <> ALL (\(text.tags))
            ), added AS (
                INSERT INTO gif_tags (tag, gif_id)
                SELECT t.tag, changed.id FROM changed, unnest(\(text.tags)) AS t (tag)
                ON CONFLICT DO NOTHING
            )
            SELECT id FROM changed
            """
        )
    }

    /// Removes an entry with what people keep of it.
    static func delete(_ id: MediaID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH tags AS (
                DELETE FROM gif_tags WHERE gif_id = \(id)
            ), takings AS (
                DELETE FROM gif_takings WHERE gif_id = \(id)
            ), favourites AS (
                DELETE FROM gif_favourites WHERE gif_id = \(id)
            ), collected AS (
                DELETE FROM gif_collected WHERE gif_id = \(id)
            )
            DELETE FROM gifs WHERE id = \(id)
            """
        )
    }

    static func gif(_ id: MediaID, in database: some Querying) async throws -> Gif? {
        try await database.query("SELECT \(Gif.columns) FROM gifs g WHERE g.id = \(id)").one { try $0.next() }
    }

    /// The same, for whoever changes it or needs it to stay: others wait.
    static func lock(_ id: MediaID, in transaction: some Transacting) async throws -> Gif? {
        try await transaction.query("SELECT \(Gif.columns) FROM gifs g WHERE g.id = \(id) FOR UPDATE")
            .one { try $0.next() }
    }

    /// Those of some ids that are there, in the order of the ids.
    static func gifs(_ ids: [MediaID], in database: some Querying) async throws -> [Gif] {
        try await database.query(
            """
            SELECT \(Gif.columns)
            FROM unnest(\(ids)) WITH ORDINALITY AS i (id, place)
            JOIN gifs g ON g.id = i.id
            ORDER BY i.place
            """
        ).all { try $0.next() }
    }

    /// Whether something was imported from a file.
    ///
    /// - Parameter source: its SHA-256.
    static func isImported(_ source: String, in database: some Querying) async throws -> Bool {
        try await database.query("SELECT count(*) FROM gifs g WHERE g.source = \(source)").number() > 0
    }

    /// The lengths of the files of an upload.
    static func lengths(of upload: MediaID, in transaction: some Transacting) async throws -> [String: Int64] {
        let rows: [(String, Int64)] = try await transaction.query(
            """
            SELECT f.name, f.bytes FROM renditions r JOIN files f ON f.name = r.file WHERE r.upload_id = \(upload)
            """
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(rows) { first, _ in first }
    }

    // MARK: Uses

    /// Makes an upload that is there consist of the files of a GIF.
    static func share(_ gif: MediaID, with upload: MediaID, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH shared AS (
                INSERT INTO renditions (upload_id, file) SELECT \(upload), file FROM renditions WHERE upload_id = \(gif)
            )
            INSERT INTO gif_takings (upload_id, gif_id, taken_at) VALUES (\(upload), \(gif), \(now))
            """
        )
    }

    /// Counts anew who took GIFs since a moment: as a favourite, or into what shows it.
    static func recount(since moment: Timestamp, at now: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            WITH lately AS (
                SELECT t.gif_id, least(count(*), 1000000000) AS uses FROM (
                    SELECT f.gif_id FROM gif_favourites f WHERE f.place > \(moment.milliseconds << 16)
                    UNION ALL
                    SELECT k.gif_id FROM gif_takings k
                    WHERE k.taken_at > \(moment) AND EXISTS (SELECT FROM uses u WHERE u.upload_id = k.upload_id)
                ) t
                GROUP BY t.gif_id
            ), counted AS (
                SELECT c.id, coalesce(l.uses, 0) AS uses
                FROM (
                    SELECT g.id FROM gifs g WHERE g.kind IN (1, 2, 3) AND g.score > 0 UNION SELECT gif_id FROM lately
                ) c
                LEFT JOIN lately l ON l.gif_id = c.id
            )
            UPDATE gifs
            SET score = counted.uses,
                trended_at = CASE WHEN counted.uses > gifs.score THEN \(now) ELSE gifs.trended_at END
            FROM counted
            WHERE gifs.id = counted.id AND gifs.score <> counted.uses
            """
        ).affected
    }

    /// What is known of uploads that were made of GIFs.
    static let agedTakings = AgedRows(of: "gif_takings", by: "upload_id", since: "taken_at")
}
