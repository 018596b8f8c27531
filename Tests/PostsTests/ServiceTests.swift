// SPDX-License-Identifier: Apache-2.0
// What posts owes to those around it.

import Outbox
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct ServiceTests {
    @Test func `posts answers its endpoints of the surface and no others`() {
        expectSurface(Routes.all.map(\.endpoint), of: .posts)
    }

    @Test func `each queue of posts receives what it reacts to, no more and no less`() async throws {
        try await GraphWorld.run { world in
            let retelling = EventQueue.retelling(of: "posts", Tellers.all(now: world.dependencies.now))
            try expectTopology(PostsService.queues(world.dependencies) + [retelling], of: .posts)
        }
    }

    @Test func `each migration of posts is applied once`() async throws {
        try await expectMigrations(PostsService.migrations, of: .posts)
    }
}
