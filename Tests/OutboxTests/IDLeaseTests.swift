// SPDX-License-Identifier: Apache-2.0
// Two processes never make the same id: slots are leased, milliseconds are lent once.

import Domain
import Logging
import Outbox
import Postgres
import ServiceKit
import Support
import Testing

private func lease(
    _ database: Database,
    _ clock: SetClock = SetClock(),
    renewal: Duration = IDLease.renewal
) -> IDLease {
    IDLease(database, now: { clock.now }, metrics: Metrics(), logger: quiet, renewal: renewal)
}

private func make(_ count: Int, _ lease: IDLease) throws -> [Int64] {
    try (0..<count).map { _ in (try lease.ids.next() as PostID).rawValue }
}

/// The lease of everybody who holds that slot runs out.
private func expire(_ slot: Int?, _ database: Database) async throws {
    let slot = try #require(slot)
    _ = try await database.query(
        "UPDATE id_slots SET held_until = now() - interval '1 second' WHERE slot = \(slot)::smallint"
    )
}

private func withSlots(_ body: @Sendable (Database) async throws -> Void) async throws {
    try await withDatabase(migrations: [outboxMigrations], schema: "slots") { database, _ in try await body(database) }
}

@Suite struct IDLeaseTests {
    @Test func copiesOfAProcessNeverShareASlot() async throws {
        try await withSlots { database in
            let clock = SetClock()
            let leases = (0..<64).map { _ in lease(database, clock) }
            // At once, so that they try for the same; whoever finds only locked rows comes again.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lease in leases {
                    group.addTask {
                        try await eventually("a slot") { (try? await lease.acquire()) != nil }
                    }
                }
                try await group.waitForAll()
            }
            #expect(Set(leases.compactMap(\.held)).count == 64)
            let ids = try leases.flatMap { try make(100, $0) }
            #expect(Set(ids).count == 6400)

            let late = lease(database, clock)
            await #expect(throws: IDLease.NoSlot.self) { try await late.acquire() }
            #expect(throws: PostgresError.self) { _ = try make(1, late) }
            // A process that stops makes room at once.
            await leases[5].release()
            #expect(throws: PostgresError.self) { _ = try make(1, leases[5]) }
            try await late.acquire()
            #expect(Set(try make(100, late)).isDisjoint(with: ids))
        }
    }

    /// F31, and a take-over: the old holder goes on, the new one's clock is ten minutes behind.
    @Test(arguments: [-600_000, 0, 600_000] as [Int64])
    func aSlotThatChangesHandsRepeatsNothing(_ difference: Int64) async throws {
        try await withSlots { database in
            _ = try await database.query("DELETE FROM id_slots WHERE slot <> 9")
            let clock = SetClock()
            let first = lease(database, clock)
            try await first.acquire()
            var ids = try make(3000, first)
            clock.advance(.milliseconds(20_000))
            ids += try make(3000, first)
            // It is cut off from the database and does not know that its lease has ended.
            try await expire(9, database)
            clock.advance(.milliseconds(difference))
            let second = lease(database, clock)
            try await second.acquire()
            #expect(second.held == 9)
            for _ in 0..<50 {
                ids += try make(40, second)
                ids += (try? make(40, first)) ?? []
                clock.advance(.milliseconds(100))
            }
            #expect(Set(ids).count == ids.count)
            // It learns of it at the next renewal, and makes no more.
            await #expect(throws: IDLease.NoSlot.self) { try await first.renew() }
            #expect(first.held == nil)
            #expect(throws: PostgresError.self) { _ = try make(1, first) }
            // Whoever comes after a graceful end starts where that ended.
            await second.release()
            try await first.renew()
            ids += try make(3000, first)
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test func aKilledProcessIsReplacedAtOnce() async throws {
        try await withSlots { database in
            let killed = lease(database)
            try await killed.acquire()
            let next = lease(database)
            try await next.acquire()
            #expect(next.held != killed.held)
            // Its slot comes back into use when its lease has run out, last of all.
            try await expire(killed.held, database)
            let other = lease(database)
            try await other.acquire()
            #expect(other.held != killed.held)
        }
    }

    /// A clock that jumps forward leaves the lent milliseconds: no ids until more were lent, which is asked for at once.
    @Test func aLeaseThatRanOutIsRenewedWhenAnIDIsAskedFor() async throws {
        try await withSlots { database in
            let clock = SetClock()
            // Nothing but the question renews it.
            let lease = lease(database, clock, renewal: .seconds(86_400))
            try await lease.acquire()
            var ids = try make(10, lease)
            try await whileRunning([lease]) {
                for jump in [600_000, -600_000, 600_000] as [Int64] {
                    clock.advance(.milliseconds(jump))
                    try await eventually { (try? make(10, lease)) != nil }
                }
            }
            #expect(lease.held == nil)
            #expect(throws: PostgresError.self) { _ = try make(1, lease) }
            try await lease.acquire()
            ids += try make(10, lease)
            #expect(Set(ids).count == 20)
        }
    }

    /// Without the database there are ids for as long as the lease, and none after it.
    @Test func aLostDatabaseEndsTheMakingOfIDs() async throws {
        try await withProxiedDatabase(
            migrations: [outboxMigrations],
            schema: "slots",
            configure: { $0.deadline = .seconds(3) }
        ) { database, proxy, _ in
            let clock = SetClock()
            let lease = lease(database, clock)
            try await lease.acquire()
            proxy.fallSilent(true)
            await #expect(throws: PostgresError.self) { try await lease.renew() }
            clock.advance(.milliseconds(29_000))
            _ = try make(10, lease)
            clock.advance(.milliseconds(2000))
            #expect(throws: PostgresError.self) { _ = try make(1, lease) }
            proxy.fallSilent(false)
            try await eventually { (try? await lease.renew()) != nil }
            _ = try make(10, lease)
        }
    }
}
