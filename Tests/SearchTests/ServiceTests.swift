// SPDX-License-Identifier: Apache-2.0
// What search owes to those around it.

import Support
import Testing

@testable import SearchService

@Suite struct ServiceTests {
    @Test func `search answers its endpoints of the surface and no others`() {
        expectSurface(of: SearchService.service)
    }

    @Test func `each queue of search receives what it reacts to, no more and no less`() async throws {
        try await SearchWorld.run { world in
            try expectTopology(of: SearchService.service, world.dependencies, database: world.dependencies.database)
        }
    }

    @Test func `each migration of search is applied once`() async throws {
        try await expectMigrations(of: SearchService.service)
    }
}
