// SPDX-License-Identifier: Apache-2.0
// Chat over Socket.IO through a gateway: who is let in, what arrives, what is cut.

import Domain
import Events
import NIOHTTP1
import Support
import Surface
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ChatSocketTests {
    /// Clients of these tests answer no pings, and on a busy machine their turns come late.
    private static let patient = [
        "MADANG_SOCKETIO_CONNECT_TIMEOUT": "300000", "MADANG_SOCKETIO_PING_TIMEOUT": "300000",
    ]

    /// A gateway before a chat in which 7 and 8 share channel 20, 7 alone has 21, and 30 is direct between 7 and 8.
    static func run(
        _ environment: [String: String] = [:],
        limits: (inout GatewayLimits) -> Void = { _ in },
        now: @escaping @Sendable () -> Timestamp = Timestamp.now,
        _ body: @Sendable @escaping (TestGateway, ScriptedChat) async throws -> Void
    ) async throws {
        let chat = ScriptedChat([20: [7, 8], 21: [7], 30: [7, 8]], direct: [30])
        let environment = patient.merging(environment) { $1 }
        try await TestGateway.run(environment, limits: limits, chat: chat.answer, now: now) { gateway in
            chat.listen(gateway.feed)
            try await body(gateway, chat)
        }
    }

    // MARK: Let in

    @Test(arguments: [
        (#"40{"token":"good-7-9"}"#, [String]()), (#"40{"authorization":"Bearer good-7-9"}"#, []),
        ("40", ["Authorization: Bearer good-7-9"]), ("40", ["Authorization: good-7-9"]),
    ])
    func letsInWhoeverHasAToken(_ connect: String, _ fields: [String]) async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.open(gateway, fields.first ?? "X-None: 1")
            try await client.send(connect)
            try await client.packet(startingWith: #"40{"sid":""#)
            let ready = try await client.packet(startingWith: #"42["ready""#)
            #expect(ready.contains(#""channel_id":"20","last_seq":0"#), "\(ready)")
            await client.close()
            try await eventually("nobody left") {
                try await gateway.server.collect { $0.chat.accounts.count + $0.chat.rooms.count } == [0, 0]
            }
        }
    }

    @Test func takesATokenFromTheQuery() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.open(gateway, query: "&access_token=good-7-9")
            try await client.send("40")
            try await client.packet(startingWith: #"42["ready""#)
            await client.close()
        }
    }

    @Test(arguments: [
        ("40", #"44{"message":"unauthorized","#), (#"40{"token":"bad"}"#, #"44{"message":"unauthorized","#),
        (#"40{"token":"good-7-9:write"}"#, #"44{"message":"forbidden","data":{"code":"missing-scope","#),
        (#"40/other,{"token":"good-7-9"}"#, #"44/other,{"message":"not-found","#),
        (#"40/ws-dm-x,{"token":"good-7-9"}"#, #"44/ws-dm-x,{"message":"not-found","#),
        (#"40/ws-channel-21,{"token":"good-8-9"}"#, #"44/ws-channel-21,{"message":"not-found","#),
        (#"40/ws-channel-99,{"token":"good-8-9"}"#, #"44/ws-channel-99,{"message":"not-found","#),
        (#"40{"token":"good-7-9","channels":{"20":-1}}"#, #"44{"message":"bad-request","#),
        (#"40{"token":"good-7-9","channels":{"x":1}}"#, #"44{"message":"bad-request","#),
        (#"40{"token":"good-7-9","channels":{"20":{"seq":1.5}}}"#, #"44{"message":"bad-request","#),
        (#"40{"token":"good-7-9","channels":{"20":99999999999999999999}}"#, #"44{"message":"bad-request","#),
        (#"40{"token":"good-7-9","channels":[1]}"#, #"44{"message":"bad-request","#),
    ])
    func refuses(_ connect: String, _ refusal: String) async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.open(gateway)
            try await client.send(connect)
            let answer = try await client.packet(startingWith: "44")
            #expect(answer.hasPrefix(refusal), "\(answer)")
            await client.close()
        }
    }

    @Test func refusesTooManyPositions() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.open(gateway)
            let channels = (1...10_000).map { #""\#($0)":1"# }.joined(separator: ",")
            try await client.send(#"40{"token":"good-7-9","channels":{\#(channels)}}"#)
            try await client.packet(startingWith: #"44{"message":"bad-request","#)
            await client.close()
        }
    }

    @Test func saysSoWhenChatIsAwayAndKeepsThoseWhoAreThere() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let there = try await SocketClient.ready(gateway, "good-7-9")
            chat.state.withLock { $0.isAway = true }
            let client = try await SocketClient.open(gateway)
            try await client.send(#"40{"token":"good-8-9"}"#)
            try await client.packet(startingWith: #"44{"message":"unavailable","#)
            try await there.send(#"4217["message",{"channel_id":"20","text":"hello"}]"#)
            try await there.packet(startingWith: #"4317[{"ok":false,"error":{"#)
            chat.state.withLock { $0.isAway = false }
            try await client.send(#"40{"token":"good-8-9"}"#)
            try await client.packet(startingWith: #"42["ready""#)
            await client.close()
            await there.close()
        }
    }

    // MARK: What arrives

    @Test func whatWasMissedComesFirst() async throws {
        try await ChatSocketTests.run { gateway, chat in
            for index in 1...5 { chat.say("m\(index)", in: 20, by: 8) }
            chat.edit(1, in: 20, to: "m1, again")
            let client = try await SocketClient.ready(gateway, "good-7-9", channels: #"{"20":{"seq":2,"change":5}}"#)
            #expect(client.texts() == ["m3", "m4", "m5"])
            #expect(client.texts("message:edited") == ["m1, again"])
            chat.say("m6", in: 20, by: 8)
            chat.edit(6, in: 20, to: "m6, again")
            try await client.packets("the edit") { $0.contains { $0.contains("m6, again") } }
            #expect(client.texts() == ["m3", "m4", "m5", "m6"])
            let order = client.packets.filter { $0.hasPrefix("42") }.map { $0.prefix(12) }
            #expect(order.firstIndex { $0.hasPrefix(#"42["ready""#) } == 4, "\(order)")
            await client.close()
        }
    }

    @Test func eachDeviceCatchesUpFromWhereItIs() async throws {
        try await ChatSocketTests.run { gateway, chat in
            for index in 1...4 { chat.say("m\(index)", in: 20, by: 8) }
            let phone = try await SocketClient.ready(gateway, "good-7-9", channels: #"{"20":1}"#)
            let tablet = try await SocketClient.ready(gateway, "good-7-10", channels: #"{"20":{"seq":3}}"#)
            let laptop = try await SocketClient.ready(gateway, "good-7-11")
            chat.say("m5", in: 20, by: 8)
            for client in [phone, tablet, laptop] {
                try await client.packets("the newest") { $0.contains { $0.contains(#""text":"m5""#) } }
            }
            #expect(phone.texts() == ["m2", "m3", "m4", "m5"])
            #expect(tablet.texts() == ["m4", "m5"])
            #expect(laptop.texts() == ["m5"])
            for client in [phone, tablet, laptop] { await client.close() }
        }
    }

    @Test func tooMuchIsToBeLoaded() async throws {
        try await ChatSocketTests.run { gateway, chat in
            for index in 1...501 { chat.say("m\(index)", in: 20, by: 8) }
            let client = try await SocketClient.ready(gateway, "good-7-9", channels: #"{"20":0,"21":0}"#)
            let resync = try await client.packet(startingWith: #"42["resync""#)
            #expect(resync == #"42["resync",{"channel_id":"20","last_seq":501,"last_change":501}]"#)
            #expect(client.texts().isEmpty)
            await client.close()
        }
    }

    @Test func whatTheBrokerDoesNotBringIsFetched() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            chat.say("a", in: 20, by: 8)
            chat.say("b", in: 20, by: 8, isTold: false)
            chat.say("c", in: 20, by: 8, isTold: false)
            chat.say("d", in: 20, by: 8)
            try await client.packets("all of them") { $0.contains { $0.contains(#""text":"d""#) } }
            #expect(client.texts() == ["a", "b", "c", "d"])
            await client.close()
        }
    }

    @Test func afterALossOfTheBrokerNothingIsMissing() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            chat.say("a", in: 20, by: 8)
            gateway.feed.link(false)
            chat.say("b", in: 20, by: 8, isTold: false)
            chat.say("alone", in: 21, by: 7, isTold: false)
            chat.edit(1, in: 20, to: "a, again", isTold: false)
            chat.state.withLock { $0.isAway = true }
            gateway.feed.link(true)
            try await eventually("chat asked in vain") { !gateway.chat.asked("/internal/positions").isEmpty }
            chat.state.withLock { $0.isAway = false }
            try await client.packets("what was missed") { packets in
                ["b", "alone", "a, again"].allSatisfy { text in
                    packets.contains { $0.contains(#""text":"\#(text)""#) }
                }
            }
            #expect(client.texts().filter { $0 != "alone" } == ["a", "b"])
            #expect(client.texts("message:edited") == ["a, again"])
            await client.close()
        }
    }

    @Test func aRoomHasItsOwnNamespace() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.open(gateway)
            for (room, channel) in [("/ws-channel-20", 20), ("/ws-dm-30", 30), ("/ws-dm-21", 21)] as [(String, Int64)] {
                try await client.send(#"40\#(room),{"token":"good-7-9"}"#)
                try await client.packet(startingWith: "40\(room),")
                chat.say("in \(channel)", in: channel, by: 8)
            }
            try await client.packets("all") { $0.contains { $0.contains("in 21") } }
            let dm = try await client.packet(startingWith: #"42/ws-dm-30,["dm",{"dm_id":"301","room_id":"30","#)
            #expect(dm.contains(#""content":"in 30""#) && dm.contains(#""nickname":"Mina""#), "\(dm)")
            try await client.packet(startingWith: #"42/ws-channel-20,["channel",{"channel_id":"20","#)
            try await client.packet(startingWith: #"42/ws-dm-21,["channel",{"channel_id":"21","#)
            await client.close()
        }
    }

    @Test func otherNewsReachesWhomItConcerns() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let mina = try await SocketClient.ready(gateway, "good-7-9")
            let juno = try await SocketClient.ready(gateway, "good-8-10")
            func tell(
                _ event: String,
                _ json: String,
                channel: ChannelID? = ChannelID(20),
                to: [Int64] = [],
                except: [Int64] = []
            ) {
                gateway.feed.take(
                    ChatUpdate(
                        channelID: channel,
                        accountIDs: to.map { AccountID($0) },
                        event: event,
                        payload: Array(json.utf8),
                        except: except.map { AccountID($0) }
                    )
                )
            }
            tell("read", "1", channel: nil, to: [7])
            tell("channel", "2", except: [7])
            tell("member", "3", to: [7])
            for client in [mina, juno] { try await client.packet(startingWith: #"42["member",3]"#) }
            #expect(mina.packets.filter { $0.hasPrefix(#"42["member""#) }.count == 1)
            #expect(mina.packets.contains(#"42["read",1]"#) && !juno.packets.contains(#"42["read",1]"#))
            #expect(juno.packets.contains(#"42["channel",2]"#) && !mina.packets.contains(#"42["channel",2]"#))
            await mina.close()
            await juno.close()
        }
    }

    // MARK: What is cut

    @Test func aRevokedTokenIsCutOff() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            let other = try await SocketClient.ready(gateway, "good-7-10")
            gateway.feed.take(AuthenticationTests.revocation(9))
            try await client.packet(startingWith: "41")
            _ = try await client.raw.untilClosed()
            try await other.send(#"421["sync",{"channels":{}}]"#)
            try await other.packet(startingWith: #"431[{"ok":true,"#)
            await other.close()
        }
    }

    @Test func whoeverIsRemovedHearsNoMore() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            try await client.send(#"40/ws-channel-20,{"token":"good-7-9"}"#)
            try await client.packet(startingWith: "40/ws-channel-20,")
            chat.move(7, 20, isMember: false)
            try await client.packet(startingWith: "41/ws-channel-20,")
            try await client.packet(startingWith: #"42["member",{"account":7,"joined":false}]"#)
            chat.say("not for you", in: 20, by: 8)
            chat.say("for you", in: 21, by: 7)
            try await client.packets("the other channel") { $0.contains { $0.contains("for you") } }
            #expect(client.texts() == ["for you"])
            chat.move(7, 20, isMember: true)
            chat.say("again for you", in: 20, by: 8)
            try await client.packets("the channel again") { $0.contains { $0.contains("again for you") } }
            #expect(client.texts() == ["for you", "again for you"])
            await client.close()
        }
    }

    @Test func aLeaveThatIsToldCountsAtOnce() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let mina = try await SocketClient.ready(gateway, "good-7-9")
            let juno = try await SocketClient.ready(gateway, "good-8-10")
            // Chat cannot be asked: only the news itself can take the channel away.
            chat.state.withLock { $0.isAway = true }
            chat.move(7, 20, isMember: false)
            chat.say("not for you", in: 20, by: 8)
            gateway.feed.take(
                ChatUpdate(channelID: nil, accountIDs: [AccountID(7)], event: "read", payload: Array("1".utf8))
            )
            try await juno.packets("the message") { $0.contains { $0.contains("not for you") } }
            try await mina.packet(startingWith: #"42["read",1]"#)
            #expect(mina.packets.contains(#"42["member",{"account":7,"joined":false}]"#))
            #expect(mina.texts().isEmpty)
            await mina.close()
            await juno.close()
        }
    }

    @Test func aClosedChannelIsLeftByAll() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.open(gateway)
            try await client.send(#"40/ws-dm-30,{"token":"good-7-9"}"#)
            try await client.packet(startingWith: "40/ws-dm-30,")
            chat.state.withLock { $0.channels[30]?.members = [] }
            gateway.feed.take(
                ChatUpdate(
                    channelID: ChannelID(30),
                    event: "channel",
                    payload: Array("{}".utf8),
                    closed: [ChannelID(30)]
                )
            )
            try await client.packet(startingWith: "41/ws-dm-30,")
            await client.close()
        }
    }

    @Test func aRemovalDuringALossIsFoundOut() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            gateway.feed.link(false)
            chat.move(7, 20, isMember: false, isTold: false)
            gateway.feed.link(true)
            try await eventually("the channel left") {
                try await gateway.server.collect { $0.chat.accounts[AccountID(7)]?.rooms.keys.sorted() }
                    .contains { $0 == [ChannelID(21), ChannelID(30)] }
            }
            await client.close()
        }
    }
}
