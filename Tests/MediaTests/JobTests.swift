// SPDX-License-Identifier: Apache-2.0
// F: what becomes of uploads when workers and processes die.

import Domain
import Events
import HTTPTypes
import MediaWork
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing
import Web

@testable import MediaService

@Suite struct JobTests {
    @Test func aWorkerThatDiesIsTriedThreeTimes() async throws {
        try await MediaWorld.run { world in
            let id = try attachment(try await world.upload("crash")).id
            for attempt in 1...3 {
                #expect(try await world.work(), "attempt \(attempt)")
                #expect(world.workplaces == [])
                let answer = try await world.send(.get, "/api/v1/media/\(id)")
                #expect(answer.status == (attempt == 3 ? .unprocessableContent : .partialContent))
                #expect(try await !world.work(), "not at once")
                world.clock.advance(.seconds(10))
            }
            let events = try await world.events()
            #expect(events.count == 1 && events.first?.text.contains(#""reason":"damaged""#) == true)
            #expect(world.incoming == [] && world.files == [])
        }
    }

    @Test func aWorkerThatDiesOnceCostsNothing() async throws {
        let deaths = Mutex(1)
        let worker: @Sendable (WorkOrder) async throws -> WorkReport = { order in
            let dies = deaths.withLock { left in
                left -= 1
                return left >= 0
            }
            if dies { throw MediaWorld.Crash() }
            return try await MediaWorld.copying(order)
        }
        try await MediaWorld.run(worker: worker) { world in
            let id = try attachment(try await world.upload("a picture")).id
            #expect(try await world.work())
            world.clock.advance(.seconds(10))
            #expect(try await world.work())
            #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .ok)
        }
    }

    @Test func oneFileMayBeSeveralSizesOfASmallPicture() async throws {
        let worker: @Sendable (WorkOrder) async throws -> WorkReport = { order in
            guard case .made(var made) = try await MediaWorld.copying(order) else { throw MediaWorld.Crash() }
            made.renditions.append(
                contentsOf: made.renditions.map { original in
                    var smaller = original
                    smaller.name = "small"
                    return smaller
                }
            )
            return .made(made)
        }
        try await MediaWorld.run(worker: worker) { world in
            let id = try await world.ready("a small picture")
            #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .ok)
            #expect(world.files.count == 3)
            let told = try #require(try await world.told().first?.renditions)
            #expect(told["small.webp"] == told["original.webp"])
        }
    }

    @Test func whatADeadProcessHadIsTakenWhenItsLeaseEnds() async throws {
        try await MediaWorld.run { world in
            let id = try attachment(try await world.upload("a picture")).id
            let (now, lease) = (world.clock.now, world.dependencies.limits.lease)
            let dead = try #require(try await JobStore.claim(at: now, lease: lease, in: world.dependencies.database))
            #expect(try await !world.work(), "somebody has it")
            world.clock.advance(lease + .seconds(1))
            #expect(try await world.work())
            #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .ok)
            // It was not dead after all, and comes too late.
            let (late, end) = (dead.upload.id, world.clock.now + lease)
            #expect(try await !JobStore.renew(late, attempt: 1, until: end, in: world.dependencies.database))
            try await EndJob.fail(dead, .damaged, world.dependencies)
            #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .ok)
            #expect(try await world.events().count == 1)
        }
    }

    @Test func afterThreeDeathsNobodyTriesAgain() async throws {
        try await MediaWorld.run { world in
            let id = try attachment(try await world.upload("a picture")).id
            let lease = world.dependencies.limits.lease
            for _ in 1...3 {
                let now = world.clock.now
                _ = try #require(try await JobStore.claim(at: now, lease: lease, in: world.dependencies.database))
                world.clock.advance(lease + .seconds(1))
            }
            #expect(try await world.work())
            #expect(try await world.send(.get, "/api/v1/media/\(id)").status == .unprocessableContent)
            #expect(world.incoming == [])
        }
    }

    @Test func aProcessThatStopsPutsBackWhatItHas() async throws {
        let begun = Mutex(false)
        let mayEnd = Mutex(false)
        let worker: @Sendable (WorkOrder) async throws -> WorkReport = { order in
            begun.withLock { $0 = true }
            while !mayEnd.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            return try await MediaWorld.copying(order)
        }
        try await MediaWorld.run(worker: worker) { world in
            let id = try attachment(try await world.upload("a picture")).id
            let service = JobWorker(dependencies: world.dependencies, metrics: Metrics(), logger: MediaWorld.logger)
            try await whileRunning([service]) { try await eventually { begun.withLock { $0 } } }
            mayEnd.withLock { $0 = true }
            // At once, without the clock having moved, and for the first time.
            let now = world.clock.now + .milliseconds(1)
            let job = try await JobStore.claim(at: now, lease: .seconds(1), in: world.dependencies.database)
            #expect(job?.attempt == 1 && job?.upload.id.description == id)
        }
    }

    @Test func aRunningServiceWorksOnWhatComes() async throws {
        try await MediaWorld.run { world in
            let service = JobWorker(dependencies: world.dependencies, metrics: Metrics(), logger: MediaWorld.logger)
            try await whileRunning([service]) {
                var ids: [String] = []
                for number in 0..<20 { ids.append(try attachment(try await world.upload("picture \(number)")).id) }
                for id in ids {
                    try await eventually { try await world.send(.get, "/api/v1/media/\(id)").status == .ok }
                }
            }
            #expect(try await world.told().count == 20 && world.files.count == 60)
        }
    }

    @Test func whatIsCollectedMeanwhileIsNotTakenForReady() async throws {
        try await MediaWorld.run { world in
            let database = world.dependencies.database
            _ = try await world.upload("a picture")
            let now = world.clock.now
            let job = try #require(try await JobStore.claim(at: now, lease: .seconds(30), in: database))
            let file = StoredFile(name: "00000000000000000000000000000000.jpg", bytes: 1)
            try await FileStore.announce([file], at: now, in: database)
            _ = try await Sweeps.loose(world.dependencies, for: .seconds(-1))
            let kept = try await database.transaction { try await FileStore.keep([file], for: job.upload.id, in: $0) }
            #expect(kept == 0)
        }
    }
}
