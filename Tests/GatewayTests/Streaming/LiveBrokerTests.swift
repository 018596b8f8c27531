// SPDX-License-Identifier: Apache-2.0
// Streams and a real broker: what is missed while it is away, told twice, or more than its queue holds.

import Dispatch
import Domain
import Events
import Messaging
import NIOHTTP1
import ServiceKit
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct LiveBrokerTests {
    private static let timeline = TimelineUpdated.type

    @Test func aLostLinkEndsStreamsSoThatClientsFetchAgain() async throws {
        try await withTestBroker { broker in
            try await TestGateway.run(on: broker) { gateway in
                let socket = try await StreamingTests.open(gateway, "?stream=public&access_token=good-7-9")
                let events = try await gateway.events("public", token: "good-7-9")
                try await gateway.streams(2)
                try await eventually("connections cut") { try await broker.closeConnections() > 0 }
                let bytes = try await socket.bytes("the socket's end") { _, isClosed in isClosed }
                #expect(Array(bytes.suffix(4)) == [0x88, 2, 3, 0xF4])
                #expect(try await events.untilClosed().contains("retry: "))
                // Whoever comes once it is back stays.
                let again = try await StreamingTests.open(gateway, "?stream=public&access_token=good-7-9")
                try await gateway.tell(StreamingTests.update(["public"], "news"), type: LiveBrokerTests.timeline)
                _ = try await again.text(containing: "news")
                await again.close()
            }
        }
    }

    @Test func whatIsToldTwiceIsShownOnce() async throws {
        try await withTestBroker { broker in
            try await TestGateway.run(on: broker) { gateway in
                let socket = try await StreamingTests.open(gateway, "?stream=public&access_token=good-7-9")
                let id = EventID.new()
                for _ in 0..<3 {
                    try await gateway.tell(
                        StreamingTests.update(["public"], "once"),
                        type: LiveBrokerTests.timeline,
                        id: id
                    )
                }
                try await gateway.tell(StreamingTests.update(["public"], "other"), type: LiveBrokerTests.timeline)
                let text = try await socket.text(containing: "other")
                #expect(text.ranges(of: "once").count == 1)
                await socket.close()
            }
        }
    }

    @Test func moreThanIsTakenIsNoticedAndARevocationIsHeardBehindIt() async throws {
        try await withTestBroker { broker in
            try await TestGateway.run(on: broker, limits: { $0.liveQueue = 100 }) { gateway in
                let revoked = try await StreamingTests.open(gateway, "?stream=public&access_token=good-7-9")
                let other = try await StreamingTests.open(gateway, "?stream=public&access_token=good-8-10")
                try await gateway.streams(2)
                let metrics = gateway.dependencies.metrics
                let losses = LiveBrokerTests.losses(metrics)
                let gate = DispatchSemaphore(value: 0)
                gateway.server.onEveryLoop { _ in gate.wait() }
                // Whatever fails meanwhile: loops that stand still can never be stopped.
                defer { for _ in 0..<2 { gate.signal() } }
                for _ in 0..<20 {
                    var messages: [Message] = []
                    for _ in 0..<100 {
                        messages.append(
                            TestGateway.message(StreamingTests.update(["nobody"], "x"), LiveBrokerTests.timeline)
                        )
                    }
                    _ = try await gateway.dependencies.publisher?.publish(messages)
                }
                try await gateway.tell(AuthenticationTests.revocation(9), type: "auth.SessionRevoked.v1")
                try await eventually("the overflow noticed") { LiveBrokerTests.losses(metrics) > losses }
                for _ in 0..<2 { gate.signal() }
                let bytes = try await revoked.bytes("the revoked stream's end") { _, isClosed in isClosed }
                #expect(Array(bytes.suffix(4)) == [0x88, 2, 3, 0xF0])
                let rest = try await other.bytes("the other stream's end") { _, isClosed in isClosed }
                #expect(Array(rest.suffix(4)) == [0x88, 2, 3, 0xF4])
                #expect(try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9").contains(" 401 "))
            }
        }
    }

    private static func losses(_ metrics: Metrics) -> Int {
        let line = metrics.exposition().split(separator: "\n").first {
            $0.hasPrefix("madang_gateway_live_losses_total ")
        }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    /// What ends a session otherwise (an app deleted, a password changed, an account suspended) is told the same way.
    @Test func aHundredStreamsOfARevokedSessionEndAndStayOut() async throws {
        let isRevoked = Shared(false)
        try await withTestBroker { broker in
            try await TestGateway.run(
                on: broker,
                auth: { asked in
                    isRevoked.value.withLock { $0 } && asked.body.contains("good-7-9")
                        ? .answer(.unauthorized, [], "{}") : FakeAuth.answer(asked)
                }
            ) { gateway in
                var clients: [RawClient] = []
                for index in 0..<100 {
                    clients.append(
                        index % 2 == 0
                            ? try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
                            : try await gateway.events("user", token: "good-7-9")
                    )
                }
                let chat = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-8")
                try await gateway.streams(101)
                isRevoked.value.withLock { $0 = true }
                let start = ContinuousClock.now
                try await gateway.tell(AuthenticationTests.revocation(9), type: "auth.SessionRevoked.v1")
                for client in clients { _ = try await client.bytes("the end") { _, isClosed in isClosed } }
                // A figure of a quiet machine; what is asserted is that they end, without asking about their tokens.
                let took = ContinuousClock.now - start
                print("S5 a hundred streams of a revoked session ended after \(took), 5 s at most")
                try await gateway.streams(1)
                let again = try await StreamingTests.open(gateway, "?stream=user&access_token=good-7-9")
                #expect(again.text.hasPrefix("HTTP/1.1 401 "), "\(again.text)")
                #expect(
                    try await gateway.ask("GET", "/api/v1/streaming/user", token: "good-7-9").hasPrefix("HTTP/1.1 401 ")
                )
                await chat.close()
            }
        }
    }

    @Test func remembersTheIdsOfLatelyAndNoMore() {
        let recent = RecentEvents(capacity: 100)
        let ids = (0..<1000).map { _ in EventID.new() }
        for (index, id) in ids.enumerated() {
            #expect(recent.isNew(id))
            // The hundred before are known for certain.
            for known in ids[max(0, index - 99)...index] where recent.isNew(known) { Issue.record("forgot \(known)") }
        }
        #expect(recent.isNew(ids[0]) && recent.isNew("no id") && recent.isNew("no id"))
        #expect(!recent.isNew(ids[0].uppercased()))
    }

    @Test func aMessageThatIsNotOfItsKeyIsNotBelieved() async throws {
        try await withTestBroker { broker in
            try await TestGateway.run(on: broker) { gateway in
                let socket = try await StreamingTests.open(gateway, "?stream=public&access_token=good-7-9")
                try await gateway.tell(AuthenticationTests.revocation(9), type: LiveBrokerTests.timeline)
                try await gateway.tell(StreamingTests.update(["public"], "forged"), type: ChatUpdated.type)
                try await gateway.tell(StreamingTests.update(["public"], "news"), type: LiveBrokerTests.timeline)
                let text = try await socket.text(containing: "news")
                #expect(!text.contains("forged"))
                try await gateway.streams(1)
                await socket.close()
            }
        }
    }
}
