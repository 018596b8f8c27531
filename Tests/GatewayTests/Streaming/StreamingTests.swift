// SPDX-License-Identifier: Apache-2.0
// Open streams: who may follow what, what arrives, and how they end.

import Domain
import Events
import NIOHTTP1
import Support
import Surface
import Synchronization
import Testing
import Views

@testable import GatewayService

@Suite(.againstHanging) struct StreamingTests {
    static func update(_ streams: [String], _ event: String, _ payload: String, except: [String] = []) -> [UInt8] {
        let update = LiveUpdate(
            streams: streams,
            event: event,
            payload: Array(payload.utf8),
            hasMedia: payload.contains(#""media_attachments":[{"#),
            except: except.compactMap { AccountID($0) }
        )
        do {
            return try message(TimelineUpdated(postID: PostID(1), update: update, subjectVersion: 1))
        } catch {
            Issue.record(error)
            return []
        }
    }

    static func update(_ streams: [String], _ payload: String, except: [String] = []) -> [UInt8] {
        update(streams, "update", payload, except: except)
    }

    static func open(_ gateway: TestGateway, _ query: String, _ fields: String...) async throws -> RawClient {
        let client = try await gateway.client()
        var request =
            "GET /api/v1/streaming\(query) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        request += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        for field in fields { request += field + "\r\n" }
        try await client.send(request + "\r\n")
        _ = try await client.text(containing: "\r\n\r\n")
        return client
    }

    @Test(arguments: [
        ("?stream=user&access_token=good-7-9", [String]()), ("?stream=user", ["Authorization: Bearer good-7-9"]),
        ("?stream=user", ["Sec-WebSocket-Protocol: good-7-9"]),
    ])
    func deliversOverAWebSocket(_ query: String, _ fields: [String]) async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, query, fields.first ?? "X-None: 1")
            #expect(client.text.hasPrefix("HTTP/1.1 101 "))
            #expect(client.text.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            gateway.feed.take(StreamingTests.update(["user:8"], "for another"))
            gateway.feed.take(StreamingTests.update(["user:7"], #"{"id":"1"}"#))
            let text = try await client.text(containing: "payload")
            #expect(text.contains(#"{"stream":["user"],"event":"update","payload":"{\"id\":\"1\"}"}"#), "\(text)")
            #expect(!text.contains("for another"))
            await client.close()
            try await gateway.streams(0)
        }
    }

