// SPDX-License-Identifier: Apache-2.0
// What notifications owes to those around it.

import Support
import Surface
import Testing
import Web

@testable import NotificationsService

@Suite struct ServiceTests {
    @Test func `notifications answers its endpoints of the surface and no others`() {
        expectSurface(Routes.all.map(\.endpoint), of: .notifications)
    }

    @Test func `each queue of notifications receives what it reacts to, no more and no less`() async throws {
        try await Stage.run { stage in try expectTopology([stage.queue, stage.chat], of: .notifications) }
    }

    @Test func `each migration of notifications is applied once`() async throws {
        try await expectMigrations(NotificationsService.migrations, of: .notifications)
    }
}
