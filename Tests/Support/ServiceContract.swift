// SPDX-License-Identifier: Apache-2.0
// What every service owes to those around it; its `ServiceTests` ask it of each.

internal import Domain
internal import Logging
internal import Messaging
internal import Outbox
package import Postgres
internal import ServiceKit
package import Serving
internal import Surface
import Testing

/// Fails unless a service answers what the surface says of it, each once, and nothing else.
package func expectSurface<Config, Dependencies>(of service: StoredService<Config, Dependencies>) {
    let (endpoints, written) = (service.endpoints, Surface.lines(of: service.name).map(\.endpoint))
    #expect(Set(endpoints) == Set(written), "\(service.name)")
    #expect(endpoints.count == written.count, "\(service.name) answers one twice")
}

/// F33: fails unless each migration is applied once, by several processes at a time, and says nothing of a later release.
package func expectMigrations<Config, Dependencies>(
    of service: StoredService<Config, Dependencies>
) async throws {
    try await withDatabase(schema: service.name.rawValue) { _, configuration in
        let migrator = Migrator(configuration, sources: service.migrations, release: schemaRelease, logger: silent)
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<3 { group.addTask { try await migrator.migrate() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(applied).count == applied.count && !applied.isEmpty)
        #expect(try await migrator.migrate() == [])
        try await migrator.check()
    }
    // Files of earlier releases are never touched again, which their checksums see to.
    for source in service.migrations {
        for text in try source.texts() {
            let marker = text.split(separator: "\n").first { $0.hasPrefix("-- release ") }
            guard let marker else { continue }
            #expect(Int(marker.dropFirst(11)) ?? .max <= schemaRelease, "\(source.name)")
        }
    }
}

/// Fails unless each queue that the running service consumes receives exactly what it reacts to, and there are no others.
package func expectTopology<Config, Dependencies>(
    of service: StoredService<Config, Dependencies>,
    _ dependencies: Dependencies,
    database: Database
) throws {
    let store = Store(
        database: database,
        ids: IDGenerator(slot: 0, now: Timestamp.now),
        now: Timestamp.now,
        site: Site(domain: "madang.example", origin: "https://madang.example"),
        // Nothing is connected before it is run.
        broker: try #require(BrokerConfiguration(uri: "amqp://127.0.0.1:1", connectionName: "test")),
        metrics: Metrics(),
        logger: silent
    )
    try expectTopology(service.exchange(dependencies, store).queues, of: service.name)
}

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
