// SPDX-License-Identifier: Apache-2.0
// What every service owes to those around it; its `ServiceTests` ask it of each.

internal import Logging
internal import Outbox
package import Postgres
package import Surface
import Testing

/// Fails unless a service answers what the surface says of it, each once, and nothing else.
package func expectSurface(_ endpoints: [Endpoint], of service: ServiceName) {
    let written = Surface.lines(of: service).map(\.endpoint)
    #expect(Set(endpoints) == Set(written), "\(service.rawValue)")
    #expect(endpoints.count == written.count, "\(service.rawValue) answers one twice")
}

/// F33: fails unless each migration is applied once, by several processes at a time, and says nothing of a later release.
package func expectMigrations(_ sources: [MigrationSource], of service: ServiceName) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    try await withDatabase(schema: service.rawValue) { _, configuration in
        let migrator = Migrator(configuration, sources: sources, release: schemaRelease, logger: logger)
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<3 { group.addTask { try await migrator.migrate() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(applied).count == applied.count && !applied.isEmpty)
        #expect(try await migrator.migrate() == [])
        try await migrator.check()
    }
    // Files of earlier releases are never touched again, which their checksums see to.
    for source in sources {
        for text in try source.texts() {
            let marker = text.split(separator: "\n").first { $0.hasPrefix("-- release ") }
            guard let marker else { continue }
            #expect(Int(marker.dropFirst(11)) ?? .max <= schemaRelease, "\(source.name)")
        }
    }
}
