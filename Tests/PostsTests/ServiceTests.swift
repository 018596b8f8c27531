// SPDX-License-Identifier: Apache-2.0
// What posts owes to those around it.

import Support
import Testing

@testable import PostsService

@Suite struct ServiceTests {
    @Test func `posts answers its endpoints of the surface and no others`() {
        expectSurface(of: PostsService.service)
    }

    @Test func `each queue of posts receives what it reacts to, no more and no less`() async throws {
        try await GraphWorld.run { world in
            try expectTopology(of: PostsService.service, world.dependencies, database: world.dependencies.database)
        }
    }

    @Test func `each migration of posts is applied once`() async throws {
        try await expectMigrations(of: PostsService.service)
    }
}
