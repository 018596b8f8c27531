// SPDX-License-Identifier: Apache-2.0
// What auth owes to those around it.

import Support
import Testing

@testable import AuthService

@Suite struct ServiceTests {
    @Test func `auth answers its endpoints of the surface and no others`() {
        expectSurface(of: AuthService.service)
    }

    @Test func `each queue of auth receives what it reacts to, no more and no less`() async throws {
        try await AuthWorld.run { world in
            try expectTopology(of: AuthService.service, world.dependencies, database: world.dependencies.database)
        }
    }

    @Test func `each migration of auth is applied once`() async throws {
        try await expectMigrations(of: AuthService.service)
    }
}
