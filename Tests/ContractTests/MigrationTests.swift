// SPDX-License-Identifier: Apache-2.0
// F33: every service's migrations, by several processes at once, and twice; S25: no statement is put together at run time.

import AuthService
import ChatService
import Foundation
import Logging
import NotificationsService
import Outbox
import Postgres
import PostsService
import Support
import Testing

@Suite struct MigrationTests {
    static let services = ["auth", "chat", "notifications", "posts"]

    private func sources(_ service: String) -> [MigrationSource] {
        switch service {
        case "auth": AuthService.migrations
        case "chat": ChatService.migrations
        case "notifications": NotificationsService.migrations
        default: PostsService.migrations
        }
    }

    @Test(arguments: services) func everyMigrationIsAppliedOnce(_ service: String) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withDatabase(schema: service) { _, configuration in
            let migrator = Migrator(configuration, sources: sources(service), release: schemaRelease, logger: logger)
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<3 { group.addTask { try await migrator.migrate() } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(applied).count == applied.count && !applied.isEmpty)
            #expect(try await migrator.migrate() == [])
            try await migrator.check()
        }
    }

    /// Files of this release say so; those of earlier ones are never touched again, which their checksums see to.
    @Test(arguments: services) func everyMigrationSaysItsRelease(_ service: String) throws {
        for source in sources(service) {
            for text in try source.texts() {
                let marker = text.split(separator: "\n").first { $0.hasPrefix("-- release ") }
                guard let marker else { continue }
                #expect(Int(marker.dropFirst(11)) ?? .max <= schemaRelease, "\(source.name)")
            }
        }
    }

    /// Statements are literals with bound values; what is run as plain text is the program's own and stands in these files.
    @Test func noStatementIsPutTogetherAtRunTime() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
            .standardized
        let allowed: [String: Set<String>] = [
            // Names of prepared statements, which are numbers.
            "SQL(stringLiteral": ["Shared/Postgres/Connection.swift"],
            "SQL(unsafe": [],
            // Migrations, which are files, before anybody is served.
            "PQexec(": ["Shared/Postgres/Session.swift"],
            "PQsendQuery(": [], "PQescape": [], "PQexecPrepared(": [], "PQprepare(": [],
            "session.execute(": ["Shared/Postgres/Migrator.swift"],
            "Session.run(": ["Shared/Postgres/Migrator.swift"],
            "session.rows(": ["Shared/Postgres/Migrator.swift"],
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
