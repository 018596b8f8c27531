// SPDX-License-Identifier: Apache-2.0
// What clients send over Socket.IO, and what they are told of each other.

import Domain
import Events
import Messaging
import NIOCore
import NIOHTTP1
import Support
import Synchronization
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ChatEmitTests {
    @Test func aMessageIsAcknowledgedOnceItIsStored() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let mina = try await SocketClient.ready(gateway, "good-7-9")
            let juno = try await SocketClient.ready(gateway, "good-8-10")
            for index in 1...20 {
                try await mina.send(#"42\#(index)["message",{"channel_id":"20","text":"m\#(index)","client_id":"c"}]"#)
            }
            let last = try await mina.packet(startingWith: #"4320[{"ok":true,"message":{"id":"#)
            #expect(last.contains(#""seq":20"#))
            for client in [mina, juno] {
                try await client.packets("all") { $0.contains { $0.contains(#"["message""#) && $0.contains("m20") } }
                #expect(client.texts() == (1...20).map { "m\($0)" })
            }
            let asked = gateway.chat.asked("/api/v1/channels/20/messages").first
            #expect(asked?.head.headers.first(name: "x-madang-principal") == "signed-7")
            #expect(asked?.head.headers.first(name: "x-madang-internal") == nil)
            await mina.close()
            await juno.close()
        }
    }

    @Test(arguments: [false, true])
    func whatIsSaidWhileAMessageIsStoredGoesTogether(_ isOfBefore: Bool) async throws {
        try await ChatSocketTests.run { gateway, chat in
            let gate = Gate()
            chat.state.withLock { state in
                state.isOfBefore = isOfBefore
                state.gate = gate
            }
            let client = try await SocketClient.ready(gateway, "good-7-9")
            let said: [(channel: Int, text: String)] = [
                (20, "m1"), (20, "m2"), (20, ""), (20, "m4"), (21, "n5"), (20, "m6"), (20, "m7"),
            ]
            for (index, message) in said.enumerated() {
                let json = #"{"channel_id":"\#(message.channel)","text":"\#(message.text)"}"#
                try await client.send(#"42\#(index + 1)["message",\#(json)]"#)
            }
            // Answered at once: by then all of them wait.
            try await client.send(#"4299["nonsense"]"#)
            try await client.packet(startingWith: "4399[")
            gate.open()
            for (index, message) in said.enumerated() {
                let answer = try await client.packet(startingWith: "43\(index + 1)[")
                let isFine =
                    answer.contains(#""ok":true,"message":{"#) && answer.contains(#""text":"\#(message.text)""#)
                let isRefused = answer.contains(#""ok":false,"error":{"#) && answer.contains(#""name":"text""#)
                #expect(message.text.isEmpty ? isRefused : isFine, "\(answer)")
            }
            let stored = chat.state.withLock { state in [20, 21].map { state.channels[$0]?.messages.map(\.text) } }
            #expect(stored == [["m1", "m2", "m4", "m6", "m7"], ["n5"]])
            // What goes to another channel, and what is behind it, goes on its own.
            #expect(gateway.chat.asked("/internal/channels/20/messages").count == 2)
            let alone = gateway.chat.asked("/api/v1/channels/").map(\.head.uri)
            #expect(alone.count == (isOfBefore ? 7 : 2))
            await client.close()
        }
    }

    enum Chat: CaseIterable { case knowsBatches, isOfBefore, isAway, breaks }

    /// The second may be said twice, as its client has given it a key.
    @Test(arguments: Chat.allCases)
    func whatSeveralSayAtTheSameTimeGoesTogether(_ kind: Chat) async throws {
        try await ChatSocketTests.run(["MADANG_EVENT_LOOPS": "1"]) { gateway, chat in
            let gate = Gate()
            chat.state.withLock { state in
                state.isOfBefore = kind == .isOfBefore
                state.breaksBatches = kind == .breaks
                state.gate = gate
            }
            let first = try await SocketClient.ready(gateway, "good-7-9")
            try await first.send(#"421["message",{"channel_id":"20","text":"first"}]"#)
            try await eventually { gateway.chat.asked("/api/v1/channels/20/messages").count == 1 }
            var others: [SocketClient] = []
            for (token, message) in [
                ("good-8-10", #""text":"j1""#), ("good-7-9", #""text":"m2","client_id":"k""#),
                ("good-8-10", #""text":"""#),
            ] {
                let client = try await SocketClient.ready(gateway, token)
                try await client.send(#"421["message",{"channel_id":"20",\#(message)}]"#)
                // Answered at once: by then the message waits.
                try await client.send(#"4299["nonsense"]"#)
                try await client.packet(startingWith: "4399[")
                others.append(client)
            }
            chat.state.withLock { $0.isAway = kind == .isAway }
            gate.open()
            #expect(try await first.packet(startingWith: "431[").contains(#""text":"first""#))
            var answers: [String] = []
            for client in others { answers.append(try await client.packet(startingWith: "431[")) }
            func isStored(_ index: Int, _ text: String) -> Bool {
                answers[index].contains(#""ok":true"#) && answers[index].contains(#""text":"\#(text)""#)
            }
            func isRefused(_ index: Int, _ part: String) -> Bool {
                answers[index].contains(#""ok":false"#) && answers[index].contains(part)
            }
            let hasFirst = kind == .knowsBatches || kind == .isOfBefore
            #expect(hasFirst ? isStored(0, "j1") : isRefused(0, "unavailable"), "\(answers)")
            #expect(kind == .isAway ? isRefused(1, "unavailable") : isStored(1, "m2"), "\(answers)")
            #expect(isRefused(2, hasFirst ? #""name":"text""# : "unavailable"), "\(answers)")
            let asked = gateway.chat.asked("/internal/messages")
            #expect(asked.count == 1)
            #expect(asked.first?.head.headers.first(name: "x-madang-principal") == nil)
            #expect(asked.first?.body.contains(#""principal":"signed-8","channel_id":"20""#) == true)
            let alone: [Chat: Int] = [.knowsBatches: 1, .isOfBefore: 4, .isAway: 1, .breaks: 2]
            #expect(gateway.chat.asked("/api/v1/channels/20/messages").count == alone[kind])
            let stored: [Chat: Set<String>] = [.isAway: ["first"], .breaks: ["first", "m2"]]
            #expect(
                chat.state.withLock { Set($0.channels[20]?.messages.map(\.text) ?? []) }
                    == stored[kind] ?? ["first", "j1", "m2"]
            )
            for client in [first] + others { await client.close() }
        }
    }

    @Test func whatIsReadInOneTurnGoesTogether() async throws {
        try await ChatSocketTests.run(["MADANG_EVENT_LOOPS": "1"]) { gateway, chat in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            let statuses = Mutex<[Int?]>([])
            gateway.server.onEveryLoop { loop in
                guard let socket = loop.chat.account(AccountID(7)).sockets.values.first else { return }
                for text in ["one", "two", "three"] {
                    loop.chat.batches.say(
                        MessageBatches.Said(
                            principal: socket.principal,
                            channel: ChannelID(20),
                            body: ByteBuffer(string: #"{"text":"\#(text)"}"#),
                            path: "/api/v1/channels/20/messages",
                            fields: [],
                            language: nil,
                            isRepeatable: false
                        ) { answer in statuses.withLock { $0.append(answer?.status) } }
                    )
                }
            }
            try await eventually("each is answered") { statuses.withLock { $0 == [201, 201, 201] } }
            #expect(gateway.chat.asked("/internal/messages").count == 1)
            #expect(gateway.chat.asked("/api/v1/channels/20/messages").isEmpty)
            #expect(chat.state.withLock { $0.channels[20]?.messages.map(\.text) } == ["one", "two", "three"])
            await client.close()
        }
    }

    @Test func aCallThatTakesLongHoldsNobodyUpForGood() async throws {
        try await ChatSocketTests.run(["MADANG_EVENT_LOOPS": "1"]) { gateway, chat in
            let gate = Gate()
            chat.state.withLock { $0.gate = gate }
            let mina = try await SocketClient.ready(gateway, "good-7-9")
            let juno = try await SocketClient.ready(gateway, "good-8-10")
            try await mina.send(#"421["message",{"channel_id":"20","text":"held"}]"#)
            try await eventually { gateway.chat.asked("/api/v1/channels/20/messages").count == 1 }
            try await juno.send(#"421["message",{"channel_id":"20","text":"not held"}]"#)
            #expect(try await juno.packet(startingWith: "431[").contains(#""text":"not held""#))
            gate.open()
            #expect(try await mina.packet(startingWith: "431[").contains(#""text":"held""#))
            for client in [mina, juno] { await client.close() }
        }
    }

    @Test(arguments: [
        (#"["message",{"channel_id":"20","text":""}]"#, #""fields":[{"name":"text""#),
        (#"["message",{"channel_id":"22","text":"x"}]"#, #""code":"not-found""#),
        (#"["message",{"channel_id":20}]"#, #""code":"bad-request""#), (#"["message"]"#, #""code":"bad-request""#),
        (#"["message",[1]]"#, #""code":"bad-request""#), (#"["typing",{"channel_id":"22"}]"#, #""code":"not-found""#),
        (#"["nonsense",1,2]"#, #""code":"unknown-event""#),
        (#"["sync",{"channels":{"20":-1}}]"#, #""code":"bad-request""#), (#"["sync"]"#, #""code":"bad-request""#),
        (#"["read",{"channel_id":"-1"}]"#, #""code":"bad-request""#),
    ])
    func whatCannotBeDoneIsToldInTheAcknowledgement(_ event: String, _ part: String) async throws {
        try await ChatSocketTests.run { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            try await client.send("42" + event)
            try await client.send("425" + event)
            let answer = try await client.packet(startingWith: "435[")
            #expect(answer.hasPrefix(#"435[{"ok":false,"error":{"#) && answer.contains(part), "\(answer)")
            await client.close()
        }
    }

    @Test func readAndSync() async throws {
        try await ChatSocketTests.run { gateway, chat in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            for index in 1...3 { chat.say("m\(index)", in: 20, by: 8) }
            try await client.send(#"421["read",{"channel_id":"20","seq":2}]"#)
            #expect(try await client.packet(startingWith: "431") == #"431[{"ok":true,"read":{"last_read_seq":1}}]"#)
            try await client.send(#"422["sync",{"channels":{"20":1,"99":0}}]"#)
            let missed = try await client.packet(startingWith: #"432[{"ok":true,"channels":[{"id":"20","messages":["#)
            #expect(missed.contains("m2") && missed.contains("m3") && !missed.contains("m1"))
            let channels = (1...10_000).map { #""\#($0)":1"# }.joined(separator: ",")
            try await client.send(#"423["sync",{"channels":{\#(channels)}}]"#)
            try await client.packet(startingWith: #"433[{"ok":false,"#)
            await client.close()
        }
    }

    @Test func emitsHaveABudget() async throws {
        try await ChatSocketTests.run(["MADANG_RATE_LIMIT_ACCOUNT": "4"], now: Timestamp.startOfWindow) { gateway, _ in
            let client = try await SocketClient.ready(gateway, "good-7-9")
            for index in 1...4 { try await client.send(#"42\#(index)["message",{"channel_id":"20","text":"x"}]"#) }
            let answer = try await client.packet(startingWith: #"434["#)
            #expect(answer.contains("too-many-requests"), "\(answer)")
            await client.close()
        }
    }

    @Test func typingIsToldToTheOthers() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let mina = try await SocketClient.ready(gateway, "good-7-9")
            let juno = try await SocketClient.ready(gateway, "good-8-10")
            try await mina.send(#"421["typing",{"channel_id":"20"}]"#)
            try await mina.packet(startingWith: #"431[{"ok":true}]"#)
            let published = gateway.dependencies.live.waiting.filter { $0.routingKey == TypingStarted.type }
            #expect(published.count == 1)
            for message in published {
                #expect(message.exchange == "live" && !message.mandatory && !message.persistent)
                gateway.feed.take(message.body)
            }
            try await juno.packet(startingWith: #"42["typing",{"channel_id":"20","account_id":"7"}]"#)
            #expect(!mina.packets.contains { $0.hasPrefix(#"42["typing""#) })
            await mina.close()
            await juno.close()
        }
    }

    @Test func typingIsToldOnceASecondInEachChannel() {
        var pace = TypingPace()
        let moments: [(ChannelID, Milliseconds)] = [
            (ChannelID(20), 5000), (ChannelID(20), 5000), (ChannelID(20), 5999), (ChannelID(21), 5999),
            (ChannelID(20), 6000), (ChannelID(20), 6500),
        ]
        let told = moments.map { channel, now in pace.allows(channel, now: now) }
        #expect(told == [true, false, false, true, true, false])
    }

    @Test func typingInManyChannelsAtOnceIsNotTold() {
        var pace = TypingPace()
        let told = (1...65).map { pace.allows(ChannelID($0), now: 0) }
        #expect(told == Array(repeating: true, count: 64) + [false])
        let (before, after) = (pace.allows(ChannelID(65), now: 999), pace.allows(ChannelID(65), now: 1000))
        #expect(!before && after)
    }

    @Test func presenceIsToldToThoseWhoShareAPlace() async throws {
        try await ChatSocketTests.run { gateway, _ in
            let mina = try await SocketClient.ready(gateway, "good-7-9")
            try await mina.packet(startingWith: #"42["presence",{"online":[]}]"#)
            let juno = try await SocketClient.ready(gateway, "good-8-10")
            try await juno.packet(startingWith: #"42["presence",{"online":["7"]}]"#)
            try await mina.packet(startingWith: #"42["presence",{"account_id":"8","online":true}]"#)
            let stranger = try await SocketClient.ready(gateway, "good-6-11")
            try await stranger.packet(startingWith: #"42["presence",{"online":[]}]"#)
            await juno.close()
            try await mina.packet(startingWith: #"42["presence",{"account_id":"8","online":false}]"#)
            #expect(!mina.packets.contains { $0.contains(#""account_id":"6""#) })
            await mina.close()
            await stranger.close()
        }
    }
}
