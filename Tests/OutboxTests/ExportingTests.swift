// SPDX-License-Identifier: Apache-2.0
// A service's part of an archive: whole, once, in pieces that fit.

import Domain
import Events
import Foundation
import Postgres
import ServiceKit
import Support
import Testing

@testable import Outbox

@Suite struct ExportingTests {
    private static let account = AccountID(7)

    private static func words() -> ExportWords { ExportWords(en: "Things", ko: "것들", ja: "もの") }

    /// So many rows, each of so many letters.
    private static func part(_ count: Int64, _ letters: Int = 10) -> ExportPart {
        ExportPart([
            .list("things/things.json", words()) { place, _ in
                let first = max(0, place[0])
                let keys = first < count ? Array((first + 1)...min(count, first + Int64(place.limit))) : []
                return keys.map { ExportedText(key: [$0], text: "\"\($0) \(String(repeating: "글", count: letters))\"") }
            },
            .table("things/things.csv", words(), header: ["a", "b"]) { place, _ in
                place[0] == .min ? [ExportedRow(key: [1], fields: ["=1", "둘, 셋"])] : []
            },
            .object("things/none.json", words()) { _, _ in nil },
        ])
    }

    private static func files(_ part: ExportPart) async throws -> [String: String] {
        try await withDatabase(migrations: [outboxMigrations]) { database, _ in
            try await exportedFiles(part, of: "posts", for: account, in: database)
        }
    }

    @Test(arguments: [0, 1, 99, 100, 101, 350])
    func `a list has each row once, in order`(_ count: Int64) async throws {
        let files = try await Self.files(Self.part(count))
        let list = try JSONDecoder().decode([String].self, from: Data(try #require(files["things/things.json"]).utf8))
        #expect(
            list.compactMap { $0.split(separator: " ").first.flatMap { Int64($0) } } == Array(0..<count).map { $0 + 1 }
        )
        #expect(files["things/things.csv"] == "a,b\r\n'=1,\"둘, 셋\"\r\n")
        #expect(files["things/none.json"] == "null\n")
        #expect(files.count == 3)
    }

    @Test func `a row larger than an event goes in several`() async throws {
        let files = try await Self.files(Self.part(3, 50_000))
        let list = try JSONDecoder().decode([String].self, from: Data(try #require(files["things/things.json"]).utf8))
        #expect(list.map(\.count) == [50_002, 50_002, 50_002])
    }

    @Test func `who is asked twice hands over once, and forgets it then`() async throws {
        try await withDatabase(migrations: [outboxMigrations]) { database, _ in
            let queue = EventQueue.exports(of: "posts", Self.part(1))
            let asked = ExportAsked(exportID: ExportID(1), accountID: Self.account)
            for _ in 0..<2 { _ = try await queue.apply(try envelope(asked), in: database) }
            #expect(try await ExportTaskStore.countUnderWay(in: database) == 1)
            let exporting = Exporting(
                service: "posts",
                part: Self.part(1),
                database: database,
                metrics: Metrics(),
                logger: quiet
            )
            while try await exporting.step() {}
            #expect(try await ExportTaskStore.countUnderWay(in: database) == 0)
        }
    }

    @Test func `a step that fails is tried again, and nothing of it is told`() async throws {
        try await withDatabase(migrations: [outboxMigrations]) { database, _ in
            struct Broken: Error {}
            let part = ExportPart([.list("a/a.json", Self.words()) { _, _ in throw Broken() }])
            let asked = ExportAsked(exportID: ExportID(1), accountID: Self.account)
            _ = try await EventQueue.exports(of: "posts", part).apply(try envelope(asked), in: database)
            let exporting = Exporting(
                service: "posts",
                part: part,
                database: database,
                metrics: Metrics(),
                logger: quiet
            )
            #expect(try await exporting.step())
            #expect(try await !exporting.step(), "it is put off")
            #expect(try await recordedEvents(in: database) == [])
            let attempts = try await database.query("SELECT attempts FROM export_tasks").number()
            #expect(attempts == 1)
        }
    }

    @Test func `an account that is deleted has no task, and an old one goes`() async throws {
        try await withDatabase(migrations: [outboxMigrations]) { database, _ in
            try await database.transaction { transaction in
                for id in 1...3 {
                    let asked = ExportAsked(exportID: ExportID(Int64(id)), accountID: AccountID(Int64(id)))
                    ExportTaskStore.keep(asked, in: transaction)
                }
                let erased = try await ExportTaskStore.erase(of: AccountID(1), in: transaction)
                #expect(erased == 1)
            }
            #expect(try await ExportTaskStore.countUnderWay(in: database) == 2)
            _ = try await database.query("UPDATE export_tasks SET asked_at = '2025-01-01Z' WHERE export_id = 2")
            let sweep = try #require(OutboxSweeps.all().first { $0.table == "export_tasks" })
            #expect(try await sweep.finish(in: database) == 1)
        }
    }
}
