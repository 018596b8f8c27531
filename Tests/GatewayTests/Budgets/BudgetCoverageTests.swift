// SPDX-License-Identifier: Apache-2.0
// That every route and every way of writing it is counted.

import Domain
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.serialized, .againstHanging) struct BudgetCoverageTests {
    private static let scarce = [
        "MADANG_RATE_LIMIT_ADDRESS": "1", "MADANG_RATE_LIMIT_SIGN_UP": "1", "MADANG_RATE_LIMIT_DELETE": "1",
        "MADANG_RATE_LIMIT_CONNECTIONS": "1", "MADANG_RATE_LIMIT_ACCOUNT": "1",
    ]

    private func request(_ route: PublicRoute, _ path: String, token: String? = nil) -> String {
        var request = "\(route.method.rawValue) \(path) HTTP/1.1\nHost: a\nContent-Length: 0\nConnection: close\n"
        request += "X-Forwarded-For: 203.0.113.\(path.utf8.count % 200)\nX-HTTP-Method-Override: HEAD\n"
        if let token { request += "Authorization: Bearer \(token)\n" }
        if case .stream(.webSocket) = route.destination {
            request = request.replacing("Content-Length: 0\nConnection: close\n", with: "Connection: Upgrade\n")
            request += "Upgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
        } else if case .stream = route.destination {
            request = request.replacing("Content-Length: 0\n", with: "")
        }
        return request + "\n"
    }

    private func aliases(_ path: String) -> [String] {
        var escaped = path
        if let letter = path.lastIndex(where: { $0.isASCII && $0.isLetter }) {
            let hex = String(path[letter].asciiValue ?? 0x61, radix: 16)
            escaped.replaceSubrange(letter...letter, with: "%\(hex)")
        }
        return [path, "/" + path, path + "/", escaped, path + "?x=1"]
    }

    private func isRefused(_ answer: String) -> Bool {
        let lower = answer.lowercased()
        return answer.hasPrefix("HTTP/1.1 429 ") && lower.contains("retry-after: ")
    }

    /// Without a token every route that costs something takes from the budget of the address.
    @Test func everyRouteAndItsAliasesAreRefusedBeyondTheLimit() async throws {
        try await TestGateway.run(BudgetCoverageTests.scarce, now: Timestamp.startOfWindow) { gateway in
            // One of each budget.
            _ = try await gateway.ask("GET", "/api/v1/timelines/public")
            _ = try await gateway.ask("POST", "/api/v1/accounts", "Content-Length: 0")
            _ = try await gateway.ask("GET", "/socket.io/?EIO=4&transport=polling")
            let asked = gateway.posts.asked.count
            for route in TestGateway.surface where route.rate != .free {
                let path = route.path.replacing(":id", with: "7").replacing(":", with: "x")
                for alias in aliases(path) {
                    let answer = try await gateway.ask(request(route, alias))
                    #expect(isRefused(answer), "\(route.method.rawValue) \(alias): \(answer.prefix(60))")
                    if route.destination != .socketIO {
                        #expect(answer.contains("X-RateLimit-Remaining: 0\r\n"), "\(route.method.rawValue) \(alias)")
                    }
                }
            }
            #expect(gateway.posts.asked.count == asked)
        }
    }

    /// With a token they take from the account's, from wherever it asks.
    @Test func everyRouteCountsForTheAccount() async throws {
        try await TestGateway.run(BudgetCoverageTests.scarce, now: Timestamp.startOfWindow) { gateway in
            let first = try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9")
            #expect(first.contains("X-RateLimit-Limit: 1\r\nX-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 20"))
            // Where no token counts, the address does.
            _ = try await gateway.ask("GET", "/api/v1/timelines/public")
            for route in TestGateway.surface {
                guard [.read, .write, .delete].contains(route.rate) else { continue }
                let path = route.path.replacing(":id", with: "7").replacing(":", with: "x")
                let answer = try await gateway.ask(request(route, path, token: "good-7-9"))
                #expect(isRefused(answer), "\(route.method.rawValue) \(path): \(answer.prefix(60))")
            }
            #expect(gateway.posts.asked.count == 2)
        }
    }
}
