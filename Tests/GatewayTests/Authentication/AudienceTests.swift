// SPDX-License-Identifier: Apache-2.0
// Statements and secrets that are good for one service only.

import Domain
import NIOHTTP1
import ServiceKit
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct AudienceTests {
    @Test func carriesToEachServiceTheStatementThatIsForIt() async throws {
        let auth: @Sendable (FakeService.Asked) -> FakeService.Behaviour = { asked in
            guard asked.head.uri == "/internal/principal" else { return .answer(.ok, [], "[]") }
            let audiences = ServiceName.allCases.map { #""\#($0.rawValue)""# }.joined(separator: ",")
            guard asked.body.contains(#""audiences":[\#(audiences)]"#) else {
                return .answer(.unauthorized, [], "{}")
            }
            let expires = Timestamp.now().milliseconds + 300_000
            let principals = ServiceName.allCases.map { #""\#($0.rawValue)":"for-\#($0.rawValue)""# }
            return .answer(
                .ok,
                [],
                #"{"principals":{\#(principals.joined(separator: ","))},"expires":\#(expires),"session_id":"9","#
                    + #""account_id":"7","username":"mina","scopes":"read write"}"#
            )
        }
        try await TestGateway.run(auth: auth) { gateway in
            for path in ["/api/v1/timelines/home", "/api/v1/playgrounds", "/api/v1/notifications", "/api/v1/sessions"] {
                let answer = try await gateway.ask("GET", path, token: "any")
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path)")
            }
            func statements(_ service: FakeService) -> [String] {
                service.asked.flatMap { $0.head.headers["x-madang-principal"] }
            }
            #expect(statements(gateway.posts) == ["for-posts"])
            #expect(statements(gateway.chat) == ["for-chat"])
            #expect(statements(gateway.notifications) == ["for-notifications"])
            #expect(statements(gateway.auth) == ["for-auth"])
        }
    }

    @Test func hasASecretWithEachService() throws {
        let asked = ServiceName.allCases.filter(\.isAsked)
        let own = asked.map { ("MADANG_INTERNAL_SECRET_\($0.rawValue.uppercased())", "with-\($0)") }
        let config = try TestGateway.config(Dictionary(uniqueKeysWithValues: own + [("MADANG_INTERNAL_SECRET", "")]))
        for service in asked {
            #expect(config.internalSecret(service) == "with-\(service.rawValue)")
        }
        // An installation from before, until its secrets are made anew.
        #expect(try TestGateway.config().internalSecret(.posts) == "inner")
        var bad = Settings(environment: ["MADANG_INTERNAL_SECRET_AUTH": "x"])
        _ = GatewayConfig(&bad)
        #expect(throws: Settings.Invalid.self) { try bad.finish() }
    }
}
