// SPDX-License-Identifier: Apache-2.0
// What chat owes to those around it.

import Support
import Testing

@testable import ChatService

@Suite struct ServiceTests {
    @Test func `chat answers its endpoints of the surface and no others`() {
        expectSurface(of: ChatService.service)
    }

    @Test func `each queue of chat receives what it reacts to, no more and no less`() async throws {
        try await ChatWorld.run { world in
            try expectTopology(of: ChatService.service, world.dependencies, database: world.dependencies.database)
        }
    }

    @Test func `each migration of chat is applied once`() async throws {
        try await expectMigrations(of: ChatService.service)
    }
}
