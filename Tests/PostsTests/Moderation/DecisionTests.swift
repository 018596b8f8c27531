// SPDX-License-Identifier: Apache-2.0
// Decisions: what they do, whom they are told, and appeals to them.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct DecisionTests {
    @Test func aRemovedPostGoesAndComesBackAfterAnAppeal() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let (mod, other) = (try await world.moderator("mod"), try await world.moderator("other"))
            let post = try await world.write("a #tag", as: bob)
            let report = try await world.filed(
                ["account_id": bob.id.description, "status_ids": [post]],
                as: ann
            )
            let decided = try await world.decide(
                ["action": "remove", "things": world.thing(.post, post), "report_id": report, "reason": "rude"],
                as: mod
            )
            let id = try #require(decided.first).id
            #expect(decided.count == 1 && decided[0]["may_appeal"] as? Bool == true)
            #expect(try await world.get("/api/v1/statuses/\(post)").code == 404)
            #expect(try await world.told(PostDeleted.self).map(\.postID.description) == [post])
            let told = try #require(try await world.told(DecisionMade.self).first)
            #expect(told.action == .remove && told.thing == Thing(kind: .post, id: post) && told.reason == "rude")
            #expect(told.accountID == bob.id && told.account?.id == bob.id && told.subjectVersion == 1)
            #expect(try await world.queued(report, as: mod)["state"] as? String == "closed")
            // What is removed stays for as long as there may be an appeal to it.
            world.clock.advance(.seconds(2 * 24 * 3600))
            try await Sweeps.deletedPosts(world.dependencies).finish(in: world.database)
            let own = try await world.get("/api/v1/decisions/\(id)", as: bob).object
            #expect((own["snapshot"] as? [String: Any])?["text"] as? String == "a #tag")
            #expect(own["moderator"] == nil)
            #expect(try await world.get("/api/v1/decisions/\(id)", as: ann).code == 404)
            let path = "/api/v1/decisions/\(id)/appeal"
            #expect(try await world.send(.post, path, as: bob, ["text": " "]).code == 422)
            #expect(try await world.send(.post, path, as: ann, ["text": "me"]).code == 404)
            #expect(try await world.send(.post, path, as: bob, ["text": "It was a quotation"]).code == 200)
            #expect(try await world.send(.post, path, as: bob, ["text": "again"]).code == 409)
            let waiting = try await world.moderate(.get, "/api/v1/moderation/appeals", as: other).list
            #expect(try waiting.map { try $0.id } == [id])
            let accept = "/api/v1/moderation/appeals/\(id)/accept"
            let accepted = try await world.moderate(.post, accept, as: other)
            #expect(accepted.code == 200, "\(accepted.text)")
            #expect((try accepted.object["appeal"] as? [String: Any])?["state"] as? String == "accepted")
            #expect(try await world.moderate(.post, accept, as: other).code == 409)
            let back = try await world.status(post)
            #expect(back["content"] as? String != nil)
            #expect(try await world.ids("/api/v1/timelines/tag/tag") == [post])
            #expect(try await world.counts(of: bob) == 1)
            let events = try await world.told(DecisionMade.self)
            #expect(events.map(\.action) == [.remove, .lift] && events.last?.subjectVersion == 2)
            #expect(try await world.told(AppealDecided.self).map(\.isAccepted) == [true])
            #expect(try await world.told(PostCreated.self).count == 2)
        }
    }

    @Test func whoModeratesSeesNotHowOthersDealtWithThem() async throws {
        try await GraphWorld.run { world in
            let (ann, mod) = (try await world.person("ann"), try await world.moderator("mod"))
            let admin = try await world.moderator("admin", .admin)
            let post = try await world.write("rude", as: mod)
            let report = try await world.filed(["account_id": mod.id.description, "status_ids": [post]], as: ann)
            let id = try #require(
                try await world.decide(
                    ["action": "remove", "things": world.thing(.post, post), "report_id": report],
                    as: admin
                ).first
            ).id
            let appeal = "/api/v1/decisions/\(id)/appeal"
            #expect(try await world.send(.post, appeal, as: mod, ["text": "a quotation"]).code == 200)
            let lists = [
                "decisions", "decisions?account_id=\(mod.id)", "decisions?report_id=\(report)", "appeals", "log",
                "log?account_id=\(mod.id)",
            ]
            for list in lists {
                let path = "/api/v1/moderation/\(list)"
                #expect(try await !world.moderate(.get, path, as: admin).list.isEmpty, "\(list)")
                #expect(try await world.moderate(.get, path, as: mod).list.isEmpty, "\(list)")
            }
            let decision = "/api/v1/moderation/decisions/\(id)"
            #expect(try await world.moderate(.get, decision, as: mod).code == 403)
            #expect(try await world.moderate(.get, decision, as: admin).code == 200)
            #expect(try await world.get("/api/v1/decisions/\(id)", as: mod).code == 200)
        }
    }

    @Test func restrictionsHoldUntilTheyAreLifted() async throws {
        try await GraphWorld.run { world in
            let bob = try await world.person("bob")
            let mod = try await world.moderator("mod")
            let until = (world.clock.now + .seconds(3600)).rfc3339
            let account = bob.id.description
            for action in ["limit", "freeze", "suspend", "sensitive"] {
                _ = try await world.decide(["action": action, "account_id": account, "until": until], as: mod)
            }
            let told = try await world.told(AccountRestricted.self)
            #expect(told.count == 4 && told.allSatisfy { $0.accountID == bob.id })
            func held() async throws -> Set<DecisionAction> {
                let now = world.clock.now
                return try await world.database.transaction { transaction in
                    var held: Set<DecisionAction> = []
                    for action in [DecisionAction.limit, .freeze, .suspend, .sensitive]
                    where try await !DecisionStore.holding(action, of: bob.id, at: now, in: transaction).isEmpty {
                        held.insert(action)
                    }
                    return held
                }
            }
            #expect(try await held() == [.limit, .freeze, .suspend, .sensitive])
            let decisions = try await world.moderate(
                .get,
                "/api/v1/moderation/decisions?account_id=\(account)",
                as: mod
            ).list
            let freeze = try #require(decisions.first { $0["action"] as? String == "freeze" }).id
            let lift = "/api/v1/moderation/decisions/\(freeze)/lift"
            for _ in 0..<2 { #expect(try await world.moderate(.post, lift, as: mod).code == 200) }
            #expect(try await held() == [.limit, .suspend, .sensitive])
            #expect(try await world.told(DecisionMade.self).count { $0.action == .lift } == 1)
            world.clock.advance(.seconds(3601))
            #expect(try await held().isEmpty)
        }
    }

    @Test func sensitiveMarksAPost() async throws {
        try await GraphWorld.run { world in
            let bob = try await world.person("bob")
            let mod = try await world.moderator("mod")
            let post = try await world.write("skin", as: bob)
            let decided = try await world.decide(
                ["action": "sensitive", "things": world.thing(.post, post)],
                as: mod
            )
            #expect(try await world.status(post)["sensitive"] as? Bool == true)
            #expect(try await world.told(PostEdited.self).count == 1)
            let lift = "/api/v1/moderation/decisions/\(try #require(decided.first).id)/lift"
            #expect(try await world.moderate(.post, lift, as: mod).code == 200)
            #expect(try await world.status(post)["sensitive"] as? Bool == false)
        }
    }

    @Test func projectsAndRecordsGoAsIfTheirOwnerDeletedThem() async throws {
        try await GraphWorld.run { world in
            let bob = try await world.person("bob")
            let mod = try await world.moderator("mod")
            let project = try await world.project(by: bob).id
            let removed = try await world.decide(
                ["action": "remove", "things": world.thing(.project, project)],
                as: mod
            )
            #expect(try await world.get("/api/v1/projects/\(project)").code == 404)
            #expect(try await world.told(ProjectDeleted.self).count == 1)
            let lift = "/api/v1/moderation/decisions/\(try #require(removed.first).id)/lift"
            #expect(try await world.moderate(.post, lift, as: mod).code == 200)
            #expect(try await world.get("/api/v1/projects/\(project)").code == 200)
            #expect(try await world.ids("/api/v1/projects").contains(project))
        }
    }

    @Test func whatOthersKeepMustHaveBeenReported() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let id = try await world.filed(["message_ids": ["7"]], as: ann)
            let path = "/api/v1/moderation/decisions"
            let body: [String: any Sendable] = [
                "action": "remove", "things": world.thing(.message, "7"), "report_id": id,
            ]
            #expect(try await world.moderate(.post, path, as: mod, body).code == 422)
            let told = ReportedThingTold<ThingKeepers.Chat>(
                reportID: ReportID(try #require(Int64(id))),
                thing: Thing(kind: .message, id: "7"),
                authorID: bob.id,
                snapshot: ThingSnapshot(text: "rude", createdAt: world.clock.now)
            )
            try await world.hear(told, on: ReportedThings.queue)
            let decided = try await world.decide(body, as: mod)
            #expect((decided.first?["account"] as? [String: Any])?["id"] as? String == bob.id.description)
            #expect(try await world.told(DecisionMade.self).first?.thing?.kind == .message)
        }
    }

    @Test func whatMakesNoSenseIsRefused() async throws {
        try await GraphWorld.run { world in
            let bob = try await world.person("bob")
            let (mod, admin) = (try await world.moderator("mod"), try await world.moderator("boss", .admin))
            let account = bob.id.description
            let past = (world.clock.now - .seconds(1)).rfc3339
            let wrong: [[String: any Sendable]] = [
                [:], ["action": "lift", "account_id": account], ["action": "ban", "account_id": account],
                ["action": "suspend"], ["action": "remove", "account_id": account],
                ["action": "suspend", "account_id": account, "until": past],
                ["action": "warn", "account_id": account, "until": "2099-01-01T00:00:00Z"],
                ["action": "suspend", "things": world.thing(.post, "1")],
                ["action": "sensitive", "things": world.thing(.project, "1")],
                ["action": "remove", "things": world.thing(.account, account)],
                ["action": "warn", "account_id": account, "report_id": "99"],
            ]
            let path = "/api/v1/moderation/decisions"
            for body in wrong {
                #expect(try await world.moderate(.post, path, as: mod, body).code == 422, "\(body)")
            }
            func suspend(_ person: Person, as moderator: Person) async throws -> Int {
                let body: [String: any Sendable] = ["action": "suspend", "account_id": person.id.description]
                return try await world.moderate(.post, path, as: moderator, body).code
            }
            #expect(try await suspend(mod, as: mod) == 403)
            #expect(try await suspend(admin, as: mod) == 403)
            #expect(try await suspend(mod, as: admin) == 200)
        }
    }

    @Test func anAppealIsForAWhile() async throws {
        try await GraphWorld.run { world in
            let bob = try await world.person("bob")
            let mod = try await world.moderator("mod")
            let decided = try await world.decide(["action": "warn", "account_id": bob.id.description], as: mod)
            let id = try #require(decided.first).id
            world.clock.advance(.seconds(20 * 24 * 3600))
            let answer = try await world.send(.post, "/api/v1/decisions/\(id)/appeal", as: bob, ["text": "no"])
            #expect(answer.code == 422 && answer.text.contains("appeal-closed"))
        }
    }

    @Test func theLinkOfALetterIsGoodForOneAppeal() async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            let signer = try #require(PrincipalSigner(privateKey: Base64.encoded([UInt8](repeating: 7, count: 32))))
            let stranger = try #require(PrincipalSigner(privateKey: Base64.encoded([UInt8](repeating: 8, count: 32))))
            let world = try GraphWorld(database, appealTokens: PrincipalVerifier(publicKey: signer.publicKey))
            let bob = try await world.person("bob")
            let mod = try await world.moderator("mod")
            let suspend: [String: any Sendable] = ["action": "suspend", "account_id": bob.id.description]
            let id = try #require(try await world.decide(suspend, as: mod).first).id
            let token = AppealToken(
                decisionID: DecisionID(try #require(Int64(id))),
                accountID: bob.id,
                expires: world.clock.now + .seconds(60)
            )
            let (good, forged) = (try signer.sign(token), try stranger.sign(token))
            func appeal(_ token: String) async throws -> Answer {
                let body = "token=\(token)&text=please"
                let type = "application/x-www-form-urlencoded"
                return try await world.send(.post, "/api/v1/decisions/appeal", type: type, body: body)
            }
            let principal = try signer.sign(GraphWorld.principal(bob))
            for bad in [forged, "", "appeal.e30.", principal, good + "x"] {
                #expect(try await appeal(bad).code == 404, "\(bad)")
            }
            // Nor is the link a statement of who asks.
            #expect(PrincipalVerifier(publicKey: signer.publicKey)?.principal(good) == nil)
            let page = try await world.get("/appeal?token=\(good)&lang=ko")
            #expect(page.code == 200 && page.text.contains("<form") && page.text.contains("정지"))
            #expect(try await appeal(good).code == 200)
            #expect(try await appeal(good).code == 409)
            let after = try await world.get("/appeal?token=\(good)&lang=en")
            #expect(after.code == 200 && !after.text.contains("<form"))
            world.clock.advance(.seconds(61))
            #expect(try await appeal(good).code == 404)
        }
    }

    @Test func whatIsOldIsForgotten() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let post = try await world.write("old", as: bob)
            let report = try await world.filed(["account_id": bob.id.description, "status_ids": [post]], as: ann)
            _ = try await world.decide(
                ["action": "remove", "things": world.thing(.post, post), "report_id": report],
                as: mod
            )
            let suspended = try await world.decide(
                ["action": "suspend", "account_id": bob.id.description],
                as: mod
            )
            world.clock.advance(.seconds(401 * 24 * 3600))
            // All was told; and what evidence holds goes in the round after it.
            _ = try await world.database.query("DELETE FROM outbox")
            for _ in 0..<2 {
                for sweep in Sweeps.all(world.dependencies) { try await sweep.finish(in: world.database) }
            }
            for table in ["reports", "report_things", "evidence", "moderation_log"] as [SQL] {
                #expect(try await world.number("SELECT count(*) FROM \(table)") == 0)
            }
            // What holds for good stays known.
            let left = try await world.moderate(.get, "/api/v1/moderation/decisions", as: mod).list
            #expect(try left.map { try $0.id } == [try #require(suspended.first).id])
            #expect(try await world.number("SELECT count(*) FROM posts WHERE text = 'old'") == 0)
        }
    }
}

extension GraphWorld {
    /// Posts that an account counts.
    fileprivate func counts(of account: Person) async throws -> Int {
        try #require(try await AccountStore.account(account.id, in: database)).postsCount
    }
}
