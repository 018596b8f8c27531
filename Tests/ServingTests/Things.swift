// SPDX-License-Identifier: Apache-2.0
// A table of which every change is noted.

import Foundation
import Outbox
import Postgres
import Support

@testable import Serving

/// Runs a test with a table of five things that belong to nobody, and a connection of another process to it.
func withThings(_ body: @Sendable (Database, Database, DatabaseConfiguration) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("things-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try """
    CREATE TABLE things (id bigint PRIMARY KEY, name text NOT NULL, owner bigint);
    SELECT note_changes('things', 'ARRAY[r.id, r.owner]');
    INSERT INTO things (id, name) SELECT id, 'first' FROM generate_series(1, 5) id;
    """.write(to: folder.appendingPathComponent("0001_things.sql"), atomically: true, encoding: .utf8)
    let migrations = [changeMigrations, MigrationSource(name: "things", directory: folder.path)]
    try await withDatabase(migrations: migrations) { database, configuration in
        try await running(configuration) { other, configuration in
            try await body(database, other, configuration)
        }
    }
}

func rename(_ thing: Int64, _ name: String, in database: some Querying) async throws {
    _ = try await database.query("UPDATE things SET name = \(name) WHERE id = \(thing)")
}
