// SPDX-License-Identifier: Apache-2.0
// How many connections are held, whose, and which give way.

import Domain
import NIOHTTP1
import ServiceKit
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ConnectionBudgetTests {
    private func address(_ text: String) throws -> ClientAddress { try #require(ClientAddress(text)) }

    private func budget(total: Int = 0, address: Int = 0, account: Int = 0) -> ConnectionBudget {
        ConnectionBudget(ConnectionLimits(total: total, address: address, account: account), metrics: Metrics())
    }

    @Test func countsByAddressAndInAll() throws {
        let budget = budget(total: 3, address: 2)
        let here = try address("2001:db8::1")
        let neighbour = try address("2001:db8::2")
        let elsewhere = try address("10.0.0.1")
        var held: [ConnectionPlace] = []
        for peer in [here, neighbour] {
            guard case .place(let place) = budget.open(peer) else { throw RawClient.NeverCame(description: "no place") }
            held.append(place)
        }
        guard case .told(.address, _) = budget.open(here) else {
            throw RawClient.NeverCame(description: "a third place")
        }
        guard case .place(let third) = budget.open(elsewhere) else {
            throw RawClient.NeverCame(description: "no place")
        }
        held.append(third)
        guard case .told(.full, _) = budget.open(nil) else { throw RawClient.NeverCame(description: "a fourth place") }
        #expect(budget.isFull)
        held[0].end()
        held[0].end()
        #expect(!budget.isFull && budget.count(.connection) == 2)
        held.removeAll()
        third.end()
        #expect(budget.count(.connection) == 0)
    }

    @Test func anAccountHasOnlySoMany() throws {
        let budget = budget(account: 2)
        let here = try address("10.0.0.1")
        var held: [ConnectionPlace] = []
        for _ in 0..<3 { held.append(try budget.stream(from: here).get()) }
        #expect(held[0].claim(AccountID(7)) && held[1].claim(AccountID(7)))
        #expect(held[0].claim(AccountID(7)))
        #expect(!held[2].claim(AccountID(7)))
        #expect(held[2].claim(AccountID(8)))
        held[0].end()
        let next = try budget.stream(from: here).get()
        #expect(next.claim(AccountID(7)))
    }

    @Test func anAccountHasOnlySoManyStreams() async throws {
        try await TestGateway.run(["MADANG_CONNECTIONS_ACCOUNT": "2"]) { gateway in
            let first = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            let second = try await gateway.events("user", token: "good-7-9")
            try await gateway.streams(2)
            let third = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            #expect(third.text.hasPrefix("HTTP/1.1 429 "), "\(third.text)")
            #expect(
                try await gateway.ask("GET", "/api/v1/streaming/user", token: "good-7-9").hasPrefix("HTTP/1.1 429 ")
            )
            let other = try await StreamingTests.open(gateway, "?stream=user&access_token=good-8-9")
            #expect(other.text.hasPrefix("HTTP/1.1 101 "))
            for held in [first, second, third, other] { await held.close() }
            try await eventually("the places being given back") {
                gateway.dependencies.connections.count(.stream) == 0
            }
            let again = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            #expect(again.text.hasPrefix("HTTP/1.1 101 "))
            await again.close()
        }
    }

    @Test func socketsAndStreamsOfAnAccountAreCountedTogether() async throws {
        try await ChatSocketTests.run(["MADANG_CONNECTIONS_ACCOUNT": "2"]) { gateway, _ in
            let stream = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            let socket = try await SocketClient.ready(gateway, "good-7-9")
            let third = try await SocketClient.open(gateway)
            try await third.send(#"40{"token":"good-7-9"}"#)
            let refusal = try await third.packet(startingWith: "44{")
            #expect(refusal.contains(#""code":"too-many-requests""#), "\(refusal)")
            let other = try await SocketClient.ready(gateway, "good-8-9")
            #expect(gateway.dependencies.connections.count(.stream) == 4)
            // However a session ends, its place is free again: by its connection, and by leaving.
            await socket.close()
            try await third.send("1")
            for held in [third.raw, other.raw, stream] { await held.close() }
            try await eventually("the places being given back") {
                gateway.dependencies.connections.count(.stream) == 0
            }
            await (try await SocketClient.ready(gateway, "good-7-9")).close()
        }
    }

    /// Behind a proxy, so that only what the proxy tells counts.
    @Test func socketsOfAnAddressAreCounted() async throws {
        let environment = ["MADANG_CONNECTIONS_ADDRESS": "2", "MADANG_TRUSTED_PROXIES": "127.0.0.1"]
        try await ChatSocketTests.run(environment) { gateway, _ in
            let open = "GET /socket.io/?EIO=4&transport=polling HTTP/1.1\nHost: a\nX-Forwarded-For: "
            let socket = try await SocketClient.open(gateway, "X-Forwarded-For: 192.0.2.1")
            let polling = try await gateway.ask(open + "192.0.2.1\n\n")
            #expect(polling.hasPrefix("HTTP/1.1 200 "), "\(polling)")
            let refused = try await gateway.ask(open + "192.0.2.1\n\n")
            #expect(refused.hasPrefix("HTTP/1.1 429 "), "\(refused)")
            #expect(refused.lowercased().contains("retry-after: "))
            #expect(try await gateway.ask(open + "192.0.2.2\n\n").hasPrefix("HTTP/1.1 200 "))
            await socket.close()
            try await eventually { try await gateway.ask(open + "192.0.2.1\n\n").hasPrefix("HTTP/1.1 200 ") }
        }
    }

    @Test func strangersGiveWayBeforeWhoeverWasServed() async throws {
        try await ChatSocketTests.run(
            ["MADANG_CONNECTIONS": "9"],
            limits: { ($0.idle, $0.idleGrace) = (600_000, 600_000) }
        ) { gateway, _ in
            let member = try await SocketClient.ready(gateway, "good-7-9")
            var idle: [RawClient] = []
            for _ in 0..<4 {
                let client = try await gateway.client()
                _ = try await client.ask("GET /health HTTP/1.1\nHost: a\n\n")
                idle.append(client)
            }
            var strangers: [SocketClient] = []
            for _ in 0..<4 { strangers.append(try await SocketClient.open(gateway)) }
            // The first is refused while the place that is made for it is not free yet.
            try await eventually { try await gateway.ask("GET", "/health").hasSuffix("OK") }
            let known = strangers
            try await eventually("a stranger having gone") { known.contains { $0.raw.isClosed } }
            for client in idle {
                #expect(try await client.ask("GET /health HTTP/1.1\nHost: a\n\n").hasSuffix("OK"))
            }
            try await member.send(#"421["typing",{"channel_id":"20"}]"#)
            try await member.packet(startingWith: "431[")
            for client in idle + strangers.map(\.raw) + [member.raw] { await client.close() }
        }
    }

    @Test func thoseBeyondTheirAddressesShareAreToldSo() async throws {
        try await TestGateway.run(["MADANG_CONNECTIONS_ADDRESS": "2"]) { gateway in
            let held = [try await gateway.client(), try await gateway.client()]
            for client in held { _ = try await client.ask("GET /health HTTP/1.1\nHost: a\n\n") }
            let third = try await gateway.client()
            let refused = try await third.ask("GET /health HTTP/1.1\nHost: a\n\n")
            #expect(refused.hasPrefix("HTTP/1.1 429 ") && refused.lowercased().contains("retry-after: "), "\(refused)")
            _ = try await third.untilClosed()
            await held[0].close()
            try await eventually("the place being given back") {
                gateway.dependencies.connections.count(.connection) == 1
            }
            #expect(try await gateway.ask("GET", "/health").hasSuffix("OK"))
            #expect(gateway.dependencies.metrics.exposition().contains(#"refused_total{limit="address"} 1"#))
            await held[1].close()
        }
    }

    @Test func idleOnesGiveWayWhenAllPlacesAreTaken() async throws {
        try await TestGateway.run(["MADANG_CONNECTIONS": "8"]) { gateway in
            var held: [RawClient] = []
            for _ in 0..<8 {
                let client = try await gateway.client()
                _ = try await client.ask("GET /health HTTP/1.1\nHost: a\n\n")
                held.append(client)
            }
            // Sooner or later each event loop has closed an idle connection of its own for a new one.
            try await eventually { try await gateway.ask("GET", "/health").hasSuffix("OK") }
            #expect(gateway.dependencies.metrics.exposition().contains("connections_shed_total"))
            for client in held { await client.close() }
        }
    }

    @Test func thoseAtWorkKeepTheirPlaces() async throws {
        let gate = Gate()
        try await TestGateway.run(
            ["MADANG_CONNECTIONS": "4"],
            limits: { $0.firstByte = 60_000 },
            posts: { _ in .held(gate, .answer(.ok, [], "done")) }
        ) { gateway in
            var held: [RawClient] = []
            for _ in 0..<4 {
                let client = try await gateway.client()
                try await client.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: a\r\n\r\n")
                held.append(client)
            }
            try await eventually { gateway.posts.asked.count == 4 }
            for _ in 0..<6 {
                let answer = try await gateway.ask("GET", "/health")
                #expect(
                    answer.hasPrefix("HTTP/1.1 503 ") && answer.lowercased().contains("retry-after: 2"),
                    "\(answer)"
                )
            }
            gate.open()
            for client in held { _ = try await client.text(containing: "done") }
            for client in held { await client.close() }
        }
    }

    @Test func beyondThoseThatAreToldConnectionsEndAtOnce() async throws {
        try await TestGateway.run(["MADANG_CONNECTIONS_ADDRESS": "1"]) { gateway in
            var held: [RawClient] = []
            for _ in 0..<30 { held.append(try await gateway.client()) }
            try await eventually { gateway.dependencies.connections.count(.refused) <= 16 }
            for client in held.dropFirst() { _ = try await client.untilClosed() }
            // The client may see the end before the gateway has given the place back.
            try await eventually { gateway.dependencies.connections.count(.refused) == 0 }
            for client in held { await client.close() }
        }
    }
}
