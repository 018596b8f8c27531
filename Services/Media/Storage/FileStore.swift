// SPDX-License-Identifier: Apache-2.0
// Stored files, and which uploads consist of them.

import Domain
import Postgres

/// A file that is kept.
struct StoredFile: Sendable, Hashable {
    let name: String
    let bytes: Int64
}

/// A file is loose from before it is put into its place until an upload consists of it, and again when one that did is gone.
/// Only loose files are looked at, and only after an hour: so a file that is put there again meanwhile stays.
enum FileStore {
    /// Makes known what will be there.
    static func announce(_ files: [StoredFile], at now: Timestamp, in database: some Querying) async throws {
        let files = files.sorted { $0.name < $1.name }
        _ = try await database.query(
            """
            INSERT INTO files (name, bytes, loose_since)
            SELECT name, bytes, \(now) FROM unnest(\(files.map(\.name)), \(files.map(\.bytes))) AS f (name, bytes)
            ON CONFLICT (name) DO UPDATE SET loose_since = excluded.loose_since
            """
        )
    }

    /// Makes an upload consist of files.
    ///
    /// - Returns: how many of them are known.
    static func keep(_ files: [StoredFile], for upload: MediaID, in transaction: some Transacting) async throws -> Int {
        let names = files.map(\.name).sorted()
        return try await transaction.query(
            """
            WITH kept AS (
                UPDATE files SET loose_since = NULL WHERE name = ANY (\(names)) RETURNING name
            ), made AS (
                INSERT INTO renditions (upload_id, file) SELECT \(upload), name FROM kept ON CONFLICT DO NOTHING
            )
            SELECT count(*) FROM kept
            """
        ).number()
    }

    /// Ends uploads as far as they consist of files, which are looked at later.
    static func loosen(filesOf uploads: [MediaID], at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH gone AS (
                DELETE FROM renditions WHERE upload_id = ANY (\(uploads)) RETURNING file
            )
            UPDATE files SET loose_since = \(now) WHERE name IN (SELECT file FROM gone)
            """
        )
    }

    /// Loose files that may go, held until the end of the transaction.
    static func loose(before moment: Timestamp, in transaction: some Transacting) async throws -> [String] {
        try await transaction.query(
            """
            SELECT name FROM files WHERE loose_since < \(moment)
            ORDER BY loose_since LIMIT 100 FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Removes those of some loose files of which nothing is made, and knows again that the others are needed.
    ///
    /// - Returns: what went.
    static func settle(_ names: [String], in transaction: some Transacting) async throws -> [StoredFile] {
        try await transaction.query(
            """
            WITH needed AS (
                UPDATE files SET loose_since = NULL
                WHERE name = ANY (\(names)) AND name IN (SELECT file FROM renditions WHERE file = ANY (\(names)))
            )
            DELETE FROM files
            WHERE name = ANY (\(names))
                AND NOT EXISTS (SELECT FROM renditions WHERE renditions.file = files.name)
            RETURNING name, bytes
            """
        ).all(as: StoredFile.init)
    }

    /// Those of some names that are known.
    static func known(_ names: [String], in database: some Querying) async throws -> [String] {
        try await database.query("SELECT name FROM files WHERE name = ANY (\(names))").all { try $0.next() }
    }
}
