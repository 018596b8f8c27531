// SPDX-License-Identifier: Apache-2.0
// What media owes to those around it.

import MediaWork
import Outbox
import Support
import Surface
import Testing
import Web

@testable import MediaService

@Suite struct ServiceTests {
    @Test func whatIsToldOfLimitsIsWhatWorkersKeepTo() {
        let limits = WorkOrder.Limits()
        #expect(MediaLimits.imageMatrix == limits.pixels && MediaLimits.videoMatrix == limits.videoPixels)
    }

    @Test func `media answers its endpoints of the surface and no others`() {
        expectSurface(Routes.all.map(\.endpoint), of: .media)
    }

    @Test func `each queue of media receives what it reacts to, no more and no less`() async throws {
        try await MediaWorld.run { world in
            let retelling = EventQueue.retelling(of: "media", Tellers.all)
            try expectTopology(MediaService.queues(world.dependencies) + [retelling], of: .media)
        }
    }

    @Test func `each migration of media is applied once`() async throws {
        try await expectMigrations(MediaService.migrations, of: .media)
    }
}