    @Test func subscribesAndUnsubscribes() async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?access_token=good-7-9")
            for stream in [#""public""#, #""hashtag","tag":"Cats""#, #""user:notification""#, #""public:local""#] {
                try await client.send(ClientFrame.text(#"{"type":"subscribe","stream":\#(stream)}"#))
            }
            try await client.send(ClientFrame.text(#"{"type":"subscribe","stream":"nonsense"}"#))
            _ = try await client.text(containing: #"{"error":"Unknown stream type","status":400}"#)
            gateway.feed.take(StreamingTests.update(["public", "hashtag:cats"], "delete", "99"))
            gateway.feed.take(StreamingTests.update(["user:7", "user:notification:7"], "notification", "{}"))
            let text = try await client.text(containing: #"{"stream":["user:notification"],"event":"notification""#)
            #expect(text.contains(#"{"stream":["public"],"event":"delete","payload":"99"}"#))
            #expect(text.contains(#"{"stream":["public:local"],"event":"delete","payload":"99"}"#))
            #expect(text.contains(#"{"stream":["hashtag","cats"],"event":"delete","payload":"99"}"#))
            try await client.send(ClientFrame.text(#"{"type":"unsubscribe","stream":"public"}"#))
            try await client.send(ClientFrame.bytes(9, Array("mark".utf8)))
            _ = try await client.text(containing: "mark")
            gateway.feed.take(StreamingTests.update(["public"], "delete", "100"))
            let after = try await client.text(
                containing: #"{"stream":["public:local"],"event":"delete","payload":"100"}"#
            )
            #expect(!after.contains(#"{"stream":["public"],"event":"delete","payload":"100"}"#))
            await client.close()
        }
    }

    /// Pleroma-FE's way in: it subscribes once its token is answered.
    @Test func answersATokenThatIsShownAgain() async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?access_token=good-7-9")
            try await client.send(ClientFrame.text(#"{"type":"pleroma:authenticate","token":"good-7-9"}"#))
            let good =
                #"{"event":"pleroma:respond","payload":"{\"type\":\"pleroma:authenticate\",\"result\":\"success\"}"}"#
            _ = try await client.text(containing: good)
            for other in [#","token":"good-8-9""#, ""] {
                try await client.send(ClientFrame.text(#"{"type":"pleroma:authenticate"\#(other)}"#))
                _ = try await client.text(containing: #"\"result\":\"error\",\"error\":\"unauthorized\"}"}"#)
            }
            try await client.send(ClientFrame.text(#"{"type":"subscribe","stream":"user"}"#))
            try await client.send(ClientFrame.bytes(9, Array("mark".utf8)))
            _ = try await client.text(containing: "mark")
            gateway.feed.take(StreamingTests.update(["user:8"], "for another"))
            gateway.feed.take(StreamingTests.update(["user:7"], #"{"id":"1"}"#))
            #expect(try await !client.text(containing: #""stream":["user"]"#).contains("for another"))
            await client.close()
        }
    }

    @Test func capsSubscriptions() async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?access_token=good-7-9")
            let all = (0..<1000).flatMap {
                ClientFrame.text(#"{"type":"subscribe","stream":"hashtag","tag":"t\#($0)"}"#)
            }
            try await client.send(all + ClientFrame.bytes(9, Array("mark".utf8)))
            let told = try await client.text(containing: "mark")
            #expect(told.ranges(of: "Too many subscriptions").count == 950)
            for index in 0..<1000 { gateway.feed.take(StreamingTests.update(["hashtag:t\(index)"], "post")) }
            try await client.send(ClientFrame.bytes(9, Array("end".utf8)))
            #expect(try await client.text(containing: "end").ranges(of: #""payload":"post""#).count == 50)
            await client.close()
        }
    }

    @Test func endlessNothingEndsTheStream() async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            let nothing = ClientFrame.bytes(0, [], isFinal: false)
            try await client.send(ClientFrame.bytes(1, [], isFinal: false))
            for _ in 0..<100 { try? await client.send(Array([[UInt8]](repeating: nothing, count: 1000).joined())) }
            let bytes = try await client.bytes("the end") { _, isClosed in isClosed }
            #expect(bytes.contains([0x88, 2, 3, 0xF1]))
        }
    }

    @Test func leavesOutWhomTheUpdateExcepts() async throws {
        try await TestGateway.run { gateway in
            let blocked = try await StreamingTests.open(gateway, "?stream=public&access_token=good-7-9")
            let other = try await StreamingTests.open(gateway, "?stream=public&access_token=good-8-10")
            gateway.feed.take(StreamingTests.update(["public"], "secret", except: ["7"]))
            gateway.feed.take(StreamingTests.update(["public"], "open"))
            #expect(try await blocked.text(containing: "open").contains("secret") == false)
            #expect(try await other.text(containing: "open").contains("secret"))
            await blocked.close()
            await other.close()
        }
    }

    @Test(arguments: [
        ("?stream=user", "401"), ("?stream=user&access_token=bad", "401"),
        ("?stream=user&access_token=good-7-9:write", "403"), ("?stream=public&access_token=good-7-9:write", "403"),
        ("?stream=user:notification&access_token=good-7-9:read/statuses", "403"),
    ])
    func refusesBeforeUpgrading(_ query: String, _ status: String) async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, query)
            #expect(client.text.hasPrefix("HTTP/1.1 \(status) "), "\(client.text)")
            #expect(try await client.untilClosed().contains(#""error""#))
        }
    }

    /// Also when the address names it: the socket may be shared with streams that are there.
    @Test(arguments: [
        ("nonsense", "Unknown stream type"), ("list&list=7", "Unknown stream type"),
        ("hashtag", "Missing tag name parameter"),
    ])
    func anUnknownStreamIsAnErrorOfThatSubscriptionOnly(_ stream: String, _ error: String) async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?stream=\(stream)&access_token=good-7-9")
            #expect(client.text.hasPrefix("HTTP/1.1 101 "), "\(client.text)")
            _ = try await client.text(containing: #"{"error":"\#(error)","status":400}"#)
            try await client.send(ClientFrame.text(#"{"type":"subscribe","stream":"user"}"#))
            try await client.send(ClientFrame.text(#"{"type":"subscribe","stream":"list","list":"7"}"#))
            _ = try await client.text(containing: #","status":400}"#, times: 2)
            gateway.feed.take(StreamingTests.update(["user:7"], "still told"))
            _ = try await client.text(containing: "still told")
            await client.close()
        }
    }

    /// Nothing here shows media yet, so the streams of what does are silent: of deletions, too.
    @Test func streamsOfMediaTellOfNothingElse() async throws {
        try await TestGateway.run { gateway in
            let media = try await StreamingTests.open(gateway, "?stream=public:media&access_token=good-7-9")
            try await media.send(ClientFrame.text(#"{"type":"subscribe","stream":"public"}"#))
            try await media.send(ClientFrame.text(#"{"type":"subscribe","stream":"nonsense"}"#))
            _ = try await media.text(containing: "Unknown stream type")
            for event in ["update", "status.update", "delete"] {
                gateway.feed.take(StreamingTests.update(["public"], event, #"{"media_attachments":[]}"#))
            }
            gateway.feed.take(StreamingTests.update(["public"], #"{"media_attachments":[{"id":"1"}]}"#))
            let text = try await media.text(containing: #"{"stream":["public:media"],"event":"update""#)
            #expect(text.ranges(of: #""stream":["public:media"]"#).count == 1, "\(text)")
            #expect(text.contains(#"{"stream":["public"],"event":"delete""#))
            await media.close()
        }
    }

    @Test func withoutUpgradeTheSocketPathSaysSo() async throws {
        try await TestGateway.run { gateway in
            let answer = try await gateway.ask("GET", "/api/v1/streaming", token: "good-7-9")
            #expect(answer.hasPrefix("HTTP/1.1 426 "), "\(answer)")
            #expect(try await gateway.ask("GET", "/api/v1/streaming/health").hasSuffix("OK"))
        }
    }

    @Test func notificationsNeedAScopeOfTheirOwn() async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9:read/statuses")
            gateway.feed.take(StreamingTests.update(["user:7"], "notification", "hidden"))
            gateway.feed.take(StreamingTests.update(["user:7"], "shown"))
            #expect(try await client.text(containing: "shown").contains("hidden") == false)
            await client.close()
        }
    }

    @Test func sendsServerSentEvents() async throws {
        try await TestGateway.run(limits: { $0.ping = 50 }) { gateway in
            let client = try await gateway.client()
            try await client.send(
                "GET /api/v1/streaming/hashtag?tag=Cats HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
            )
            let head = try await client.text(containing: ":)\n")
            #expect(head.contains("Content-Type: text/event-stream"))
            gateway.feed.take(StreamingTests.update(["hashtag:cats"], #"{"id":"1"}"#))
            _ = try await client.text(containing: "event: update\ndata: {\"id\":\"1\"}\n\n")
            _ = try await client.text(containing: ":thump\n")
            await client.close()
            try await gateway.streams(0)
        }
    }

    @Test func serverSentEventsNeedATokenToo() async throws {
        try await TestGateway.run { gateway in
            #expect(try await gateway.ask("GET", "/api/v1/streaming/public").hasPrefix("HTTP/1.1 401 "))
            let answer = try await gateway.ask("GET", "/api/v1/streaming/user?access_token=good-7-9:write")
            #expect(answer.hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test func aRevokedSessionsStreamsEnd() async throws {
        try await TestGateway.run { gateway in
            let socket = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            let events = try await gateway.client()
            try await events.send(
                "GET /api/v1/streaming/user HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
            )
            let other = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-8")
            try await gateway.streams(3)
            gateway.feed.take(AuthenticationTests.revocation(9))
            let bytes = try await socket.bytes { bytes, isClosed in isClosed }
            #expect(Array(bytes.suffix(4)) == [0x88, 2, 3, 0xF0])
            _ = try await events.untilClosed()
            try await gateway.streams(1)
            await other.close()
        }
    }

    @Test func afterALossOfTheBrokerStreamsAreDoubted() async throws {
        let isGone = Shared(false)
        try await TestGateway.run(auth: { asked in
            isGone.value.withLock { $0 } ? .answer(.unauthorized, [], "{}") : FakeAuth.answer(asked)
        }) { gateway in
            let socket = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            try await gateway.streams(1)
            gateway.feed.revocations(linked: false)
            isGone.value.withLock { $0 = true }
            gateway.feed.revocations(linked: true)
            let bytes = try await socket.bytes { _, isClosed in isClosed }
            #expect(Array(bytes.suffix(4)) == [0x88, 2, 3, 0xF0])
        }
    }

    @Test func whatMayHaveMissedNewsEndsOneAfterAnother() {
        let streams = StreamRegistry()
        let principal = KnownPrincipal(
            statement: "signed",
            accountID: AccountID(7),
            sessionID: SessionID(9),
            scopes: ScopeSet(["read"]),
            expires: .max
        )
        let outlet = Outlet()
        let followers = (0..<500).map { _ in
            Follower(principal: principal, token: "t", limit: 1, outlet: outlet, verifyAt: .max)
        }
        for follower in followers { streams.add(follower) }
        #expect(followers.allSatisfy { !$0.isOver(now: .max) })
        var random = RandomBits()
        streams.endAll(now: 10_000) { random.next() }
        let ends = followers.compactMap(\.endsAt).sorted()
        #expect(ends.count == 500 && (10_000..<11_500).contains(ends[0]) && (10_000..<11_500).contains(ends[499]))
        // No tenth of the time has more than a quarter of them.
        for start in stride(from: 10_000, to: 11_500, by: 150) as StrideTo<Milliseconds> {
            #expect(ends.filter { (start..<start + 150).contains($0) }.count < 125)
        }
        // A second loss puts nobody off.
        streams.endAll(now: 20_000) { random.next() }
        #expect(followers.compactMap(\.endsAt).sorted() == ends)
        let late = Follower(principal: principal, token: "t", limit: 1, outlet: outlet, verifyAt: .max)
        streams.add(late)
        #expect(!late.isOver(now: .max))
    }

    @Test func anEndlessMessageEndsTheStream() async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            let piece = [UInt8](repeating: 65, count: 1000)
            for index in 0..<40 {
                try? await client.send(ClientFrame.bytes(index == 0 ? 1 : 0, piece, isFinal: false))
            }
            let bytes = try await client.bytes { _, isClosed in isClosed }
            #expect(bytes.contains([0x88, 2, 3, 0xF1]))
        }
    }

    @Test(arguments: [
        BadFrame(bytes: ClientFrame.bytes(1, [65], isMasked: false), code: 0xEA),
        BadFrame(bytes: ClientFrame.bytes(1, [UInt8](repeating: 65, count: 1 << 20)), code: 0xF1),
        BadFrame(bytes: ClientFrame.bytes(2, [1]), code: 0xEB),
    ])
    fileprivate func badFramesEndTheStream(_ frame: BadFrame) async throws {
        try await TestGateway.run { gateway in
            let client = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            try? await client.send(frame.bytes)
            let bytes = try await client.bytes { _, isClosed in isClosed }
            #expect(bytes.contains([0x88, 2, 3, frame.code]))
        }
    }

    @Test func aReaderThatIsTooSlowIsDisconnected() async throws {
        try await TestGateway.run(limits: { $0.streamQueue = 8 }) { gateway in
            let slow = try await gateway.client(reads: false)
            try await slow.send(
                "GET /api/v1/streaming/public HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
            )
            try await gateway.streams(1)
            let large = String(repeating: "x", count: 500_000)
            try await eventually("the slow reader gone") {
                gateway.feed.take(StreamingTests.update(["public"], large))
                return try await gateway.server.collect { $0.streams.count }.reduce(0, +) == 0
            }
            await slow.close()
        }
    }

    @Test func theStopIsToldToStreamsAndWaitedForByRequests() async throws {
        try await TestGateway.run(posts: { _ in .stream(8 << 20) }) { gateway in
            let socket = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
            let events = try await gateway.client()
            try await events.send(
                "GET /api/v1/streaming/user HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
            )
            try await gateway.streams(2)
            let request = try await gateway.client()
            try await request.send("GET /api/v1/timelines/home HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await request.text(containing: "xxxx")
            gateway.stop()
            let bytes = try await socket.bytes { _, isClosed in isClosed }
            #expect(bytes.contains([0x88, 2, 3, 0xF4]))
            #expect(try await events.untilClosed().contains("retry: "))
            #expect(try await request.untilClosed().hasSuffix("0\r\n\r\n"))
        }
    }
}

private final class Outlet: StreamOutlet {
    func deliver(_ frame: StreamFrame) {}
    func revoked() {}
}

private struct BadFrame: Sendable {
    let bytes: [UInt8]
    /// The lower octet of the close code.
    let code: UInt8
}
