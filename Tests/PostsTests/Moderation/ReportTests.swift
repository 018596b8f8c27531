// SPDX-License-Identifier: Apache-2.0
// Reports: what is kept of them, who may file which, and the moderators' queue.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct ReportTests {
    @Test func aReportKeepsThePostAsItWas() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let post = try await world.write("as it was", as: bob)
            let answer = try await world.report(
                [
                    "account_id": bob.id.description, "status_ids": [post], "comment": "look", "category": "spam",
                    "forward": true,
                ],
                as: ann
            )
            let report = try answer.object
            #expect(report["action_taken"] as? Bool == false && report["category"] as? String == "spam")
            #expect(report["forwarded"] as? Bool == false && report["status_ids"] as? [String] == [post])
            #expect((report["target_account"] as? [String: Any])?["id"] as? String == bob.id.description)
            let edited = try await world.send(.put, "/api/v1/statuses/\(post)", as: bob, ["status": "another"])
            #expect(edited.code == 200)
            #expect(try await world.send(.delete, "/api/v1/statuses/\(post)", as: bob).code == 200)
            let queued = try await world.queued(try report.id, as: mod)
            let things = try #require(queued["things"] as? [[String: Any]])
            #expect(things.count == 1 && (things[0]["snapshot"] as? [String: Any])?["text"] as? String == "as it was")
            let told = try await world.told(ReportFiled.self)
            #expect(told.map(\.report.id.description) == [try report.id])
            #expect(told.first?.target.id == bob.id && told.first?.reporter?.id == ann.id)
        }
    }

    @Test func nobodyReportsWhatTheyCannotSee() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let secret = try await world.write("psst", as: bob, ["visibility": "private"])
            let open = try await world.write("all", as: bob)
            let refused: [[String: any Sendable]] = [
                ["account_id": bob.id.description, "status_ids": [secret]],
                ["account_id": cat.id.description, "status_ids": [open]],
                ["account_id": "99"], ["project_ids": ["99"]], ["record_ids": ["99"]],
            ]
            for body in refused { #expect(try await world.report(body, as: ann).code == 404, "\(body)") }
            let wrong: [[String: any Sendable]] = [
                [:], ["account_id": ann.id.description], ["account_id": bob.id.description, "category": "envy"],
                ["account_id": bob.id.description, "comment": String(repeating: "a", count: 1001)],
                ["account_id": bob.id.description, "status_ids": (1...41).map(String.init)],
            ]
            for body in wrong { #expect(try await world.report(body, as: ann).code == 422, "\(body)") }
            #expect(try await world.report(["account_id": "x"], as: ann).code == 400)
            #expect(try await world.number("SELECT count(*) FROM reports") == 0)
        }
    }

    @Test func thingsOfOthersAreAskedOfThem() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let mod = try await world.moderator("mod")
            let id = try await world.filed(["message_ids": ["7", "8"], "gif_ids": ["9"]], as: ann)
            let asked = try #require(try await world.told(ThingReported.self).first)
            #expect(asked.reporterID == ann.id && Set(asked.things.map(\.kind)) == [.message, .gif])
            #expect(try await world.told(ReportFiled.self).isEmpty)
            let report = ReportID(try #require(Int64(id)))
            let snapshot = ThingSnapshot(text: "rude", placeID: "3", createdAt: world.clock.now)
            let message = ReportedThingTold<ThingKeepers.Chat>(
                reportID: report,
                thing: Thing(kind: .message, id: "7"),
                authorID: bob.id,
                snapshot: snapshot
            )
            // Twice, and of what is not there nothing stays.
            try await world.hear(message, on: ReportedThings.queue)
            try await world.hear(message, on: ReportedThings.queue)
            let nothing = ReportedThingTold<ThingKeepers.Chat>(
                reportID: report,
                thing: Thing(kind: .message, id: "8")
            )
            try await world.hear(nothing, on: ReportedThings.queue)
            let gif = ReportedThingTold<ThingKeepers.Media>(
                reportID: report,
                thing: Thing(kind: .gif, id: "9"),
                snapshot: snapshot
            )
            try await world.hear(gif, on: ReportedThings.queue)
            let queued = try await world.queued(id, as: mod)
            #expect((queued["target_account"] as? [String: Any])?["id"] as? String == bob.id.description)
            let things = try #require(queued["things"] as? [[String: Any]])
            #expect(things.compactMap { $0["id"] as? String } == ["9", "7"])
            #expect(try await world.told(ReportFiled.self).count == 1)
        }
    }

    @Test func whatSomebodyElseMadeIsNotReportedWithAnAccount() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let mod = try await world.moderator("mod")
            let id = try await world.filed(["account_id": bob.id.description, "message_ids": ["7", "8"]], as: ann)
            for (message, author) in [("7", cat), ("8", bob)] {
                let told = ReportedThingTold<ThingKeepers.Chat>(
                    reportID: ReportID(try #require(Int64(id))),
                    thing: Thing(kind: .message, id: message),
                    authorID: author.id,
                    snapshot: ThingSnapshot(text: "rude", createdAt: world.clock.now)
                )
                try await world.hear(told, on: ReportedThings.queue)
            }
            let queued = try await world.queued(id, as: mod)
            #expect((queued["target_account"] as? [String: Any])?["id"] as? String == bob.id.description)
            let things = try #require(queued["things"] as? [[String: Any]])
            #expect(things.compactMap { $0["id"] as? String } == ["8"])
        }
    }

    @Test func aReportAboutAModeratorIsForTheOthers() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let (mod, other) = (try await world.moderator("mod"), try await world.moderator("other", .admin))
            let named = try await world.filed(["account_id": mod.id.description], as: ann)
            // Of a thing alone nobody is named until whoever keeps it has said whose it is.
            let written = try await world.filed(["message_ids": ["7"]], as: ann)
            let told = ReportedThingTold<ThingKeepers.Chat>(
                reportID: ReportID(try #require(Int64(written))),
                thing: Thing(kind: .message, id: "7"),
                authorID: mod.id,
                snapshot: ThingSnapshot(text: "rude", createdAt: world.clock.now)
            )
            try await world.hear(told, on: ReportedThings.queue)
            let (queue, admin) = ("/api/v1/moderation/reports", "/api/v1/admin/reports")
            for list in [queue, admin, "\(queue)?target_account_id=\(mod.id)", "\(admin)?target_account_id=\(mod.id)"] {
                #expect(try await world.moderate(.get, list, as: mod).list.isEmpty, "\(list)")
                #expect(try await world.moderate(.get, list, as: other).list.count == 2, "\(list)")
            }
            for id in [named, written] {
                let deeds: [(HTTPRequest.Method, String, [String: any Sendable]?)] = [
                    (.get, "\(queue)/\(id)", nil), (.post, "\(queue)/\(id)/claim", nil),
                    (.post, "\(queue)/\(id)/release", nil), (.post, "\(queue)/\(id)/close", nil),
                    (.post, "\(queue)/\(id)/reopen", nil), (.post, "\(queue)/\(id)/notes", ["text": "it was a joke"]),
                    (.get, "\(admin)/\(id)", nil), (.put, "\(admin)/\(id)", ["category": "spam"]),
                    (.post, "\(admin)/\(id)/assign_to_self", nil), (.post, "\(admin)/\(id)/unassign", nil),
                    (.post, "\(admin)/\(id)/resolve", nil), (.post, "\(admin)/\(id)/reopen", nil),
                ]
                for (method, path, body) in deeds {
                    #expect(try await world.moderate(method, path, as: mod, body).code == 403, "\(method) \(path)")
                }
                #expect(try await world.queued(id, as: other)["state"] as? String == "open")
            }
            // Nor with a decision about somebody else.
            let body: [String: any Sendable] = [
                "action": "warn", "account_id": ann.id.description, "reason": "no", "report_id": named,
            ]
            #expect(try await world.moderate(.post, "/api/v1/moderation/decisions", as: mod, body).code == 403)
            let act = "/api/v1/admin/accounts/\(ann.id)/action"
            let closing: [String: any Sendable] = ["type": "none", "report_id": named]
            #expect(try await world.moderate(.post, act, as: mod, closing).code == 403)
            #expect(try await world.told(DecisionMade.self).isEmpty)
            #expect(try await world.moderate(.post, "\(queue)/\(named)/close", as: other).code == 200)
        }
    }

    @Test func aDecisionClosesNoReportAboutSomebodyElse() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let mod = try await world.moderator("mod")
            let id = try await world.filed(["account_id": bob.id.description], as: ann)
            let decisions = "/api/v1/moderation/decisions"
            func body(_ action: String, _ name: String, about person: Person) -> [String: any Sendable] {
                [name: action, "account_id": person.id.description, "report_id": id, "reason": "so", "text": "so"]
            }
            let refused = try await world.moderate(.post, decisions, as: mod, body("warn", "action", about: cat))
            #expect(refused.code == 422 && refused.text.contains("report_id"), "\(refused.text)")
            for type in ["none", "suspend"] {
                let path = "/api/v1/admin/accounts/\(cat.id)/action"
                #expect(try await world.moderate(.post, path, as: mod, body(type, "type", about: cat)).code == 422)
            }
            let silent: [String: any Sendable] = ["type": "none", "report_id": id]
            let path = "/api/v1/admin/accounts/\(cat.id)/action"
            #expect(try await world.moderate(.post, path, as: mod, silent).code == 422)
            let post = try await world.write("of cat", as: cat)
            let removal: [String: any Sendable] = [
                "action": "remove", "things": world.thing(.post, post), "report_id": id,
            ]
            #expect(try await world.moderate(.post, decisions, as: mod, removal).code == 422)
            #expect(try await world.get("/api/v1/statuses/\(post)").code == 200)
            #expect(try await world.queued(id, as: mod)["state"] as? String == "open")
            #expect(try await world.told(DecisionMade.self).isEmpty)
            _ = try await world.decide(body("warn", "action", about: bob), as: mod)
            #expect(try await world.queued(id, as: mod)["state"] as? String == "closed")
        }
    }

    @Test func aReportOfNothingGoes() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = ReportID(try #require(Int64(try await world.filed(["playground_ids": ["7"]], as: ann))))
            let nothing = ReportedThingTold<ThingKeepers.Chat>(
                reportID: id,
                thing: Thing(kind: .playground, id: "7")
            )
            try await world.hear(nothing, on: ReportedThings.queue)
            #expect(try await world.number("SELECT count(*) FROM reports") == 0)
        }
    }

    @Test func onePersonFilesSoManyADay() async throws {
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            var limits = Limits()
            limits.moderation.daily = 2
            let world = try GraphWorld(database, limits: limits)
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let body: [String: any Sendable] = ["account_id": bob.id.description]
            for _ in 0..<2 { _ = try await world.filed(body, as: ann) }
            #expect(try await world.report(body, as: ann).code == 429)
            world.clock.advance(.seconds(24 * 3600 + 1))
            _ = try await world.filed(body, as: ann)
        }
    }

    @Test func moderatorsWorkTheQueue() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let (mod, other) = (try await world.moderator("mod"), try await world.moderator("other"))
            let first = try await world.filed(["account_id": bob.id.description], as: ann)
            let second = try await world.filed(["account_id": bob.id.description], as: ann)
            let queue = "/api/v1/moderation/reports"
            func ids(_ query: String, as moderator: Person) async throws -> [String] {
                try await world.moderate(.get, queue + query, as: moderator).list.map { try $0.id }
            }
            #expect(try await ids("", as: mod) == [second, first])
            #expect(try await world.moderate(.post, "\(queue)/\(first)/claim", as: mod).code == 200)
            #expect(try await ids("?assigned=me", as: mod) == [first])
            #expect(try await ids("?assigned=me", as: other).isEmpty)
            #expect(try await ids("?assigned=none", as: other) == [second])
            let noted = try await world.moderate(.post, "\(queue)/\(first)/notes", as: other, ["text": "I know them"])
            #expect((try noted.object["notes"] as? [[String: Any]])?.count == 1)
            #expect(try await world.moderate(.post, "\(queue)/\(first)/notes", as: other, ["text": " "]).code == 422)
            #expect(try await world.moderate(.post, "\(queue)/\(first)/close", as: mod).code == 200)
            #expect(try await ids("", as: mod) == [second])
            #expect(try await ids("?state=closed", as: mod) == [first])
            #expect(try await world.moderate(.post, "\(queue)/\(first)/reopen", as: mod).code == 200)
            #expect(try await world.moderate(.post, "\(queue)/\(first)/release", as: mod).code == 200)
            #expect(try await ids("?assigned=none&limit=1", as: mod) == [second])
            let deeds = try await world.moderate(.get, "/api/v1/moderation/log", as: mod).list
            #expect(deeds.compactMap { $0["deed"] as? String } == ["release", "reopen", "close", "note", "claim"])
        }
    }

    @Test func onlyModeratorsWithTheScope() async throws {
        try await GraphWorld.run { world in
            let (ann, mod) = (try await world.person("ann"), try await world.moderator("mod"))
            for route in Routes.moderation {
                guard case .moderator(let scope) = route.access else { continue }
                let path = route.path.replacing(":id", with: "1")
                #expect(try await world.send(route.method, path).code == 401, "\(path)")
                let narrow = try await world.send(route.method, path, as: mod, scopes: "read write")
                #expect(narrow.code == 403, "\(path)")
                let nobody = try await world.send(route.method, path, as: ann, scopes: GraphWorld.powers)
                #expect(nobody.code == 403, "\(path)")
                let allowed = try await world.send(route.method, path, as: mod, scopes: try #require(scope?.text))
                #expect(![401, 403, 500].contains(allowed.code), "\(path)")
            }
        }
    }

    @Test func whatWaitsForADayIsCounted() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            _ = try await world.filed(["account_id": bob.id.description], as: ann)
            func waiting() async throws -> Int {
                let oldest = world.clock.now - ReportsWaiting.patience
                return try await ReportStore.waiting(since: oldest, in: world.database)
            }
            #expect(try await waiting() == 0)
            world.clock.advance(.seconds(24 * 3600 + 1))
            #expect(try await waiting() == 1)
        }
    }
}

