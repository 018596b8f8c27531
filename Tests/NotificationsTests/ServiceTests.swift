// SPDX-License-Identifier: Apache-2.0
// What notifications owes to those around it.

import Support
import Testing

@testable import NotificationsService

@Suite struct ServiceTests {
    @Test func `notifications answers its endpoints of the surface and no others`() {
        expectSurface(of: NotificationsService.service)
    }

    @Test func `each queue of notifications receives what it reacts to, no more and no less`() async throws {
        try await Stage.run { stage in
            let dependencies = stage.dependencies
            try expectTopology(of: NotificationsService.service, dependencies, database: stage.database)
        }
    }

    @Test func `each migration of notifications is applied once`() async throws {
        try await expectMigrations(of: NotificationsService.service)
    }
}
