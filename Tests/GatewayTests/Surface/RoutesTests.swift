// SPDX-License-Identifier: Apache-2.0
// Which path leads where, and that no alias leads elsewhere.

import NIOHTTP1
import Surface
import Testing

@testable import GatewayService

@Suite struct RoutesTests {
    private let table = RouteTable(TestGateway.surface)

    private func path(_ method: HTTPMethod, _ target: String) -> String? {
        guard let target = RequestTarget(target), case .route(let index) = table.match(method, target.path) else {
            return nil
        }
        return table.routes[index].path
    }

    @Test func findsNamedBeforeVarying() {
        #expect(path(.GET, "/api/v1/accounts/verify_credentials") == "/api/v1/accounts/verify_credentials")
        #expect(path(.GET, "/api/v1/accounts/7") == "/api/v1/accounts/:id")
        #expect(path(.POST, "/api/v1/accounts/lookup/follow") == "/api/v1/accounts/:id/follow")
        #expect(path(.HEAD, "/") == "/")
    }

    @Test(arguments: [
        "//api//v1/accounts", "/api/v1/accounts/", "/api/v1/%61ccounts", "/api/v1/accounts?x=1",
        "http://madang.test/api/v1/accounts", "/api/v1/accounts//",
    ])
    func aliasesAreTheSameRoute(_ alias: String) throws {
        #expect(path(.POST, alias) == "/api/v1/accounts")
        #expect(RequestTarget(alias)?.path == "/api/v1/accounts")
    }

    @Test(arguments: ["/@ann", "/%40ann", "/%40%61nn/"]) func theSignBeforeANameMayBeEscaped(_ alias: String) {
        #expect(path(.GET, alias) == "/@:name")
        #expect(RequestTarget(alias)?.path == "/@ann")
    }

    @Test(arguments: [
        "/api/v1/Accounts", "/api/v1/accounts%2F", "/api/v1/accounts;x=1", "/internal/principal", "/api/v2/accounts",
        "/metrics", "//internal/principal", "/%69nternal/statistics", "/health/other",
    ])
    func othersLeadNowhere(_ target: String) { #expect(path(.POST, target) == nil) }

    @Test(arguments: [
        "", "*", "api", "/a b", "/a\u{7F}", "/a%", "/a%zz", "/a%00", "/../internal", "/a/%2e%2e/b", "/./a", "/a#b",
        "/a\\b", "ftp://x/", "http://x",
    ])
    func refusesWhatIsNoTarget(_ text: String) { #expect(RequestTarget(text) == nil) }

    @Test func tellsWhichMethodsThereAre() {
        #expect(table.match(.PATCH, "/api/v1/statuses") == .methods([.POST, .GET]))
        #expect(table.match(.GET, "/nothing") == RouteTable.Match.none)
    }

    @Test func keepsTheQueryAsItCame() throws {
        let target = try #require(RequestTarget("/api/v1/timelines/tag/%ED%95%9C?limit=5&a=%2f&tag=caf%C3%A9+x"))
        #expect(target.text == "/api/v1/timelines/tag/%ED%95%9C?limit=5&a=%2f&tag=caf%C3%A9+x")
        #expect(target.parameter("tag") == "café x")
        #expect(target.parameter("limit") == "5")
        #expect(target.parameter("none") == nil)
        #expect(RequestTarget("/tag/한?q=한")?.text == "/tag/%ED%95%9C?q=%ED%95%9C")
    }

    @Test func noTwoRoutesAreTheSame() {
        var seen: Set<String> = []
        for route in TestGateway.surface {
            #expect(seen.insert("\(route.method) \(route.path)").inserted, "\(route.method) \(route.path)")
            #expect(!route.path.hasPrefix("/internal") && !route.path.hasPrefix("/metrics"))
        }
    }
}