@Suite struct ModerationBadInputTests {
    /// Nothing that somebody who moderates sends is a 5xx.
    @Test func whateverComes() async throws {
        try await GraphWorld.run { world in
            var random = TestSeed()
            let bob = try await world.person("bob")
            let mod = try await world.moderator("mod")
            let names = [
                "action", "type", "account_id", "things[0][kind]", "things[0][id]", "things[]", "report_id", "reason",
                "text", "until", "close", "status", "username", "display_name", "limit", "max_id", "state", "assigned",
                "category", "rule_ids[]", "resolved", "permissions", "token",
            ]
            let values = [
                "suspend", "remove", "post", "1", "-1", "0", "9223372036854775807", "9223372036854775808", "", "%00",
                "%FF", "9999-12-31T23:59:60Z", "2026-02-30", String(repeating: "a", count: 100_000), "'%3B--", "$1",
                bob.id.description,
            ]
            for route in Routes.moderation {
                let path = route.path.replacing(":id", with: bob.id.description)
                for round in 0..<60 {
                    let pairs = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        let (name, value) = (names.randomElement(using: &random), values.randomElement(using: &random))
                        return "\(name ?? "")=\(value ?? "")"
                    }
                    let text = pairs.joined(separator: "&")
                    let isQuery = route.method == .get || round.isMultiple(of: 5)
                    let answer = try await world.send(
                        route.method,
                        isQuery ? "\(path)?\(text)" : path,
                        as: mod,
                        scopes: GraphWorld.powers,
                        type: isQuery ? nil : "application/x-www-form-urlencoded",
                        body: isQuery ? "" : text
                    )
                    #expect(answer.code < 500, "\(route.method) \(path) \(text.prefix(200)) seed \(random.seed)")
                }
            }
        }
    }
}
