// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what media has of an account that was deleted.

import Domain
import Postgres
import Serving

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// Some uploads, which nobody else changes until the transaction ends.
    static func uploads(of account: AccountID, in transaction: some Transacting) async throws -> [MediaID] {
        try await transaction.query(
            "SELECT id FROM uploads WHERE owner_id = \(account) ORDER BY id LIMIT 50 FOR UPDATE"
        ).all { try $0.next() }
    }

    /// The files of uploads, but for those that somebody puts into their places just now.
    static func files(of uploads: [MediaID], in transaction: some Transacting) async throws -> [String] {
        try await transaction.query(
            """
            SELECT name FROM files
            WHERE name IN (SELECT file FROM renditions WHERE upload_id = ANY (\(uploads))) AND loose_since IS NULL
            ORDER BY name
            FOR UPDATE
            """
        ).all { try $0.next() }
    }

    /// Makes GIFs that the account gave to everybody nobody's.
    ///
    /// - Returns: how many.
    static func disownGifs(of account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH given AS (
                UPDATE gifs SET importer_id = 0, importer_name = NULL
                WHERE id IN (
                    SELECT id FROM gifs WHERE importer_id = \(account) AND importer_id <> 0 ORDER BY id LIMIT 200
                )
                RETURNING id
            ),
            uploaded AS (
                UPDATE uploads u
                SET owner_id = 0, media = jsonb_set(u.media, '{owner_id}', '"0"')
                FROM given g
                WHERE u.id = g.id
            )
            SELECT id FROM given
            """
        ).count
    }

    /// What the account keeps of GIFs.
    static let marks = [
        AccountRows("gif_favourites", by: "account_id, gif_id"),
        AccountRows("gif_collected", by: "collection_id, gif_id") {
            "collection_id IN (SELECT id FROM gif_collections WHERE account_id = \($0))"
        },
        AccountRows("gif_collections", by: "id"),
    ]
}
