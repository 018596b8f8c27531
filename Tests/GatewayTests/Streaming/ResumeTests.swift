// SPDX-License-Identifier: Apache-2.0
// Many connections that come back: nothing missing, nothing twice, and nobody else kept waiting.

import Events
import Messaging
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ResumeTests {
    @Test func socketsThatAreCutMissNothingAndGetNothingTwice() async throws {
        try await ChatSocketTests.run { gateway, chat in
            var seed = TestSeed()
            let said = 400
            var clients: [SocketClient] = []
            var got = [[String]](repeating: [], count: 12)
            for index in got.indices {
                clients.append(try await SocketClient.ready(gateway, "good-\(7 + index % 2)-\(100 + index)"))
            }
            var cuts = 0
            for number in 1...said {
                // Some of it the broker loses.
                chat.say("m\(number)", in: 20, by: 8, isTold: !seed.chance(1, in: 20))
                if seed.chance(1, in: 6) {
                    let index = Int.random(in: got.indices, using: &seed)
                    got[index] += clients[index].texts()
                    await clients[index].close()
                    clients[index] = try await SocketClient.open(gateway)
                    let token = "good-\(7 + index % 2)-\(100 + index)"
                    try await clients[index].send(#"40{"token":"\#(token)","channels":{"20":\#(got[index].count)}}"#)
                    cuts += 1
                }
            }
            chat.say("last", in: 20, by: 8)
            let all = (1...said).map { "m\($0)" } + ["last"]
            for index in got.indices {
                let before = got[index].count
                try await clients[index].packets("the last") { packets in
                    packets.contains { $0.contains(#""text":"last""#) }
                }
                #expect(got[index] + clients[index].texts() == all, "client \(index) after \(before)")
                await clients[index].close()
            }
            #expect(cuts > 20)
        }
    }

    /// Within the window nothing is missing and nothing comes twice; beyond it each is told once to load anew.
    @Test func aThousandThatWereCutResumeOrLoadAnew() async throws {
        let (count, few, many) = (1000, 20, 501)
        try await ChatSocketTests.run { gateway, chat in
            @Sendable func open(_ indices: Range<Int>, after seq: Int) async throws -> [SocketClient] {
                var opened: [SocketClient] = []
                for start in stride(from: indices.lowerBound, to: indices.upperBound, by: 50) {
                    opened += try await withThrowingTaskGroup(of: SocketClient.self) { tasks in
                        for index in start..<min(start + 50, indices.upperBound) {
                            tasks.addTask {
                                let token = "good-\(7 + index % 2)-\(index)"
                                return try await SocketClient.ready(gateway, token, channels: #"{"20":\#(seq)}"#)
                            }
                        }
                        return try await tasks.reduce(into: []) { $0.append($1) }
                    }
                }
                return opened
            }
            chat.say("first", in: 20, by: 8)
            for client in try await open(0..<count, after: 0) {
                #expect(client.texts() == ["first"])
                await client.close()
            }
            try await eventually("all of them gone") {
                try await gateway.server.collect { $0.chat.accounts.count } == [0, 0]
            }
            for number in 1...few { chat.say("m\(number)", in: 20, by: 8, isTold: number % 5 > 0) }
            let all = (1...few).map { "m\($0)" }
            var (wrong, resyncs) = (0, 0)
            for client in try await open(0..<count / 2, after: 1) {
                if client.texts() != all || client.packets.contains(where: ResumeTests.isResync) { wrong += 1 }
                await client.close()
            }
            for number in few + 1...many { chat.say("m\(number)", in: 20, by: 8, isTold: number % 50 > 0) }
            let late = try await open(count / 2..<count, after: 1)
            chat.say("last", in: 20, by: 8)
            for client in late {
                try await client.packets("the last") { packets in
                    packets.contains { $0.contains(#""text":"last""#) }
                }
                if client.texts() != ["last"] { wrong += 1 }
                if client.packets.count(where: ResumeTests.isResync) == 1 { resyncs += 1 }
                await client.close()
            }
            #expect(wrong == 0 && resyncs == count / 2)
        }
    }

    private static let isResync: @Sendable (String) -> Bool = { $0.hasPrefix(#"42["resync","#) }

    @Test func manyStreamsThatMustFetchAgainComeBackBesideOthers() async throws {
        let count = 500
        try await withTestBroker { broker in
            try await TestGateway.run(on: broker, limits: { $0.tick = 100 }) { gateway in
                let first = ContinuousClock.now
                let clients = try await withThrowingTaskGroup(of: RawClient.self) { tasks in
                    for index in 1...count {
                        tasks.addTask {
                            try await StreamingTests.open(gateway, "?stream=user&access_token=good-\(index)-\(index)")
                        }
                    }
                    return try await tasks.reduce(into: []) { $0.append($1) }
                }
                try await gateway.streams(count)
                let opening = ContinuousClock.now - first
                try await eventually("connections cut") { try await broker.closeConnections() > 0 }
                let slowest = Shared(Duration.zero)
                // How soon the gateway has its broker again is not what is asked here.
                let told = Shared(ContinuousClock.Instant?.none)
                let again = try await withThrowingTaskGroup(of: RawClient.self) { tasks in
                    for (index, client) in zip(1..., clients) {
                        tasks.addTask {
                            let bytes = try await client.bytes("the end") { _, isClosed in isClosed }
                            #expect(Array(bytes.suffix(4)) == [0x88, 2, 3, 0xF4])
                            told.value.withLock { $0 = $0 ?? .now }
                            await client.close()
                            // As a client does: fetch what was missed, then follow again.
                            let asked = ContinuousClock.now
                            let answer = try await gateway.ask(
                                "GET",
                                "/api/v1/timelines/home",
                                token: "good-\(index)-1"
                            )
                            #expect(answer.hasPrefix("HTTP/1.1 200 "))
                            let took = ContinuousClock.now - asked
                            slowest.value.withLock { $0 = max($0, took) }
                            return try await StreamingTests.open(
                                gateway,
                                "?stream=user&access_token=good-\(index)-\(index)"
                            )
                        }
                    }
                    return try await tasks.reduce(into: []) { $0.append($1) }
                }
                let took = ContinuousClock.now - (told.value.withLock { $0 } ?? first)
                let longest = slowest.value.withLock { $0 }
                print("\(count) streams open after \(opening), back after \(took), slowest request \(longest)")
                // Against how long the same took before, because the machine may be busy with other work.
                #expect(took < .seconds(5) + opening * 5)
                try await gateway.streams(count)
                // One in a hundred hears something, and each exactly that.
                for index in stride(from: 100, through: count, by: 100) {
                    try await gateway.tell(
                        StreamingTests.update(["user:\(index)"], "for \(index)."),
                        type: TimelineUpdated.type
                    )
                }
                try await eventually("the news") {
                    again.filter { $0.text.contains(#""payload":"for "#) }.count == count / 100
                }
                for client in again { await client.close() }
            }
        }
    }

    @Test func readersThatNeverReadHoldLittleUntilTheyAreCutOff() async throws {
        try await TestGateway.run { gateway in
            var slow: [RawClient] = []
            for _ in 0..<20 {
                let client = try await gateway.client(reads: false)
                try await client.send(
                    "GET /api/v1/streaming/public HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good-7-9\r\n\r\n"
                )
                slow.append(client)
            }
            try await gateway.streams(20)
            let payload = String(repeating: "x", count: 300_000)
            var told = 0
            try await eventually("all of them gone") {
                gateway.feed.take(StreamingTests.update(["public"], payload))
                told += 1
                return try await gateway.server.collect { $0.streams.count }.reduce(0, +) == 0
            }
            // A few megabytes fit into the system's buffers, one into ours.
            #expect(told < 60)
            for client in slow { await client.close() }
        }
    }
}
