// SPDX-License-Identifier: Apache-2.0
// Versions of what people agree to, and who agreed to which.

import Calls
import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct DocumentTests {
    private static let day = Duration.seconds(86_400)

    private static func publish(
        _ kind: DocumentKind,
        _ texts: [Language: String] = [.english: "- Be kind", .korean: "- 친절하게"],
        in days: Int64 = 0,
        grace: Int64? = nil,
        _ world: AuthWorld
    ) async throws -> Document {
        let today = Day(world.clock.now)
        let audit = Audit(
            actor: "operator test",
            database: world.database,
            ids: world.dependencies.ids,
            now: { world.clock.now },
            logger: AuthWorld.logger
        )
        return try await PublishDocument(
            database: world.database,
            ids: world.dependencies.ids,
            now: { world.clock.now },
            audit: audit
        ).run(
            try Document.Draft(
                kind: kind,
                texts: texts,
                effective: today.advanced(by: days),
                graceDays: grace,
                today: today
            )
        )
    }

    private static func given(_ name: String, _ world: AuthWorld) async throws -> [String] {
        let token = try await world.session(name).access
        let agreements = try await world.send(.get, "/api/v1/agreements", token: token)
        let given = try #require(agreements.object["given"] as? [[String: Any]])
        return try given.map { consent in
            let version = try #require(consent["version"] as? Int)
            return "\(consent["kind"] ?? "") \(version) \(consent["way"] ?? "")"
        }
    }

    @Test func whoSignsUpAgreesToWhatIsInForce() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("early")
            #expect(try await Self.given("early", world) == ["privacy 0 app", "rules 0 app"])
            _ = try await Self.publish(.rules, in: 0, world)
            _ = try await Self.publish(.terms, in: 7, world)
            var browser = TestBrowser(world)
            let form = try await browser.get("/auth/sign_up")
            let answer = try await browser.post(
                "/auth/sign_up",
                AuthWorld.fields("minji") + [("form_token", form.field("form_token") ?? "")]
            )
            #expect(answer.status == .seeOther)
            #expect(try await Self.given("minji", world) == ["privacy 0 page", "rules 1 page"])
            world.clock.advance(Self.day * 7)
            _ = try await world.signUp("late")
            #expect(try await Self.given("late", world) == ["privacy 0 app", "rules 1 app", "terms 1 app"])
        }
    }

    @Test func theTermsAreThoseOfTheDay() async throws {
        try await AuthWorld.run { world in
            let path = "/api/v1/instance/terms_of_service"
            #expect(try await world.send(.get, path).status == .notFound)
            let first = try await Self.publish(.terms, [.english: "# One\n\na & b", .korean: "첫째"], world)
            let second = try await Self.publish(.terms, [.english: "Two"], in: 30, world)
            #expect([first.version, second.version] == [1, 2])
            let now = try await world.send(.get, path)
            #expect(try now.text("content") == "<h2>One</h2><p>a &amp; b</p>")
            #expect(try now.text("effective_date") == first.effective.description)
            #expect(try now.text("succeeded_by") == second.effective.description)
            #expect(now.object["effective"] as? Bool == true)
            let korean = try await world.send(.get, path, headers: [("Accept-Language", "ko")])
            #expect(try korean.text("content") == "<p>첫째</p>")
            let next = try await world.send(.get, "\(path)/\(second.effective)", headers: [("Accept-Language", "ko")])
            #expect(next.object["effective"] as? Bool == false)
            #expect(try next.text("content") == "<p>Two</p>")
            for day in ["2020-01-01", "tomorrow", "2026-02-30", Day(world.clock.now).advanced(by: 1).description] {
                #expect(try await world.send(.get, "\(path)/\(day)").status == .notFound, "\(day)")
            }
            world.clock.advance(Self.day * 30)
            #expect(try await world.send(.get, path).text("content") == "<p>Two</p>")
        }
    }

    @Test func versionsFollowEachOther() async throws {
        try await AuthWorld.run { world in
            _ = try await Self.publish(.rules, in: 5, world)
            await #expect(throws: Problem.self) { try await Self.publish(.rules, in: 5, world) }
            await #expect(throws: Problem.self) { try await Self.publish(.rules, in: 4, world) }
            await #expect(throws: Problem.self) { try await Self.publish(.rules, in: -1, world) }
            await #expect(throws: Problem.self) { try await Self.publish(.rules, [.english: " \n"], in: 6, world) }
            await #expect(throws: Problem.self) {
                try await Self.publish(.rules, [.english: String(repeating: "말", count: 20_001)], in: 6, world)
            }
            await #expect(throws: Problem.self) { try await Self.publish(.rules, in: 6, grace: -1, world) }
            #expect(try await Self.publish(.rules, in: 6, world).version == 2)
            // Of another kind on the same day.
            #expect(try await Self.publish(.privacy, in: 6, world).version == 1)
        }
    }

    @Test func whoHasToAgreeAnewIsToldAndThenRefused() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            _ = try await Self.publish(.rules, in: 0, world)
            // That one asks nobody.
            #expect(try await world.session("minji").access.isEmpty == false)
            _ = try await Self.publish(.rules, in: 1, grace: 3, world)
            let form = [("username", "minji"), ("password", AuthWorld.password), ("device_name", "Phone")]
            func signIn(_ more: [(String, String)] = []) async throws -> Answer {
                try await world.send(.post, "/api/v1/sessions", form: form + more)
            }
            #expect(try await signIn().object["agreements_due"] == nil)
            world.clock.advance(Self.day)
            let due = try #require(try await signIn().object["agreements_due"] as? [[String: Any]])
            #expect(due.map { $0["kind"] as? String } == ["rules"])
            #expect(due.map { $0["version"] as? Int } == [2])
            world.clock.advance(Self.day * 4)
            let refused = try await signIn()
            #expect(refused.status == .forbidden)
            #expect(try refused.text("code") == "agreement-needed")
            let agreed = try await signIn([("agreement", "true")])
            #expect(agreed.status == .ok)
            #expect(agreed.object["agreements_due"] == nil)
            #expect(try await signIn().status == .ok)
            #expect(try await Self.given("minji", world) == ["privacy 0 app", "rules 0 app", "rules 2 app"])
        }
    }

    @Test func anAppAgreesForWhoIsSignedIn() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            _ = try await Self.publish(.terms, grace: 3, world)
            let before = try await world.send(.get, "/api/v1/agreements", token: token)
            #expect((before.object["due"] as? [Any])?.count == 1)
            #expect(try await world.send(.post, "/api/v1/agreements", form: [], token: token).status.code == 422)
            let after = try await world.send(.post, "/api/v1/agreements", form: [("agreement", "true")], token: token)
            #expect((after.object["due"] as? [Any])?.isEmpty == true)
            #expect(try await world.send(.get, "/api/v1/agreements").status == .unauthorized)
        }
    }

    @Test func thePageAsks() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            _ = try await Self.publish(.privacy, grace: 3, world)
            var browser = TestBrowser(world)
            let answer = try await browser.signIn("minji", returnTo: "/after")
            #expect(answer.location.hasPrefix("/auth/agree?"))
            let page = try await browser.get(answer.location)
            #expect(page.page.contains("/privacy-policy") && page.page.contains("/after"))
            let form = [("form_token", page.field("form_token") ?? ""), ("return_to", "/after")]
            let refused = try await browser.post("/auth/agree", form)
            #expect(refused.status == .unprocessableContent)
            #expect(try await browser.post("/auth/agree", [("agreement", "true")]).status == .forbidden)
            let done = try await browser.post("/auth/agree", form + [("agreement", "true")])
            #expect(done.location == "/after")
            #expect(try await browser.get("/auth/agree?return_to=/after").location == "/after")
            #expect(try await Self.given("minji", world).contains("privacy 1 page"))
            var stranger = TestBrowser(world)
            #expect(try await stranger.get("/auth/agree").location.hasPrefix("/auth/sign_in"))
        }
    }

    @Test func anAppIsLetInOnlyByWhoHasAgreed() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let app = try await world.app()
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            _ = try await Self.publish(.rules, grace: 1, world)
            let query =
                "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=read"
            #expect(try await browser.get("/oauth/authorize?" + query).status == .ok)
            world.clock.advance(Self.day * 2)
            let answer = try await browser.get("/oauth/authorize?" + query)
            #expect(answer.location.hasPrefix("/auth/agree?return_to="))
        }
    }

    @Test func theGatewayIsToldWhatIsInForce() async throws {
        try await AuthWorld.run { world in
            _ = try await Self.publish(.rules, in: 0, world)
            _ = try await Self.publish(.rules, [.english: "- Later"], in: 3, world)
            let answer = try await world.send(
                .get,
                "/internal/documents",
                headers: [("X-Madang-Internal", AuthWorld.secret)]
            )
            let documents = try #require(answer.object["documents"] as? [[String: Any]])
            #expect(documents.map { $0["kind"] as? String } == ["rules"])
            #expect((documents.first?["texts"] as? [String: String])?["ko"] == "- 친절하게")
        }
    }
}
