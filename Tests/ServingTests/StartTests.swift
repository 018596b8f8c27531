// SPDX-License-Identifier: Apache-2.0
// F34: a program whose schema does not fit says so and does not come back.

import Crypto
import Foundation
import Outbox
import Postgres
import ServiceKit
import Serving
import Support
import Surface
import Testing

private struct Config: ServiceConfig {
    let service: ServiceSettings
}

/// Thrown where a service would begin to serve.
private struct Reached: Error {}

@Suite struct StartTests {
    private func run(_ command: String, on configuration: DatabaseConfiguration, _ folder: URL) async -> Int32 {
        let service = StoredService<Config, Void>(
            .posts,
            migrations: [outboxMigrations, MigrationSource(name: "start", directory: folder.path)],
            config: { Config(service: ServiceSettings(&$0, .posts)) },
            dependencies: { _, _ in throw Reached() },
            routes: [],
            sweeps: { [] },
            patience: .zero
        )
        let key = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation.base64EncodedString()
        return await service.executable.run(
            arguments: [command],
            environment: [
                "MADANG_POSTGRES": configuration.connection, "MADANG_AMQP": "amqp://a:b@127.0.0.1:1",
                "MADANG_DOMAIN": "example.org", "MADANG_LOG_LEVEL": "critical",
                "MADANG_PRINCIPAL_PUBLIC_KEY": key, "MADANG_INTERNAL_SECRET": "inner",
                // It named the slot for ids once.
                "MADANG_SLOT": "0",
            ]
        )
    }

    @Test func aSchemaThatDoesNotFitIsRefused() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("start-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        @Sendable func write(_ text: String, _ name: String) throws {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        try await withDatabase(migrations: [], schema: "posts") { _, configuration in
            // Older than the program: nothing is there yet.
            #expect(await run("serve", on: configuration, folder) == 78)
            #expect(await run("migrate", on: configuration, folder) == 0)
            #expect(await run("serve", on: configuration, folder) == 1, "the schema fits: it would serve")

            // One release newer, then two.
            try write("-- release \(schemaRelease + 1)\nCREATE TABLE a (x bigint);", "0001_a.sql")
            #expect(await run("serve", on: configuration, folder) == 78, "it has not been migrated")
            #expect(await run("migrate", on: configuration, folder) == 0)
            try FileManager.default.removeItem(at: folder.appendingPathComponent("0001_a.sql"))
            #expect(await run("serve", on: configuration, folder) == 1)
            #expect(await run("migrate", on: configuration, folder) == 0)
            try write("-- release \(schemaRelease + 1)\nCREATE TABLE a (x bigint);", "0001_a.sql")
            try write("-- release \(schemaRelease + 2)\nCREATE TABLE b (x bigint);", "0002_b.sql")
            #expect(await run("migrate", on: configuration, folder) == 0)
            for name in ["0001_a.sql", "0002_b.sql"] {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            #expect(await run("serve", on: configuration, folder) == 78)
            #expect(await run("migrate", on: configuration, folder) == 78)

            // A database that is away is no reason to stay away.
            var nowhere = configuration
            nowhere.connection += " host=127.0.0.1 port=1"
            #expect(await run("serve", on: nowhere, folder) == 1)

            // One that does not know us is: another try with the same password is in vain.
            for bad in ["password=wrong", "user=nobody_of_ours password=x", "dbname=nowhere"] {
                var refused = configuration
                refused.connection += " \(bad)"
                #expect(await run("serve", on: refused, folder) == 78, "\(bad)")
                #expect(await run("migrate", on: refused, folder) == 78, "\(bad)")
            }
        }
    }
}
