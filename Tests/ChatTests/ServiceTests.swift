// SPDX-License-Identifier: Apache-2.0
// What chat owes to those around it.

import Outbox
import Support
import Surface
import Testing
import Web

@testable import ChatService

@Suite struct ServiceTests {
    @Test func `chat answers its endpoints of the surface and no others`() {
        expectSurface(Routes.all.map(\.endpoint), of: .chat)
    }

    @Test func `each queue of chat receives what it reacts to, no more and no less`() async throws {
        try await ChatWorld.run { world in
            let retelling = EventQueue.retelling(of: "chat", Tellers.all)
            try expectTopology(ChatService.queues(world.dependencies) + [retelling], of: .chat)
        }
    }

    @Test func `each migration of chat is applied once`() async throws {
        try await expectMigrations(ChatService.migrations, of: .chat)
    }
}
