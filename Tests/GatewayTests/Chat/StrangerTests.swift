// SPDX-License-Identifier: Apache-2.0
// What those may do on a socket who have not been let in, and what each event costs those who have.

import Domain
import SocketIO
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct StrangerTests {
    private static let path = "/socket.io/?EIO=4&transport=polling"
    private static let long = String(repeating: "x", count: 200_000)

    @Test func aStrangersLongMessageEndsTheSocket() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let stranger = try await SocketClient.open(gateway)
            try? await stranger.send(#"40{"token":"bad","x":"\#(StrangerTests.long)"}"#)
            let bytes = try await stranger.raw.bytes("the end") { _, isClosed in isClosed }
            #expect(Array(bytes.suffix(4)) == [0x88, 2, 3, 0xF1])
        }
    }

    @Test func whoeverIsLetInMaySayMore() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            // Chat may find it too long; the gateway does not.
            try await client.send(#"421["message",{"channel_id":"20","text":"\#(StrangerTests.long)"}]"#)
            try await client.packet(startingWith: "431[")
            let body = #"{"channel_id":"20","text":"\#(StrangerTests.long)"}"#
            #expect(gateway.chat.asked("/api/v1/channels/20/messages").map(\.bytes) == [body.utf8.count])
            await client.close()
        }
    }

    @Test func theSameHoldsForBodies() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let opened = try await gateway.ask("GET", StrangerTests.path)
            let start = try #require(opened.firstRange(of: #""sid":""#))
            let sid = opened[start.upperBound...].prefix { $0 != "\"" }
            @Sendable func post(_ body: String) async throws -> String {
                try await gateway.ask(
                    "POST \(StrangerTests.path)&sid=\(sid) HTTP/1.1\nHost: a\nContent-Length: \(body.utf8.count)\n\n\(body)"
                )
            }
            let event = #"421["message",{"channel_id":"20","text":"\#(StrangerTests.long)"}]"#
            #expect(try await post(event).hasPrefix("HTTP/1.1 413 "))
            #expect(try await post(#"40{"token":"good-7-9"}"#).hasPrefix("HTTP/1.1 200 "))
            let answer = try await gateway.ask("GET", "\(StrangerTests.path)&sid=\(sid)")
            #expect(answer.contains(#"40{"sid":""#), "\(answer)")
            #expect(try await post(event).hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func strangersHaveTenSeconds() throws {
        #expect(try TestGateway.config().socketIO.connectTimeout == 10_000)
    }

    // MARK: What events cost

    @Test func typingHasABudgetThatIsLargeButEnds() async throws {
        try await ChatSocketTests.run(["MADANG_RATE_LIMIT_ACCOUNT": "1"]) { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            let last = RateLimiter.pollFactor
            for index in 1...last + 1 { try await client.send(#"42\#(index)["typing",{"channel_id":"20"}]"#) }
            #expect(try await client.packet(startingWith: "43\(last)[") == #"43\#(last)[{"ok":true}]"#)
            #expect(try await client.packet(startingWith: "43\(last + 1)[").contains("too-many-requests"))
            await client.close()
        }
    }

    @Test(arguments: [#"["nonsense"]"#, #"["message"]"#, #"["sync",{"channels":7}]"#, #"["read",{"channel_id":"x"}]"#])
    func whatCannotBeUnderstoodCostsToo(_ event: String) async throws {
        try await ChatSocketTests.run(["MADANG_RATE_LIMIT_ACCOUNT": "4"]) { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            for _ in 1...3 { try await client.send("42" + event) }
            try await client.send(#"429["message",{"channel_id":"20","text":"x"}]"#)
            #expect(try await client.packet(startingWith: "439[").contains("too-many-requests"))
            await client.close()
        }
    }

    @Test(arguments: [
        #"{"type":"subscribe","stream":"public"}"#, #"{"type":"nonsense"}"#, "[]", #"{"type":"unsubscribe"}"#,
    ])
    func whatIsSaidOnAStreamCosts(_ message: String) async throws {
        try await TestGateway.run(["MADANG_RATE_LIMIT_ACCOUNT": "4"], now: Timestamp.startOfWindow) { gateway in
            let client = try await StreamingTests.open(gateway, "?access_token=good-7-9")
            for _ in 0..<4 { try await client.send(ClientFrame.text(message)) }
            _ = try await client.text(containing: #"{"error":"Too many requests","status":429}"#)
            let answer = try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9")
            #expect(answer.hasPrefix("HTTP/1.1 429 "), "\(answer)")
            for _ in 0..<200 { try? await client.send(ClientFrame.text(message)) }
            #expect(Array(try await client.bytes("the end") { $1 }.suffix(4)) == [0x88, 2, 3, 0xF0])
        }
    }

    @Test func whoeverDoesNotCareIsCutOff() async throws {
        try await ChatSocketTests.run(["MADANG_RATE_LIMIT_ACCOUNT": "1"]) { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            for _ in 0..<200 { try? await client.send(#"42["nonsense"]"#) }
            _ = try await client.raw.untilClosed()
            #expect(client.packets.contains("41"))
        }
    }
}
