// SPDX-License-Identifier: Apache-2.0
// Whether anybody is so popular that posts are read instead of fanned out.

import Domain
import Postgres
import Support
import Testing

@testable import PostsService

@Suite struct PopularityTests {
    @Test func nobodyIsTakenToBePopularForAWhileAndSomebodyForEver() async throws {
        try await GraphWorld.run { world in
            var dependencies = world.dependencies
            dependencies.limits.popularityPatience = .seconds(1)
            func isAnybody() async throws -> Bool { try await dependencies.popularity.anybodyIsPopular(dependencies) }

            #expect(try await isAnybody() == false)
            let ann = try await world.person("ann")
            _ = try await world.database.query("INSERT INTO popular_accounts (account_id) VALUES (\(ann.id))")
            #expect(try await isAnybody() == false)
            world.clock.advance(.seconds(1))
            #expect(try await isAnybody())
            _ = try await world.database.query("DELETE FROM popular_accounts")
            world.clock.advance(.seconds(3600))
            #expect(try await isAnybody())
        }
    }
}
