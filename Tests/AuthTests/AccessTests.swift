// SPDX-License-Identifier: Apache-2.0
// Every route with every kind of identity.

import Domain
import Foundation
import HTTPTypes
import Support
import Surface
import Testing
import Web

@testable import AuthService

@Suite struct AccessTests {
    @Test func refusesWhoMayNot() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let expired = try await world.session("minji").access
            world.clock.advance(.seconds(901))
            let app = try await world.app(scopes: "push")
            let narrow = try await world.send(
                .post,
                "/oauth/token",
                form: [
                    ("grant_type", "client_credentials"), ("client_id", app.id), ("client_secret", app.secret),
                    ("scope", "push"),
                ]
            ).text("access_token")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let query =
                "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=push"
            let code = try #require(try await browser.decide(query).redirected("code"))
            let wrongScope = try await world.send(
                .post,
                "/oauth/token",
                form: [
                    ("grant_type", "authorization_code"), ("code", code), ("client_id", app.id),
                    ("client_secret", app.secret), ("redirect_uri", AuthWorld.callback),
                ]
            ).text("access_token")
            for route in Routes.all {
                let path = route.path.replacing(":id", with: "1")
                func status(_ token: String?) async throws -> Int {
                    try await world.send(route.method, path, token: token).status.code
                }
                switch route.access {
                case .anyone:
                    #expect(try await status(nil) < 500, "\(path)")
                case .internal:
                    #expect(try await status(nil) == 404, "\(path)")
                    #expect(try await status(wrongScope) == 404, "\(path)")
                case .app(let scope):
                    #expect(try await status(nil) == 401, "\(path)")
                    #expect(try await status(expired) == 401, "\(path)")
                    #expect(try await status(narrow) == (scope == nil ? 200 : 403), "\(path)")
                case .account(let scope), .moderator(let scope):
                    #expect(try await status(nil) == 401, "\(path)")
                    #expect(try await status(expired) == 401, "\(path)")
                    #expect(try await status(narrow) == 422, "\(path)")
                    let wrong = try await status(wrongScope)
                    #expect(scope == nil ? wrong != 401 && wrong < 500 : wrong == 403, "\(path)")
                }
            }
        }
    }

    @Test func namesOnlyKnownScopes() {
        for route in Routes.all {
            switch route.access {
            case .app(let scope?), .account(let scope?), .moderator(let scope?):
                #expect(Scope.known.contains(scope.text))
            default: break
            }
        }
    }
}
