// SPDX-License-Identifier: Apache-2.0
// Two gateways and a broker: presence and messages between them, and a connection that is lost.

import Domain
import Events
import Messaging
import ServiceLifecycle
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct ChatBrokerTests {
    /// Runs `body` with two gateways that share a broker and a chat.
    private func withTwo(
        _ body: @escaping @Sendable (TestGateway, TestGateway, ScriptedChat, TestBroker) async throws -> Void
    ) async throws {
        try await withTestBroker { broker in
            let chat = ScriptedChat([20: [7, 8]])
            try await TestGateway.run(on: broker, chat: chat.answer) { first in
                try await TestGateway.run(on: broker, chat: chat.answer) { second in
                    chat.listen { update in
                        first.dependencies.live.offer(ChatUpdated(update: update, subjectVersion: 1))
                    }
                    try await body(first, second, chat, broker)
                }
            }
        }
    }

    @Test func presenceAndMessagesCrossGateways() async throws {
        try await withTwo { first, second, chat, _ in
            let mina = try await SocketClient.ready(first, "good-7-9")
            let juno = try await SocketClient.ready(second, "good-8-10")
            try await mina.packet(startingWith: #"42["presence",{"account_id":"8","online":true}]"#)
            try await juno.packets("presence of 7") { packets in
                packets.contains { $0.hasPrefix(#"42["presence""#) && $0.contains(#""7""#) }
            }
            try await juno.send(#"42["typing",{"channel_id":"20"}]"#)
            try await mina.packet(startingWith: #"42["typing",{"channel_id":"20","account_id":"8"}]"#)
            for index in 1...50 { chat.say("m\(index)", in: 20, by: 7) }
            for client in [mina, juno] {
                try await client.packets("all") { $0.contains { $0.contains(#""text":"m50""#) } }
                #expect(client.texts() == (1...50).map { "m\($0)" })
            }
            await juno.close()
            try await mina.packet(startingWith: #"42["presence",{"account_id":"8","online":false}]"#)
            await mina.close()
        }
    }

    @Test func aLostConnectionToTheBrokerLosesNothing() async throws {
        try await withTwo { first, second, chat, broker in
            let mina = try await SocketClient.ready(first, "good-7-9")
            let juno = try await SocketClient.ready(second, "good-8-10")
            let sent = 120
            for index in 1...sent {
                if index % 40 == 20 { _ = try await broker.closeConnections() }
                chat.say("m\(index)", in: 20, by: 7)
                if index % 10 == 0 { try await juno.send("42" + #"["typing",{"channel_id":"20"}]"#) }
            }
            try await eventually("connections cut") { try await broker.closeConnections() > 0 }
            for client in [mina, juno] {
                try await client.packets("all") { $0.contains { $0.contains(#""text":"m\#(sent)""#) } }
                #expect(client.texts() == (1...sent).map { "m\($0)" })
            }
            await mina.close()
            await juno.close()
        }
    }
}
