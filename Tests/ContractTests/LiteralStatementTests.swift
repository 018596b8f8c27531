// SPDX-License-Identifier: Apache-2.0
// S25: no statement is put together at run time.

import Foundation
import Testing

@Suite struct LiteralStatementTests {
    /// Statements are literals with bound values; what is run as plain text is the program's own and stands in these files.
    @Test func noStatementIsPutTogetherAtRunTime() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            .standardized
        let allowed: [String: Set<String>] = [
            // Names of prepared statements, which are numbers; lists of columns, made of static strings.
            "SQL(stringLiteral": ["Shared/Postgres/Connections/Connection.swift", "Shared/Postgres/Reading.swift"],
            "SQL(unsafe": [],
            // Migrations, which are files, before anybody is served.
            "PQexec(": ["Shared/Postgres/Migrating/Session.swift"],
            "PQsendQuery(": [], "PQescape": [], "PQexecPrepared(": [], "PQprepare(": [],
            "session.execute(": ["Shared/Postgres/Migrating/Migrator.swift"],
            "Session.run(": ["Shared/Postgres/Migrating/Migrator.swift"],
            "session.rows(": ["Shared/Postgres/Migrating/Migrator.swift"],
        ]
        var found: [String] = []
        for top in ["Services", "Shared"] {
            let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(top).path)
            while let name = files?.nextObject() as? String {
                guard name.hasSuffix(".swift") else { continue }
                let path = "\(top)/\(name)"
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                for (call, places) in allowed where text.contains(call) && !places.contains(path) {
                    found.append("\(path): \(call)")
                }
            }
        }
        #expect(found == [])
    }
}
