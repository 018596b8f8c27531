// SPDX-License-Identifier: Apache-2.0
// Mastodon's API for moderators.

import Domain
import Events
import Foundation
import HTTPTypes
import Logging
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct AdminTests {
    @Test func reportsAsMastodonShowsThem() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let post = try await world.write("rude", as: bob)
            let id = try await world.filed(
                ["account_id": bob.id.description, "status_ids": [post], "rule_ids": ["1"]],
                as: ann
            )
            let path = "/api/v1/admin/reports"
            let listed = try #require(try await world.moderate(.get, path, as: mod).list.first)
            #expect(try listed.id == id && listed["category"] as? String == "violation")
            let target = try #require(listed["target_account"] as? [String: Any])
            #expect(target["username"] as? String == "bob" && target["suspended"] as? Bool == false)
            #expect(target["email"] is NSNull && target["ips"] as? [String] == [])
            #expect((listed["statuses"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == [post])
            let changed = try await world.moderate(.put, "\(path)/\(id)", as: mod, ["category": "spam"]).object
            #expect(changed["category"] as? String == "spam" && (changed["rules"] as? [Any])?.count == 1)
            let assigned = try await world.moderate(.post, "\(path)/\(id)/assign_to_self", as: mod).object
            #expect((assigned["assigned_account"] as? [String: Any])?["id"] as? String == mod.id.description)
            let free = try await world.moderate(.post, "\(path)/\(id)/unassign", as: mod).object
            #expect(free["assigned_account"] is NSNull)
            let closed = try await world.moderate(.post, "\(path)/\(id)/resolve", as: mod).object
            #expect(closed["action_taken"] as? Bool == true)
            #expect((closed["action_taken_by_account"] as? [String: Any])?["id"] as? String == mod.id.description)
            #expect(try await world.moderate(.get, path, as: mod).list.isEmpty)
            #expect(try await world.moderate(.get, "\(path)?resolved=true", as: mod).list.count == 1)
            #expect(try await world.moderate(.post, "\(path)/\(id)/reopen", as: mod).code == 200)
            #expect(try await world.moderate(.get, "\(path)?target_account_id=\(bob.id)", as: mod).list.count == 1)
            #expect(try await world.moderate(.get, "\(path)?account_id=\(bob.id)", as: mod).list.isEmpty)
        }
    }

    @Test(arguments: [
        ("silence", "silenced", "unsilence"), ("disable", "disabled", "enable"), ("suspend", "suspended", "unsuspend"),
        ("sensitive", "sensitized", "unsensitive"),
    ]) func actionsAndTheirOpposites(_ action: String, _ flag: String, _ opposite: String) async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let report = try await world.filed(["account_id": bob.id.description], as: ann)
            let path = "/api/v1/admin/accounts/\(bob.id)"
            let acted = try await world.moderate(
                .post,
                "\(path)/action",
                as: mod,
                ["type": action, "report_id": report, "text": "why", "send_email_notification": false]
            )
            #expect(acted.code == 200, "\(acted.text)")
            #expect(try await world.moderate(.get, path, as: mod).object[flag] as? Bool == true)
            #expect(try await world.queued(report, as: mod)["state"] as? String == "closed")
            let lists = ["/api/v2/admin/accounts?status=\(flag)", "/api/v1/admin/accounts?\(flag)=true"]
            for list in lists {
                let names = try await world.moderate(.get, list, as: mod).names()
                #expect(names == ["bob"], "\(list)")
            }
            let freed = try await world.moderate(.post, "\(path)/\(opposite)", as: mod)
            #expect(try freed.object[flag] as? Bool == false)
            #expect(try await world.moderate(.get, lists[0], as: mod).names().isEmpty)
        }
    }

    @Test func whatAnOperatorDoesIsWhatModeratorsAndThePersonSee() async throws {
        try await GraphWorld.run { world in
            let (a, mod) = (try await world.person("a"), try await world.moderator("mod"))
            let admin = OperatorRestrictions(
                database: world.database,
                ids: world.dependencies.ids,
                now: { world.clock.now },
                logger: Logger(label: "posts")
            )
            func order(_ words: String...) async throws -> [Restriction] {
                try await admin.carryOut(try #require(OperatorRestrictions.Order(words)))
            }
            let path = "/api/v1/admin/accounts/\(a.id)"
            func seen(_ flag: String) async throws -> Bool {
                let isFlagged = try await world.moderate(.get, path, as: mod).object[flag] as? Bool
                let listed = try await world.moderate(.get, "/api/v2/admin/accounts?status=\(flag)", as: mod).names()
                let active = try await world.moderate(.get, "/api/v2/admin/accounts?status=active", as: mod).names()
                #expect(listed.contains("a") == isFlagged)
                if flag == "suspended" || flag == "disabled" { #expect(active.contains("a") == (isFlagged == false)) }
                return try #require(isFlagged)
            }
            // Without a reason nothing is decided.
            #expect(try await order("suspend", "a") == [.suspended])
            #expect(try await seen("suspended"))
            #expect(try await world.told(DecisionMade.self).isEmpty)
            // What a moderator decided is lifted with the rest.
            let body: [String: any Sendable] = ["action": "freeze", "account_id": a.id.description, "reason": "rude"]
            let frozen = try #require(try await world.decide(body, as: mod).first).id
            #expect(try await seen("disabled"))
            #expect(try await order("lift", "a") == [])
            #expect(try await !seen("suspended"))
            #expect(try await !seen("disabled"))
            let own = try await world.get("/api/v1/decisions/\(frozen)", as: a).object
            #expect(own["in_force"] as? Bool == false && own["lifted_at"] is String)
            let events = try await world.told(DecisionMade.self)
            #expect(events.map(\.action) == [.freeze, .lift] && events.last?.subjectVersion == 2)
            // With one it is a decision, and its end is the restriction's.
            #expect(try await order("limit", "a", "--reason", "spam in three places", "--days", "3") == [.limited])
            #expect(try await seen("silenced"))
            let told = try #require(try await world.told(DecisionMade.self).last)
            #expect(told.action == .limit && told.reason == "spam in three places" && told.accountID == a.id)
            #expect(told.until == world.clock.now + .seconds(3 * 86_400))
            let appeal = "/api/v1/decisions/\(told.decisionID)/appeal"
            #expect(try await world.send(.post, appeal, as: a, ["text": "It was not me"]).code == 200)
            let accept = "/api/v1/moderation/appeals/\(told.decisionID)/accept"
            #expect(try await world.moderate(.post, accept, as: mod).code == 200)
            #expect(try await !seen("silenced"))
            let log = try await world.moderate(.get, "/api/v1/moderation/log?account_id=\(a.id)", as: mod).list
            let deeds = log.reversed().map { "\($0["deed"] ?? "") \($0["moderator_id"] is NSNull)" }
            #expect(deeds == ["decide false", "lift true", "decide true", "accept false", "lift false"])
        }
    }

    @Test func listsOfPeople() async throws {
        try await GraphWorld.run { world in
            for name in ["ann", "bob"] { _ = try await world.person(name) }
            let mod = try await world.moderator("mod")
            func names(_ query: String) async throws -> [String] {
                try await world.moderate(.get, "/api/v2/admin/accounts\(query)", as: mod).names()
            }
            #expect(try await names("") == ["mod", "bob", "ann"])
            #expect(try await names("?username=B") == ["bob"])
            #expect(try await names("?permissions=staff") == ["mod"])
            #expect(try await names("?status=pending").isEmpty)
            #expect(try await names("?origin=remote").isEmpty)
            #expect(try await names("?status=active&limit=2") == ["mod", "bob"])
            let answer = try await world.moderate(.get, "/api/v2/admin/accounts?status=x", as: mod)
            #expect(answer.code == 422)
        }
    }

    @Test func noneWithoutAWordOnlyClosesTheReport() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let path = "/api/v1/admin/accounts/\(bob.id)/action"
            let report = try await world.filed(["account_id": bob.id.description], as: ann)
            let body: [String: any Sendable] = ["type": "none", "report_id": report]
            #expect(try await world.moderate(.post, path, as: mod, body).code == 200)
            #expect(try await world.queued(report, as: mod)["state"] as? String == "closed")
            #expect(try await world.told(DecisionMade.self).isEmpty)
            let warn: [String: any Sendable] = ["type": "none", "text": "mind your words"]
            #expect(try await world.moderate(.post, path, as: mod, warn).code == 200)
            #expect(try await world.told(DecisionMade.self).map(\.action) == [.warn])
            #expect(try await world.moderate(.post, path, as: mod, ["type": "explode"]).code == 422)
        }
    }
}
