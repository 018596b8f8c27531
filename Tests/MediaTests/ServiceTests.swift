// SPDX-License-Identifier: Apache-2.0
// What media owes to those around it.

import MediaWork
import Support
import Testing
import Web

@testable import MediaService

@Suite struct ServiceTests {
    @Test func whatIsToldOfLimitsIsWhatWorkersKeepTo() {
        let limits = WorkOrder.Limits()
        #expect(MediaLimits.imageMatrix == limits.pixels && MediaLimits.videoMatrix == limits.videoPixels)
    }

    @Test func `media answers its endpoints of the surface and no others`() {
        expectSurface(of: MediaService.service(MediaWorld.copying))
    }

    @Test func `each queue of media receives what it reacts to, no more and no less`() async throws {
        try await MediaWorld.run { world in
            try expectTopology(
                of: MediaService.service(MediaWorld.copying),
                world.dependencies,
                database: world.dependencies.database
            )
        }
    }

    @Test func `each migration of media is applied once`() async throws {
        try await expectMigrations(of: MediaService.service(MediaWorld.copying))
    }
}
