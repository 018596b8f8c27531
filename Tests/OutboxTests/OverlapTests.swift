// SPDX-License-Identifier: Apache-2.0
// Two relays at a time, because one does not know that its lock is gone.

import Outbox
import Postgres
import ServiceKit
import Support
import Testing

@Suite struct OverlapTests {
    /// The server's process that holds the relay's lock; 0 when none does.
    private func holder(_ yard: Yard) async throws -> Int {
        try await yard.count(
            """
            SELECT coalesce(max(l.pid), 0)::bigint FROM pg_locks l
            WHERE l.locktype = 'advisory' AND l.granted
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        )
    }

    /// Twice in the suite, 100 times with `MADANG_TEST_SCALE=50`.
    @Test func `relays that overlap cost duplicates, not effects`() async throws {
        let rounds = TestScale.of(2, atMost: 100)
        try await withYard { yard in
            let port = try await yard.count("SELECT inet_server_port()::bigint")
            try await withWire(to: port) { wire in
                var behind = yard.configuration
                behind.connection += " port=\(wire.port)"
                behind.deadline = .seconds(1)
                let databases = [1, 2].map { _ in Database(behind, logger: quiet) }
                let relays = databases.map { yard.with($0, behind) }
                @Sendable func published() -> [Double] {
                    relays.map { one in
                        one.metrics.exposition().split(separator: "\n")
                            .filter { $0.hasPrefix("madang_outbox_published_total") && $0.contains("confirmed") }
                            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
                    }
                }
                let services = relays[0].exchange([effects()]).services + relays[1].exchange([]).services
                try await whileRunning(databases + services) {
                    var overlaps = 0
                    var recorded = 0
                    for round in 1...rounds {
                        try await eventually { try await holder(yard) > 0 }
                        let lost = try await holder(yard)
                        let before = published()
                        // The server lets the lock go; whoever held it hears nothing of that.
                        let origin = try await yard.count(
                            "SELECT client_port::bigint FROM pg_stat_activity WHERE pid = \(Int64(lost))::int"
                        )
                        wire.fallSilent { $0 == origin }
                        _ = try await yard.database.query("SELECT pg_terminate_backend(\(Int64(lost))::int)")
                        try await eventually {
                            let now = try await holder(yard)
                            return now > 0 && now != lost
                        }
                        for version in 1...40 {
                            recorded += 1
                            try await yard.record(unliked(Int64(round * 100 + version % 7), Int64(version)))
                        }
                        try await eventually { try await yard.outboxDepth() == 0 }
                        let all = recorded
                        try await eventually("\(all) effects in round \(round)") {
                            try await yard.count("SELECT count(*) FROM effects") >= all
                        }
                        let count = try await yard.count("SELECT count(*) FROM effects")
                        #expect(count == all)
                        // Both told events while both believed to hold the lock.
                        if zip(published(), before).allSatisfy({ $0 > $1 }) { overlaps += 1 }
                    }
                    print("relays: \(overlaps) overlaps in \(rounds) rounds, \(recorded) events")
                    #expect(overlaps * 2 >= rounds, "\(overlaps) of \(rounds)")
                }
            }
        }
    }
}
