// SPDX-License-Identifier: Apache-2.0
// What search owes to those around it.

import Support
import Surface
import Testing
import Web

@testable import SearchService

@Suite struct ServiceTests {
    @Test func `search answers its endpoints of the surface and no others`() {
        expectSurface(Routes.all.map(\.endpoint), of: .search)
    }

    @Test func `each queue of search receives what it reacts to, no more and no less`() async throws {
        try await SearchWorld.run { world in try expectTopology([world.queue], of: .search) }
    }

    @Test func `each migration of search is applied once`() async throws {
        try await expectMigrations(SearchService.migrations, of: .search)
    }
}
