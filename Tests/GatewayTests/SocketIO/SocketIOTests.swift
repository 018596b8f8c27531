// SPDX-License-Identifier: Apache-2.0
// Socket.IO through the gateway: polls, bodies, WebSockets, budgets and the stop.

import Domain
import NIOCore
import SocketIO
import Support
import Surface
import Testing

@testable import GatewayService

/// Lets everybody in and sends back what it hears.
private final class OpenDoor: SocketIOApplication {
    func connecting(_ socket: SocketIOSocket, auth: ByteBuffer?) {
        socket.accept()
        let address = ByteBuffer(
            string: "\"\(socket.request.address) \(socket.request.parameter("access_token") ?? "")\""
        )
        socket.emit(.event("hello", [auth ?? ByteBuffer(string: "null"), address]))
    }

    func received(_ event: SocketIOEvent, from socket: SocketIOSocket) {
        if let acknowledgement = event.acknowledgement {
            socket.acknowledge(acknowledgement, event.arguments, attachments: event.attachments)
        } else if event.name == "bye" {
            socket.disconnect(closing: true)
        } else {
            socket.emit(.event("back", event.arguments, attachments: event.attachments))
        }
    }

    func closed(_ socket: SocketIOSocket, reason: SocketIOClosure) {}
}

@Suite(.againstHanging) struct SocketIOTests {
    private static let path = "/socket.io/?EIO=4&transport="

    private func opened(_ gateway: TestGateway, _ query: String = "") async throws -> String {
        let answer = try await gateway.ask("GET", SocketIOTests.path + "polling&t=x" + query)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        let start = try #require(answer.firstRange(of: #""sid":""#))
        return String(answer[start.upperBound...].prefix { $0 != "\"" })
    }

    private func poll(_ gateway: TestGateway, _ sid: String) async throws -> String {
        try await gateway.ask("GET", SocketIOTests.path + "polling&sid=" + sid)
    }

    private func post(_ gateway: TestGateway, _ sid: String, _ body: String) async throws -> String {
        try await gateway.ask(
            "POST \(SocketIOTests.path)polling&sid=\(sid) HTTP/1.1\nHost: madang.test\n"
                + "Content-Length: \(body.utf8.count)\n\n\(body)"
        )
    }

    private func webSocket(_ gateway: TestGateway, _ query: String) async throws -> RawClient {
        let client = try await gateway.client()
        try await client.send(
            ("GET \(SocketIOTests.path)websocket\(query) HTTP/1.1\nHost: madang.test\nUpgrade: websocket\n"
                + "Connection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n")
                .replacing("\n", with: "\r\n")
        )
        return client
    }

    /// A second WebSocket is opened, told nothing but the close (1000), and leaves the first alone.
    private func isClosedAtOnce(_ second: RawClient) async throws {
        let told = try await second.text(containing: "\r\n\r\n")
        #expect(told.hasPrefix("HTTP/1.1 101"))
        _ = try await second.bytes("the close") { bytes, _ in bytes.suffix(4).elementsEqual([0x88, 2, 3, 0xE8]) }
        try await second.send(ClientFrame.bytes(8, [3, 0xE8]))
        _ = try await second.untilClosed()
    }

    @Test func refusesWhoeverHasNoToken() async throws {
        try await TestGateway.run { gateway in
            let sid = try await opened(gateway)
            #expect(try await post(gateway, sid, #"40{"token":"x"}"#).hasSuffix("\r\n\r\nok"))
            #expect(try await poll(gateway, sid).contains(#"44{"message":"unauthorized","#))
        }
    }

    @Test func answersAsTheProtocolSays() async throws {
        try await TestGateway.run { gateway in
            let shared = try await gateway.ask(
                "GET",
                "/socket.io?EIO=4&transport=polling",
                token: nil,
                "Origin: https://app.example"
            )
            #expect(shared.contains("Access-Control-Allow-Origin: *"))
            #expect(shared.contains(#""pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#))
            let preflight = try await gateway.ask(
                "OPTIONS",
                "/socket.io/",
                token: nil,
                "Origin: https://app.example",
                "Access-Control-Request-Method: POST"
            )
            #expect(preflight.hasPrefix("HTTP/1.1 204") && preflight.contains("Access-Control-Allow-Methods"))
            for (query, code) in [
                ("EIO=3&transport=polling&b64=1", 5), ("EIO=4", 0), ("EIO=4&transport=polling&sid=no", 1),
                ("EIO=4&transport=websocket", 3),
            ] {
                let answer = try await gateway.ask("GET", "/socket.io/?" + query)
                #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains(#"{"code":\#(code),"#))
            }
        }
    }

