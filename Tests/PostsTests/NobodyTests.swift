// SPDX-License-Identifier: Apache-2.0
// Account 0, whose are the tombstones of people who were erased, is nobody.

import Domain
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct NobodyTests {
    @Test func nobodyLooksAtActsOnOrNamesAccountZero() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let name = try #require(Username("deleted"))
            try await world.database.transaction { transaction in
                let made = try await AccountStore.insert(AccountID(0), username: name, in: transaction)
                #expect(made != nil)
            }
            #expect(try await world.get("/api/v1/accounts/0", as: ann).code == 404)
            #expect(try await world.get("/api/v1/accounts/lookup?acct=deleted", as: ann).code == 404)
            #expect(try await world.get("/@deleted").code == 404)
            #expect(try await world.ids("/api/v1/accounts?id[]=0&id[]=\(ann.id)", as: ann) == ["\(ann.id)"])
            for act in ["follow", "block", "mute"] {
                #expect(try await world.post("/api/v1/accounts/0/\(act)", as: ann).code == 404, "\(act)")
            }
            let post = try await world.write("to @deleted", as: ann)
            let mentions = try await world.status(post, as: ann)["mentions"] as? [Any]
            #expect(mentions?.isEmpty == true)
            let bob = try await world.person("bob")
            #expect(try await world.post("/api/v1/accounts/\(bob.id)/follow", as: ann).code == 200)
        }
    }
}
