// SPDX-License-Identifier: Apache-2.0
// Many writers at once, whose transactions take as long as they like.

import Outbox
import Postgres
import Support
import Synchronization
import Testing

// Its connections are a third of all that the server has.
@Suite(.serialized) struct WritersTests {
    private struct Undone: Error {}

    private final class Written: Sendable { let count = Atomic(0) }

    private static let subjects = 1000

    /// One transaction: the next event of each of some subjects, in an order that nobody else reverses.
    private static func write(_ yard: Yard, seed: UInt64, longest: Double) async throws -> Int {
        var random = TestSeed(seed)
        let count = Int.random(in: 1...20, using: &random)
        let chosen = (1...subjects).shuffled(using: &random).prefix(count).sorted()
        let pause = Double.random(in: 0...longest, using: &random)
        let isUndone = random.chance(1, in: 10)
        do {
            try await yard.database.transaction { transaction in
                for subject in chosen {
                    let rows = try await transaction.query(
                        "UPDATE counters SET version = version + 1 WHERE subject = \(Int64(subject)) RETURNING version"
                    )
                    guard var columns = rows.first?.columns else { throw Undone() }
                    try transaction.record(unliked(Int64(subject), try columns.next()))
                }
                // It holds its place in the outbox, and others overtake it.
                _ = try await transaction.query("SELECT pg_sleep(\(pause))")
                if isUndone { throw Undone() }
            }
            return count
        } catch is Undone {
            return 0
        } catch let error as PostgresError where error.kind == .slow || error.kind == .conflict {
            // Somebody held a subject for too long.
            return 0
        }
    }

    @Test(arguments: TestSeed.list(CollectionOfOne(1))) func `sixty-four writers skip nothing`(
        seed: UInt64
    ) async throws {
        let wanted = TestScale.of(2000, atMost: 100_000)
        let longest = TestScale.factor > 1 ? 0.5 : 0.05
        try await withYard { yard in
            _ = try await yard.database.query(
                "CREATE TABLE counters (subject bigint PRIMARY KEY, version bigint NOT NULL)"
            )
            _ = try await yard.database.query(
                "INSERT INTO counters SELECT n, 0 FROM generate_series(1, \(Int64(Self.subjects))) n"
            )
            var configuration = yard.configuration
            configuration.exclusive = 64
            configuration.deadline = .seconds(120)
            configuration.patience = .seconds(120)
            let database = Database(configuration, logger: quiet)
            let writers = yard.with(database, configuration)
            let written = Written()
            try await whileRunning([database] + yard.exchange([effects()]).services) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<64 {
                        group.addTask {
                            var random = TestSeed(seed &+ UInt64(writer))
                            while written.count.load(ordering: .relaxed) < wanted {
                                let count = try await Self.write(writers, seed: random.next(), longest: longest)
                                written.count.add(count, ordering: .relaxed)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let all = written.count.load(ordering: .relaxed)
                try await eventually(within: TestScale.patience(.seconds(300)), "\(all) events are handled") {
                    try await yard.count("SELECT count(*) FROM effects") >= all
                }
                try await eventually { try await yard.outboxDepth() == 0 }
                let told = try await yard.effects()
                #expect(told.values.reduce(0) { $0 + $1.count } == all, "seed \(seed)")
                for row in try await yard.database.query("SELECT subject, version FROM counters WHERE version > 0") {
                    var columns = row.columns
                    let subject: Int64 = try columns.next()
                    let last: Int64 = try columns.next()
                    #expect(told["\(subject)"] == Array(1...last), "seed \(seed)")
                }
                print("64 writers: \(all) events, transactions of up to \(longest) s, seed \(seed)")
            }
        }
    }
}