    @Test func speaksOverPolling() async throws {
        try await TestGateway.run(application: { _ in OpenDoor() }) { gateway in
            let sid = try await opened(gateway, "&access_token=t%2D1")
            // Held without an answer until there is something to say, on another connection than the body's.
            async let waiting = poll(gateway, sid)
            #expect(try await post(gateway, sid, "40").contains("200 OK"))
            var heard = try await waiting
            if !heard.contains("hello") { heard += try await poll(gateway, sid) }
            #expect(heard.contains(#"42["hello",null,"127.0.0.1 t-1"]"#))
            let long = String(repeating: "x", count: 300_000)
            _ = try await post(gateway, sid, #"427["x",{"a":["\#(long)"]}]"#)
            #expect(try await poll(gateway, sid).hasSuffix(#"437[{"a":["\#(long)"]}]"#))
            _ = try await post(gateway, sid, #"42["bye"]"#)
            #expect(try await poll(gateway, sid).hasSuffix("41\u{1E}1"))
            #expect(try await poll(gateway, sid).hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func bodiesHaveALimit() async throws {
        try await TestGateway.run(["MADANG_SOCKETIO_MAX_PAYLOAD": "2048"]) { gateway in
            let sid = try await opened(gateway)
            #expect(try await post(gateway, sid, "4" + String(repeating: "x", count: 2048)).hasPrefix("HTTP/1.1 413"))
            #expect(try await post(gateway, sid, "6").contains("200 OK"))
        }
    }

    @Test func movesToAWebSocket() async throws {
        try await TestGateway.run(application: { _ in OpenDoor() }) { gateway in
            // Several, so that sessions and connections are on different event loops.
            for _ in 0..<6 {
                let sid = try await opened(gateway)
                let client = try await webSocket(gateway, "&sid=" + sid)
                _ = try await client.text(containing: "101 Switching")
                try await client.send(ClientFrame.text("2probe"))
                _ = try await client.text(containing: "3probe")
                try await isClosedAtOnce(webSocket(gateway, "&sid=" + sid))
                try await client.send(ClientFrame.text("5"))
                try await client.send(ClientFrame.text(#"40{"token":"x"}"#))
                _ = try await client.text(containing: #"42["hello",{"token":"x"},"#)
                try await isClosedAtOnce(webSocket(gateway, "&sid=" + sid))
                #expect(try await poll(gateway, sid).hasPrefix("HTTP/1.1 400"))
                try await client.send(ClientFrame.text(#"42["any","마당"]"#))
                _ = try await client.text(containing: #"42["back","마당"]"#)
                try await client.send(ClientFrame.text("42{}"))
                // As a client does: whoever does not answer is waited for.
                _ = try await client.bytes("the close") { bytes, _ in bytes.contains([0x88, 2, 3, 0xEA]) }
                try? await client.send(ClientFrame.bytes(8, [3, 0xEA]))
                #expect(try await client.untilClosed().contains("back"))
            }
            try await eventually("no session being left") {
                try await gateway.server.collect { $0.hub?.count ?? -1 }.allSatisfy { $0 == 0 }
            }
        }
    }

    @Test func aClientThatLeavesItsPollEndsTheSession() async throws {
        try await TestGateway.run { gateway in
            let sid = try await opened(gateway)
            let client = try await gateway.client()
            try await client.send("GET \(SocketIOTests.path)polling&sid=\(sid) HTTP/1.1\r\nHost: madang.test\r\n\r\n")
            try await eventually("the poll being held") {
                try await gateway.server.collect { $0.connectionCount }.reduce(0, +) == 1
            }
            await client.close()
            try await eventually("the end of the session") {
                try await gateway.server.collect { $0.hub?.count ?? -1 }.allSatisfy { $0 == 0 }
            }
        }
    }

    @Test func connectionsHaveABudgetAndPollsHaveNone() async throws {
        let budgets = ["MADANG_RATE_LIMIT_CONNECTIONS": "2", "MADANG_RATE_LIMIT_ADDRESS": "3"]
        try await TestGateway.run(budgets, now: Timestamp.startOfWindow) { gateway in
            let sid = try await opened(gateway)
            _ = try await opened(gateway)
            #expect(try await gateway.ask("GET", SocketIOTests.path + "polling").hasPrefix("HTTP/1.1 429"))
            let refused = try await webSocket(gateway, "")
            #expect(try await refused.untilClosed().hasPrefix("HTTP/1.1 429"))
            for _ in 0..<10 { #expect(try await post(gateway, sid, "6").contains("200 OK")) }
            #expect(try await gateway.ask("GET", "/api/v1/timelines/public").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func theStopAnswersPollsAndEndsWebSockets() async throws {
        try await TestGateway.run(application: { _ in OpenDoor() }) { gateway in
            let sid = try await opened(gateway)
            let polling = try await gateway.client()
            try await polling.send("GET \(SocketIOTests.path)polling&sid=\(sid) HTTP/1.1\r\nHost: madang.test\r\n\r\n")
            let client = try await webSocket(gateway, "")
            // Nothing may be sent before the handshake is answered (RFC 6455, section 4.1).
            _ = try await client.text(containing: "pingInterval")
            try await client.send(ClientFrame.text("40"))
            _ = try await client.text(containing: "hello")
            gateway.stop()
            #expect(try await polling.untilClosed().hasSuffix("\r\n\r\n1"))
            let code: [UInt8] = [0x88, 2, 3, 0xF4]
            _ = try await client.bytes("the code of a restart") { bytes, _ in bytes.suffix(4).elementsEqual(code) }
            await client.close()
        }
    }
}
