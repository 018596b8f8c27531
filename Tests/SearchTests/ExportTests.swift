// SPDX-License-Identifier: Apache-2.0
// What search hands over of somebody.

import Domain
import Postgres
import Support
import Testing

@testable import SearchService

@Suite struct ExportTests {
    @Test(arguments: [1, 2]) func `an account that search knows, and one that it does not`(_ id: Int64) async throws {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            _ = try await database.query(
                "INSERT INTO accounts (id, version, handle, indexable, gone) VALUES (1, 1, 'minji', true, false)"
            )
            let files = try await exportedFiles(Exports.part, of: "search", for: AccountID(id), in: database)
            #expect(files.count == 1)
            #expect(files["search/profile.json"]?.contains("minji") == (id == 1))
            #expect(id == 1 || files["search/profile.json"] == "null\n")
        }
    }
}
