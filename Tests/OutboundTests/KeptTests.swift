// SPDX-License-Identifier: Apache-2.0
// Connections that are kept, and for whom.

import Support
import Testing

@testable import Outbound

@Suite struct KeptTests {
    @Test func onlyNamedHostsHaveThem() async throws {
        let inside = try WebListener { $0.answer("inside") }
        defer { inside.close() }
        let client = OutboundClient(keepsConnections: true)
        let url = "http://127.0.0.1:\(inside.port)/"
        let here = Guard.Endpoint(try #require(NetworkAddress("127.0.0.1")), port: inside.port)
        for `guard` in [Guard.anybody(), .anybody(allowing: [here]), .operators("127.0.0.2", port: inside.port)] {
            #expect(
                await failure { try await client.send(OutboundRequest(.get, url, guard: `guard`)) } == .badRequest
            )
        }
        #expect(inside.connections == 0)
        let named = OutboundRequest(.get, url, guard: .operators("127.0.0.1", port: inside.port))
        #expect(try await client.send(named).text == "inside")
        // Without TLS there is no HTTP/2, and a server that closes is asked anew.
        #expect(try await client.send(named).text == "inside")
        #expect(inside.connections == 2)
    }

    @Test func aReusedConnectionServesOneRequestAfterTheOther() async throws {
        let listener = try WebListener { connection in
            var request = connection
            while !request.head.isEmpty {
                let path = request.path
                request.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)".utf8))
                request = request.next()
            }
        }
        defer { listener.close() }
        let client = OutboundClient.reusingConnections()
        for path in ["/a", "/b", "/c"] {
            let url = "http://127.0.0.1:\(listener.port)\(path)"
            let request = OutboundRequest(.get, url, guard: .operators("127.0.0.1", port: listener.port))
            #expect(try await client.send(request).text == path)
        }
        #expect(listener.connections == 1)
        let stranger = OutboundRequest(.get, "http://127.0.0.1:\(listener.port)/", guard: .anybody())
        #expect(await failure { try await client.send(stranger) } == .badRequest)
    }

    @Test func moreThanAreTakenAtATimeAreAllAnswered() async throws {
        let listener = try WebListener { connection in
            connection.wait(milliseconds: 5)
            connection.answer("here")
        }
        defer { listener.close() }
        let client = OutboundClient(keepsConnections: true)
        let request = OutboundRequest(
            .get,
            "http://127.0.0.1:\(listener.port)/",
            limits: OutboundRequest.Limits(time: .seconds(600)),
            guard: .operators("127.0.0.1", port: listener.port)
        )
        let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<600 { group.addTask { try await client.send(request).text == "here" } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 600)
    }
}
