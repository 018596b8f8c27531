// SPDX-License-Identifier: Apache-2.0
// Words and domains that are blocked, by whom, and what that means for who signs up.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Serving
import Support
import Testing
import Web

@testable import AuthService

/// Somebody with a role and a token of an app that they let administer.
struct Staff: Sendable {
    let world: AuthWorld
    let token: String

    init(_ name: String, as role: Role, _ world: AuthWorld) async throws {
        self.world = world
        _ = try await world.signUp(name)
        _ = try await Administration(
            database: world.database,
            ids: world.dependencies.ids,
            now: { world.clock.now },
            logger: AuthWorld.logger
        ).give(role, to: name)
        let app = try await world.app(scopes: "read write admin")
        var browser = TestBrowser(world)
        _ = try await browser.signIn(name)
        let query = "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)"
        let code = try #require(try await browser.decide(query + "&scope=admin").redirected("code"))
        token = try await world.send(
            .post,
            "/oauth/token",
            form: [
                ("grant_type", "authorization_code"), ("code", code), ("client_id", app.id),
                ("client_secret", app.secret), ("redirect_uri", AuthWorld.callback),
            ]
        ).text("access_token")
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ form: [(String, String)]? = nil) async throws -> Answer {
        try await world.send(method, "/api/v1/admin/\(path)", form: form, token: token)
    }
}

@Suite struct BlockTests {
    private static func signUp(_ fields: [(String, String)], _ world: AuthWorld) async throws -> Answer {
        let token = try await world.appToken(try await world.app())
        return try await world.send(.post, "/api/v1/accounts", form: fields, token: token)
    }

    private static func fields(_ name: String, mail: String) -> [(String, String)] {
        AuthWorld.fields(name).map { $0.0 == "email" ? ("email", mail) : $0 }
    }

    @Test func aWordIsBlockedChangedAndFreed() async throws {
        try await AuthWorld.run { world in
            let staff = try await Staff("boss", as: .moderator, world)
            let made = try await staff.send(.post, "blocked_terms", [("text", "  나쁜말 ")])
            #expect(made.status == .ok)
            #expect(try made.text("text") == "나쁜말")
            #expect(try made.text("action") == "refuse")
            let id = try made.text("id")
            // The same again is the same word.
            #expect(try await staff.send(.post, "blocked_terms", [("text", "나쁜말")]).text("id") == id)
            let changed = try await staff.send(
                .put,
                "blocked_terms/\(id)",
                [("action", "report"), ("sees_through_digits", "true")]
            )
            #expect(try changed.text("action") == "report")
            #expect(changed.object["sees_through_digits"] as? Bool == true)
            #expect(try await staff.send(.get, "blocked_terms").list.count == 1)
            #expect(try await staff.send(.get, "blocked_terms?min_id=\(id)").list.isEmpty)
            #expect(try await staff.send(.delete, "blocked_terms/\(id)").status == .ok)
            #expect(try await staff.send(.delete, "blocked_terms/\(id)").status == .notFound)
            #expect(try await staff.send(.get, "blocked_terms/\(id)").status == .notFound)
            let told = try await world.recorded("auth.BlockedTermChanged.v1").compactMap {
                $0["data"] as? [String: Any]
            }
            #expect(told.map { $0["action"] as? String } == ["refuse", "refuse", "report", nil])
            #expect(told.last?["text"] as? String == "")
            let versions = told.compactMap { $0["subject_version"] as? Int64 }
            #expect(versions == versions.sorted() && Set(versions).count == 4)
        }
    }

    @Test(arguments: [
        [("text", "")], [("text", "\u{200B}")], [("text", "...")], [("text", String(repeating: "말", count: 65))],
        [("action", "refuse")], [("text", "a"), ("action", "burn")],
    ])
    func whatCanNeverBeFoundIsRefused(form: [(String, String)]) async throws {
        try await AuthWorld.run { world in
            let staff = try await Staff("boss", as: .moderator, world)
            #expect(try await staff.send(.post, "blocked_terms", form).status == .unprocessableContent)
            #expect(try await world.recorded("auth.BlockedTermChanged.v1").isEmpty)
        }
    }

