// SPDX-License-Identifier: Apache-2.0
// The statements that erase what posts has of an account.

import Domain
import Postgres
import Serving
import Support

@testable import PostsService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func erasures(_ call: inout StatementCatalogue) {
        for rows in ErasedAccountStore.belongings {
            call("ErasedAccountStore.belongings", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
        call("ErasedAccountStore.posts(of:boosts:limit:in:)", "posts", walks: "posts_account") {
            _ = try await ErasedAccountStore.posts(of: leaver, boosts: false, limit: 20, in: $0)
        }
        call("ErasedAccountStore.posts(of:boosts:limit:in:)", "boosts", walks: "posts_account") {
            _ = try await ErasedAccountStore.posts(of: leaver, boosts: true, limit: 20, in: $0)
        }
        call("ErasedAccountStore.favourites(of:limit:in:)") {
            _ = try await ErasedAccountStore.favourites(of: leaver, limit: 20, in: $0)
        }
        for side in ErasedAccountStore.Side.allCases {
            call("ErasedAccountStore.follows(_:of:limit:in:)", "\(side)") {
                _ = try await ErasedAccountStore.follows(side, of: leaver, limit: 20, in: $0)
            }
        }
        call("ErasedAccountStore.projects(ledBy:limit:in:)", walks: "projects_leader") {
            _ = try await ErasedAccountStore.projects(ledBy: leaver, limit: 20, in: $0)
        }
        call("ErasedAccountStore.projects(withMember:limit:in:)") {
            _ = try await ErasedAccountStore.projects(withMember: leaver, limit: 20, in: $0)
        }
        call("ErasedAccountStore.applications(of:limit:in:)") {
            _ = try await ErasedAccountStore.applications(of: leaver, limit: 20, in: $0)
        }
        call("ErasedAccountStore.delete(_:in:)") { ErasedAccountStore.delete(ApplicationID(7_000_010), in: $0) }
        call("ErasedAccountStore.deleteReports(about:in:)") {
            _ = try await ErasedAccountStore.deleteReports(about: leaver, in: $0)
        }
        for rows in ErasedAccountStore.deeds {
            call("ErasedAccountStore.deeds", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
        erasuresOfTombstones(&call)
        for rows in ErasedAccountStore.naming {
            let index = rows.name == "project_edits" ? "project_edits_mentioned" : nil
            call("ErasedAccountStore.naming", rows.name, walks: index) { _ = try await rows.erase(leaver, in: $0) }
        }
        call("ErasedAccountStore.forgetAnswered(_:in:)") {
            _ = try await ErasedAccountStore.forgetAnswered(leaver, in: $0)
        }
        call("ErasedAccountStore.leaveConversations(_:in:)") {
            _ = try await ErasedAccountStore.leaveConversations(leaver, in: $0)
        }
        call("ErasedAccountStore.account") {
            _ = try await ErasedAccountStore.account.erase(AccountID(7_000_008), in: $0)
        }
    }

    private static func erasuresOfTombstones(_ call: inout StatementCatalogue) {
        call("ErasedAccountStore.unerasedPosts(of:in:)", walks: "posts_tombstones") {
            _ = try await ErasedAccountStore.unerasedPosts(of: leaver, in: $0)
        }
        call("ErasedAccountStore.unerasedProjects(of:in:)", walks: "projects_tombstones") {
            _ = try await ErasedAccountStore.unerasedProjects(of: leaver, in: $0)
        }
        call("ErasedAccountStore.withdraw(_:in:)") {
            _ = try await ErasedAccountStore.withdraw([PostID(7_000_011)], in: $0)
        }
        call("ErasedAccountStore.endFanouts(of:in:)") {
            _ = try await ErasedAccountStore.endFanouts(of: [PostID(7_000_011)], in: $0)
        }
        for tombstones in ErasedAccountStore.Tombstones.allCases {
            call("ErasedAccountStore.disown(_:of:at:in:)", "\(tombstones)") {
                _ = try await ErasedAccountStore.disown(tombstones, of: leaver, at: .now(), in: $0)
            }
        }
    }
}
