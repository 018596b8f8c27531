// SPDX-License-Identifier: Apache-2.0
// What every answer says of who may keep it, read it or frame it; and what a line of the log says of who asked.

import Domain
import NIOHTTP1
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.serialized, .againstHanging) struct AnswerHeaderTests {
    private func fields(_ name: String, _ answer: String) -> [String] {
        let head = answer.split(separator: "\r\n\r\n", maxSplits: 1).first ?? ""
        return head.split(separator: "\r\n").dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard let first = parts.first, first.lowercased() == name, parts.count == 2 else { return nil }
            return String(parts[1].drop { $0 == " " })
        }
    }

    // MARK: The date

    /// Whoever answers: a service (whose own date counts for nothing), the gateway, and whoever is refused.
    @Test func everyAnswerTellsItsMoment() async throws {
        let moment = Shared(Timestamp(milliseconds: 1_767_323_045_678))
        try await TestGateway.run(
            posts: { _ in .answer(.ok, [("date", "Thu, 01 Jan 1970 00:00:00 GMT")], "[]") },
            now: { moment.value.withLock { $0 } }
        ) { gateway in
            for (method, path) in [
                ("GET", "/api/v1/timelines/public"), ("GET", "/health"),
                ("GET", "/api/v2/instance"), ("GET", "/"), ("GET", "/nowhere"), ("DELETE", "/health"),
                ("OPTIONS", "/api/v1/statuses"), ("GET", "/api/v1/timelines/home"), ("GET", "/api/v1/streaming"),
                ("GET", "/api/v1/streaming/user"), ("GET", "/socket.io/?EIO=3&transport=polling"),
                ("GET", "/v1/users/me"),
            ] {
                let answer = try await gateway.ask(method, path)
                #expect(fields("date", answer) == ["Fri, 02 Jan 2026 03:04:05 GMT"], "\(method) \(path): \(answer)")
            }
            let client = try await gateway.client()
            try await client.send("nonsense\r\n\r\n")
            #expect(fields("date", try await client.untilClosed()) == ["Fri, 02 Jan 2026 03:04:05 GMT"])
            moment.value.withLock { $0 = $0 + .milliseconds(322) }
            let later = try await gateway.ask("GET", "/health")
            #expect(fields("date", later) == ["Fri, 02 Jan 2026 03:04:06 GMT"])
        }
    }

    // MARK: Caches

    @Test func whatIsAnsweredToATokenIsKeptByNobody() async throws {
        try await TestGateway.run { gateway in
            let mine = try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9")
            #expect(fields("cache-control", mine) == ["private, no-store"])
            let anybodys = try await gateway.ask("GET", "/api/v1/timelines/public")
            #expect(fields("cache-control", anybodys).isEmpty)
            let asMyself = try await gateway.ask("GET", "/api/v1/timelines/public", token: "good-7-9")
            #expect(fields("cache-control", asMyself) == ["private, no-store"])
        }
    }

    @Test func aServiceMaySayForItself() async throws {
        try await TestGateway.run(posts: { _ in .answer(.ok, [("cache-control", "public, max-age=60")], "[]") }) {
            gateway in
            let answer = try await gateway.ask("GET", "/api/v1/custom_emojis", token: "good-7-9")
            #expect(fields("cache-control", answer) == ["public, max-age=60"])
        }
    }

    // MARK: Other origins

    /// Any page may read what anybody may read, and nothing else: no cookie works across origins.
    @Test func noOriginEverGetsCredentials() async throws {
        try await TestGateway.run { gateway in
            for route in TestGateway.surface where route.destination != .socketIO {
                guard case .stream = route.destination else {
                    let path = route.path.replacing(":id", with: "7").replacing(":", with: "x")
                    let answer = try await gateway.ask(
                        route.method.rawValue,
                        path,
                        "Origin: https://evil.example",
                        "Cookie: session=1",
                        "Content-Length: 0"
                    )
                    let name = "\(route.method.rawValue) \(route.path)"
                    #expect(fields("access-control-allow-credentials", answer).isEmpty, "\(name)")
                    let origin = fields("access-control-allow-origin", answer)
                    #expect(origin == (route.isPage ? [] : ["*"]), "\(name)")
                    #expect(!fields("x-frame-options", answer).isEmpty, "\(name)")
                    #expect(fields("x-content-type-options", answer) == ["nosniff"], "\(name)")
                    continue
                }
            }
            // A cookie reaches no service but auth, whose pages no other origin may read.
            let asked = gateway.posts.asked + gateway.chat.asked + gateway.notifications.asked
            #expect(asked.allSatisfy { !$0.head.headers.contains(name: "cookie") })
        }
    }

    @Test func aSocketOfAnotherOriginHasNothingButItsToken() async throws {
        try await TestGateway.run { gateway in
            let answer = try await gateway.ask(
                "GET",
                "/api/v1/streaming?stream=user",
                "Origin: https://evil.example",
                "Cookie: session=1",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
            )
            #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
        }
    }

    @Test func aPreflightAllowsWhatIsThere() async throws {
        try await TestGateway.run { gateway in
            let answer = try await gateway.ask(
                "OPTIONS",
                "/api/v1/statuses",
                "Origin: https://app.example",
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: authorization, idempotency-key"
            )
            #expect(answer.hasPrefix("HTTP/1.1 204 "))
            #expect(fields("access-control-allow-headers", answer) == ["authorization, idempotency-key"])
            #expect(fields("access-control-allow-credentials", answer).isEmpty)
            #expect(gateway.posts.asked.isEmpty)
        }
    }

    // MARK: Methods

    @Test func everyPathTellsItsMethodsAndHasNoOthers() async throws {
        try await TestGateway.run { gateway in
            let paths = Dictionary(grouping: TestGateway.surface, by: \.path)
            for (path, routes) in paths.sorted(by: { $0.key < $1.key }) {
                let target = path.replacing(":id", with: "7").replacing(":", with: "x")
                var methods = Set(routes.map(\.method.rawValue))
                if methods.contains("GET") { methods.insert("HEAD") }
                methods.insert("OPTIONS")
                for method in ["TRACE", "PROPFIND", "DELETE", "PUT", "PATCH", "POST", "GET"]
                where !methods.contains(method) {
                    // A named path is found before a varying one, which may have other methods.
                    if case .route = RouteTable(TestGateway.surface).match(HTTPMethod(rawValue: method), target) {
                        continue
                    }
                    let answer = try await gateway.ask(method, target, "Content-Length: 0")
                    #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(method) \(path): \(answer.prefix(40))")
                    let allowed = Set(fields("allow", answer).joined().split(separator: ", ").map(String.init))
                    #expect(allowed.isSuperset(of: methods), "\(method) \(path)")
                }
                // A service that describes itself answers by itself.
                if routes.contains(where: { $0.method == .OPTIONS }) { continue }
                let options = try await gateway.ask("OPTIONS", target)
                #expect(options.hasPrefix("HTTP/1.1 204 "), "\(path)")
                #expect(
                    Set(fields("allow", options).joined().split(separator: ", ").map(String.init)).isSuperset(
                        of: methods
                    )
                )
            }
            #expect(gateway.auth.asked.isEmpty && gateway.posts.asked.isEmpty && gateway.chat.asked.isEmpty)
        }
    }

    /// HTTP/2 is off: neither its preface nor an upgrade leads to it.
    @Test func thereIsNoHTTP2() async throws {
        try await TestGateway.run { gateway in
            let client = try await gateway.client()
            try await client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            #expect(try await client.untilClosed().hasPrefix("HTTP/1.1 400 "))
            let answer = try await gateway.ask(
                "GET",
                "/health",
                "Connection: Upgrade, HTTP2-Settings",
                "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("OK"))
        }
    }

    // MARK: The log

    @Test func aLineOfTheLogTellsWhoAsked() async throws {
        let lines = LogLines()
        let access = ["MADANG_ACCESS_LOG": "true", "MADANG_TRUSTED_PROXIES": "127.0.0.1"]
        try await TestGateway.run(access, logger: lines.logger) { gateway in
            _ = try await gateway.ask(
                "GET",
                "/api/v1/timelines/home",
                token: "good-7-9",
                "X-Forwarded-For: 203.0.113.9"
            )
        }
        let line = try #require(lines.all.first { $0.contains("/api/v1/timelines/home") })
        #expect(line.contains(#""address":"203.0.113.9""#) && line.contains(#""account":"7""#), "\(line)")
    }

    @Test func aProxyThatNobodyTrustsIsToldOfOnceAMinute() async throws {
        let lines = LogLines()
        let time = Shared(Timestamp.now())
        try await TestGateway.run(logger: lines.logger, now: { time.value.withLock { $0 } }) { gateway in
            for _ in 0..<10 {
                _ = try await gateway.ask("GET", "/api/v1/timelines/public", "X-Forwarded-For: 203.0.113.9")
            }
            #expect(lines.all.count { $0.contains("MADANG_TRUSTED_PROXIES") } == 1)
            time.value.withLock { $0 = $0 + .seconds(61) }
            for _ in 0..<10 {
                _ = try await gateway.ask("GET", "/api/v1/timelines/public", "X-Forwarded-For: 203.0.113.9")
            }
            #expect(lines.all.count { $0.contains("MADANG_TRUSTED_PROXIES") } == 2)
        }
    }

    // MARK: Parameters

    /// The last of several values counts, as with the services.
    @Test func theLastValueOfAParameterCounts() throws {
        let target = try #require(RequestTarget("/x?a=1&b=2&a=3"))
        #expect(target.parameter("a") == "3" && target.parameter("b") == "2" && target.parameter("c") == nil)
    }
}
