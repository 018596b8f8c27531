// SPDX-License-Identifier: Apache-2.0
// A list that is kept part by part is never other than what the database has, and only what changed is read again.

import Postgres
import Support
import Synchronization
import Testing

@testable import Serving

@Suite struct KeptPartsTests {
    private struct Thing: ShownPart {
        let id: Int64
        let name: String
        let subjects: [Int64]?

        var size: Int { name.utf8.count }
    }

    /// Things of somebody, and which of them were read.
    private final class Shelf: Sendable {
        /// Whose they are.
        static let owner: Int64 = 1000

        private let database: Database
        private let kept: KeptParts<Thing>
        /// Those whose parts do not last.
        private let passing: Set<Int64>
        private let read = Mutex<[Int64]>([])
        private let listed = Atomic(0)

        init(_ database: Database, passing: Set<Int64> = [], capacity: Int = 1 << 20) {
            self.database = database
            self.passing = passing
            kept = KeptParts(ChangeLog(), capacity: capacity)
        }

        func ask(of owner: Int64 = Shelf.owner) async throws -> [Int64: String] {
            let parts = try await kept.parts(of: owner, in: database) {
                listed.add(1, ordering: .relaxed)
                return try await database.query("SELECT id FROM things WHERE owner = \(owner)").all { try $0.next() }
            } make: { ids in
                read.withLock { $0 += ids }
                return try await database.query("SELECT id, name FROM things WHERE id = ANY (\(ids))").all {
                    let (id, name): (Int64, String) = (try $0.next(), try $0.next())
                    return Thing(id: id, name: name, subjects: passing.contains(id) ? nil : [id])
                }
            }
            #expect(Set(parts.map(\.id)).count == parts.count)
            return Dictionary(parts.map { ($0.id, $0.name) }) { first, _ in first }
        }

        /// Expects a list of which some parts are read, each once.
        func expect(_ names: [Int64: String], read ids: [Int64], isListed: Bool = false, _ comment: Comment)
            async throws
        {
            let lists = listed.load(ordering: .relaxed)
            read.withLock { $0 = [] }
            #expect(try await ask() == names, comment)
            #expect(read.withLock { $0.sorted() } == ids, comment)
            #expect((listed.load(ordering: .relaxed) > lists) == isListed, comment)
        }
    }

    /// The first three things are somebody's.
    private func withShelf(
        passing: Set<Int64> = [],
        capacity: Int = 1 << 20,
        _ body: @Sendable (Shelf, Database) async throws -> Void
    ) async throws {
        try await withThings { database, other, _ in
            _ = try await other.query("UPDATE things SET owner = \(Shelf.owner) WHERE id <= 3")
            try await body(Shelf(database, passing: passing, capacity: capacity), other)
        }
    }

    @Test func onlyWhatChangedIsRead() async throws {
        try await withShelf { shelf, other in
            let first: [Int64: String] = [1: "first", 2: "first", 3: "first"]
            try await shelf.expect(first, read: [1, 2, 3], isListed: true, "the first time")
            try await shelf.expect(first, read: [], "nothing changed")
            try await rename(4, "second", in: other)
            try await shelf.expect(first, read: [], "something else changed")
            // What changes and is still whose it was says so of its owner too.
            try await rename(2, "second", in: other)
            let second = first.merging([2: "second"]) { $1 }
            try await shelf.expect(second, read: [2], isListed: true, "one changed")
            try await shelf.expect(second, read: [], "nothing changed since")
            try await other.transaction { transaction in
                try await rename(1, "third", in: transaction)
                try await shelf.expect(second, read: [], "it is not committed")
            }
            let third = second.merging([1: "third"]) { $1 }
            try await shelf.expect(third, read: [1], isListed: true, "it is committed")
        }
    }

    @Test func whatComesAndGoesIsSeen() async throws {
        try await withShelf { shelf, other in
            let three: [Int64: String] = [1: "first", 2: "first", 3: "first"]
            try await shelf.expect(three, read: [1, 2, 3], isListed: true, "the first time")
            _ = try await other.query("UPDATE things SET owner = \(Shelf.owner) WHERE id = 5")
            let four = three.merging([5: "first"]) { $1 }
            try await shelf.expect(four, read: [5], isListed: true, "one came")
            _ = try await other.query("DELETE FROM things WHERE id = 1")
            let rest: [Int64: String] = [2: "first", 3: "first", 5: "first"]
            try await shelf.expect(rest, read: [], isListed: true, "one went")
            _ = try await other.query("INSERT INTO things (id, name) VALUES (1, 'another')")
            try await shelf.expect(rest, read: [], "what went is nothing to it")
            _ = try await other.query("UPDATE things SET owner = \(Shelf.owner) WHERE id = 1")
            let back = rest.merging([1: "another"]) { $1 }
            try await shelf.expect(back, read: [1], isListed: true, "what comes back is read again")
            #expect(try await shelf.ask(of: 7) == [:], "nothing of it is anybody else's")
        }
    }

    @Test func whatDoesNotLastIsReadEachTime() async throws {
        try await withShelf(passing: [2]) { shelf, _ in
            let names: [Int64: String] = [1: "first", 2: "first", 3: "first"]
            try await shelf.expect(names, read: [1, 2, 3], isListed: true, "the first time")
            for _ in 0..<2 { try await shelf.expect(names, read: [2], "it may have ended") }
        }
    }

    @Test func whenNobodyKnowsWhatChangedAllIsRead() async throws {
        try await withShelf { shelf, other in
            let names: [Int64: String] = [1: "first", 2: "first", 3: "first"]
            try await shelf.expect(names, read: [1, 2, 3], isListed: true, "the first time")
            // What is not written to the WAL is empty after a crash.
            _ = try await other.query("TRUNCATE changes, change_floor")
            try await shelf.expect(names, read: [1, 2, 3], isListed: true, "nobody knows what changed")
            try await shelf.expect(names, read: [], "from then on it is known")
            _ = try await other.query("TRUNCATE things")
            try await shelf.expect([:], read: [], isListed: true, "everything is gone")
        }
    }

    @Test func whatIsKeptIsBounded() async throws {
        try await withShelf(capacity: 2000) { shelf, other in
            let names: [Int64: String] = [1: "first", 2: "first", 3: "first"]
            for owner in Int64(1)...20 { _ = try await shelf.ask(of: owner) }
            try await shelf.expect(names, read: [1, 2, 3], isListed: true, "the first time")
            try await shelf.expect(names, read: [], "the last one is there")
            _ = try await other.query("UPDATE things SET owner = 1 WHERE id > 3")
            for owner in Int64(1)...100 { _ = try await shelf.ask(of: owner) }
            try await shelf.expect(names, read: [1, 2, 3], isListed: true, "it went")
        }
    }

    /// Whoever wrote reads it at once, and nobody reads what was before it again.
    @Test func writersAndReadersAtOnce() async throws {
        try await withShelf { shelf, other in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thing in Int64(1)...3 {
                    group.addTask {
                        for number in 100..<160 {
                            try await rename(thing, "\(number)", in: other)
                            #expect(try await shelf.ask()[thing] == "\(number)")
                        }
                    }
                    group.addTask {
                        var last = "first"
                        for _ in 0..<200 {
                            let name = try #require(try await shelf.ask()[thing])
                            #expect(last == "first" || (name != "first" && name >= last), "\(name) after \(last)")
                            last = name
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