    @Test func thereAreOnlySoMany() async throws {
        try await AuthWorld.run { world in
            let audit = Audit(
                actor: "test",
                database: world.database,
                ids: world.dependencies.ids,
                now: { world.clock.now },
                logger: AuthWorld.logger
            )
            let blocks = Blocks(
                database: world.database,
                ids: world.dependencies.ids,
                now: { world.clock.now },
                audit: audit,
                most: 2
            )
            _ = try await blocks.block(try Blocks.Wish(text: "one"))
            _ = try await blocks.block(try Blocks.Wish(text: "two"))
            await #expect(throws: Blocks.Refusal.self) { try await blocks.block(try Blocks.Wish(text: "three")) }
            // What is there may be changed.
            _ = try await blocks.block(try Blocks.Wish(text: "two", action: .report))
            #expect(try await blocks.unblock { try await BlockedTermStore.find("one", in: $0) })
            _ = try await blocks.block(try Blocks.Wish(text: "three"))
        }
    }

    @Test func aDomainStandsInBothLists() async throws {
        try await AuthWorld.run { world in
            let staff = try await Staff("boss", as: .admin, world)
            let mail = try await staff.send(.post, "email_domain_blocks", [("domain", "Böse.Example.")])
            #expect(try mail.text("domain") == "xn--bse-sna.example")
            #expect(try await staff.send(.get, "domain_blocks").list.isEmpty)
            let link = try await staff.send(.post, "domain_blocks", [("domain", "böse.example")])
            #expect(try link.text("id") == (try mail.text("id")))
            #expect(try link.text("severity") == "suspend")
            #expect(try link.text("digest").count == 64)
            let id = try mail.text("id")
            #expect(try await staff.send(.delete, "email_domain_blocks/\(id)").status == .ok)
            #expect(try await staff.send(.get, "email_domain_blocks/\(id)").status == .notFound)
            #expect(try await staff.send(.get, "domain_blocks/\(id)").status == .ok)
            #expect(try await staff.send(.delete, "domain_blocks/\(id)").status == .ok)
            // Blocked again, it is the same.
            #expect(try await staff.send(.post, "domain_blocks", [("domain", "böse.example")]).text("id") == id)
            for text in ["", "example", "127.0.0.1", "a b.example", "-a.example", String(repeating: "a", count: 300)] {
                let answer = try await staff.send(.post, "domain_blocks", [("domain", text)])
                #expect(answer.status == .unprocessableContent, "\(text)")
            }
        }
    }

    @Test func nobodyWithoutARoleComesNear() async throws {
        try await AuthWorld.run { world in
            let person = try await world.signUp("minji")
            for path in ["blocked_terms", "email_domain_blocks", "domain_blocks", "documents?kind=rules"] {
                #expect(try await world.send(.get, "/api/v1/admin/\(path)", token: person).status == .forbidden)
                #expect(try await world.send(.get, "/api/v1/admin/\(path)").status == .unauthorized)
            }
            // Texts are published by administrators alone.
            let moderator = try await Staff("guard1", as: .moderator, world)
            let answer = try await moderator.send(.post, "documents", [("kind", "rules"), ("texts[en]", "- Be kind")])
            #expect(answer.status == .forbidden)
        }
    }

    @Test func nobodySignsUpWithWhatIsBlocked() async throws {
        try await AuthWorld.run { world in
            let staff = try await Staff("boss", as: .moderator, world)
            _ = try await staff.send(.post, "blocked_terms", [("text", "villain"), ("action", "report")])
            _ = try await staff.send(.post, "email_domain_blocks", [("domain", "trash.example")])
            for name in ["villain", "the_villain", "villain99", "VILLAIN"] {
                let answer = try await Self.signUp(AuthWorld.fields(name), world)
                #expect(answer.faults("username") == ["ERR_BLOCKED"], "\(name)")
            }
            for mail in ["a@trash.example", "a@mail.trash.example"] {
                let answer = try await Self.signUp(Self.fields("ann", mail: mail), world)
                #expect(answer.faults("email") == ["ERR_BLOCKED"], "\(mail)")
            }
            #expect(try await Self.signUp(Self.fields("villains", mail: "a@nottrash.example"), world).status == .ok)
            var browser = TestBrowser(world)
            let form = try await browser.get("/auth/sign_up")
            let page = try await browser.post(
                "/auth/sign_up",
                Self.fields("ann", mail: "a@trash.example") + [("form_token", form.field("form_token") ?? "")],
                language: "ko"
            )
            #expect(page.page.contains("이곳에서 사용할 수 없습니다"))
            #expect(!page.page.contains("trash.example이"))
        }
    }
}
