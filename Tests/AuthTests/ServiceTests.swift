// SPDX-License-Identifier: Apache-2.0
// What auth owes to those around it.

import Outbox
import Support
import Surface
import Testing
import Web

@testable import AuthService

@Suite struct ServiceTests {
    @Test func `auth answers its endpoints of the surface and no others`() {
        expectSurface(Routes.all.map(\.endpoint), of: .auth)
    }

    @Test func `each queue of auth receives what it reacts to, no more and no less`() throws {
        try expectTopology([.retelling(of: "auth", Tellers.all)], of: .auth)
    }

    @Test func `each migration of auth is applied once`() async throws {
        try await expectMigrations(AuthService.migrations, of: .auth)
    }
}
