// SPDX-License-Identifier: Apache-2.0
// The exchanges of Engine.IO v4, as its specification and its public test suite describe them.

import NIOCore
import NIOHTTP1
import Testing

@testable import SocketIO

@Suite struct EngineSessionTests {
    // MARK: Handshake

    @Test func theHandshakeTellsItsFields() {
        let (_, polling) = EngineSession.polling(sid: "abc", EngineWorld.settings, now: 0)
        #expect(
            String(buffer: polling)
                == #"0{"sid":"abc","upgrades":["websocket"],"pingInterval":300,"pingTimeout":200,"maxPayload":1000000}"#
        )
        let (_, webSocket) = EngineSession.webSocket(sid: "abc", EngineWorld.settings, link: 1, now: 0)
        #expect(String(buffer: webSocket.payload).hasPrefix(#"0{"sid":"abc","upgrades":[],"#))
    }

    @Test(arguments: [
        ("GET", "transport=polling", EngineRefusal.unsupportedVersion),
        ("GET", "EIO=abc&transport=polling", .unsupportedVersion),
        ("GET", "EIO=3&transport=polling&b64=1", .unsupportedVersion),
        ("GET", "EIO=4", .unknownTransport),
        ("GET", "EIO=4&transport=abc", .unknownTransport),
        ("GET", "", .unknownTransport),
        ("POST", "EIO=4&transport=polling", .badHandshakeMethod),
        ("PUT", "EIO=4&transport=polling", .badHandshakeMethod),
        ("PUT", "EIO=4&transport=polling&sid=x", .badRequest),
        ("GET", "EIO=4&transport=websocket", .badRequest),
        ("GET", "EIO=4&transport=websocket&sid=x", .badRequest),
    ])
    func refusesRequestsThatAreNone(_ method: String, _ query: String, _ refusal: EngineRefusal) {
        #expect(throws: refusal) {
            _ = try EngineWish(method: HTTPMethod(rawValue: method), query: query, isUpgrade: false)
        }
    }

    @Test func understandsRequests() throws {
        func wish(_ method: HTTPMethod, _ query: String, _ isUpgrade: Bool = false) throws -> EngineWish {
            try EngineWish(method: method, query: query, isUpgrade: isUpgrade)
        }
        #expect(try wish(.GET, "EIO=4&transport=polling&t=abc&b64=1") == .open)
        #expect(try wish(.GET, "EIO=4&transport=polling&sid=x%2Dy") == .poll(sid: "x-y"))
        #expect(try wish(.POST, "sid=x&transport=polling&EIO=4") == .send(sid: "x"))
        #expect(try wish(.GET, "EIO=4&transport=websocket", true) == .openWebSocket)
        #expect(try wish(.GET, "EIO=4&transport=websocket&sid=x", true) == .upgrade(sid: "x"))
    }

    @Test func tellsWhyAsTheReferenceDoes() {
        #expect(String(buffer: EngineRefusal.unknownTransport.body) == #"{"code":0,"message":"Transport unknown"}"#)
        #expect(String(buffer: EngineRefusal.unknownSession.body) == #"{"code":1,"message":"Session ID unknown"}"#)
        #expect(
            String(buffer: EngineRefusal.badHandshakeMethod.body) == #"{"code":2,"message":"Bad handshake method"}"#
        )
        #expect(String(buffer: EngineRefusal.badRequest.body) == #"{"code":3,"message":"Bad request"}"#)
        #expect(
            String(buffer: EngineRefusal.unsupportedVersion.body)
                == #"{"code":5,"message":"Unsupported protocol version"}"#
        )
    }

    // MARK: Polling

    @Test func takesAndGivesBatches() {
        var world = EngineWorld.polling()
        #expect(
            world.post(1, "4hello\u{1E}4world\u{1E}bAQIDBA==") == [
                "1 200 ok", "text hello", "text world", "binary [1, 2, 3, 4]",
            ]
        )
        #expect(world.send("4a", "4b") == [])
        #expect(world.get(2) == ["2 200 4a|4b"])
        #expect(world.get(3) == [])
        #expect(world.send("4c") == ["3 200 4c"])
    }

    @Test func anAnswerHoldsNoMoreThanClientsTake() {
        var settings = EngineWorld.settings
        settings.pollPackets = 2
        var world = EngineWorld.polling(settings)
        for text in ["4a", "4b", "4c", "4d"] { #expect(world.send(text) == []) }
        #expect(world.get(1) == ["1 200 4a|4b"])
        #expect(world.close(.serverLeft) == [])
        #expect(world.get(2) == ["2 200 4c|4d"])
        #expect(world.get(3) == ["3 200 1", "closed serverLeft"])
    }

    @Test func emptyBinaryDataIsData() {
        var world = EngineWorld.polling()
        #expect(world.post(1, "b") == ["1 200 ok", "binary []"])
        #expect(String(buffer: EnginePayload.encode([WebSocketMessage(binary: [])])) == "b")
    }

    @Test func binaryGoesAsBase64() {
        let payload = EnginePayload.encode([
            WebSocketMessage(text: "4hello".utf8), WebSocketMessage(binary: [1, 2, 3, 4]),
        ])
        #expect(String(buffer: payload) == "4hello\u{1E}bAQIDBA==")
    }

    @Test(arguments: ["abc", "", "4a\u{1E}", "bnot base64", "0{}", "2", "2probe", "5", "7", "4a\u{1E}x"])
    func invalidBodiesCloseTheSession(_ body: String) {
        var world = EngineWorld.polling()
        #expect(world.get(1) == [])
        let told = world.post(2, body).filter { !$0.hasPrefix("text") }
        #expect(told == ["2 400 3", "1 200 1", "closed violation"])
        #expect(world.get(3) == ["3 400 1"])
    }

    @Test func brokenTextClosesTheSession() {
        var world = EngineWorld.polling()
        _ = world.began(1)
        let actions = world.session.postEnded(1, ByteBuffer(bytes: [0x34, 0xFF]), now: 0)
        #expect(actions.count == 2 && world.session.isClosed)
    }

    @Test func twoPollsAtOnceCloseTheSession() {
        var world = EngineWorld.polling()
        #expect(world.get(1) == [])
        #expect(world.get(2) == ["2 400 3", "1 200 1", "closed violation"])
        #expect(world.get(3) == ["3 400 1"])
    }

    @Test func twoBodiesAtOnceCloseTheSession() {
        var world = EngineWorld.polling()
        #expect(world.began(1) == [])
        #expect(world.began(2) == ["2 400 3", "1 400 3", "closed violation"])
    }

    @Test func aCancelledPollClosesTheSession() {
        var world = EngineWorld.polling()
        #expect(world.get(1) == [])
        #expect(world.cancelled(1) == ["closed connectionLost"])
        #expect(world.get(2) == ["2 400 1"])
    }

    @Test func aBodyThatIsTooLongIsRefused() {
        var world = EngineWorld.polling()
        _ = world.began(1)
        guard case .refuse(1, .tooLarge) = world.session.postEnded(1, nil, now: 0).first else {
            Issue.record("not refused")
            return
        }
        #expect(!world.session.isClosed)
    }

    @Test func theClientCloses() {
        var world = EngineWorld.polling()
        #expect(world.get(1) == [])
        #expect(world.post(2, "1") == ["2 200 ok", "1 200 6", "closed clientLeft"])
        #expect(world.get(3) == ["3 400 1"])
        var other = EngineWorld.webSocket()
        #expect(other.text("1", from: 1) == ["ws1 end 1000", "closed clientLeft"])
    }

    @Test func whatWaitsIsHandedOutBeforeTheEnd() {
        var world = EngineWorld.polling()
        _ = world.send("4a")
        #expect(world.close(.serverLeft) == [])
        #expect(world.send("4never") == [])
        #expect(world.began(1) == ["1 400 1"])
        #expect(world.get(2) == ["2 200 4a|1", "closed serverLeft"])
        var unheard = EngineWorld.polling()
        _ = unheard.close(.serverLeft)
        #expect(unheard.at(10_000) == ["closed serverLeft"])
    }

    @Test func aReaderThatNeverComesIsGivenUp() {
        var settings = EngineWorld.settings
        settings.backlog = 2
        var world = EngineWorld.polling(settings)
        #expect(world.send("4a", "4b") == [])
        #expect(world.send("4c") == ["closed tooSlow"])
    }

    // MARK: WebSocket

    @Test func speaksOverWebSocket() {
        var world = EngineWorld.webSocket()
        #expect(world.text("4hello", from: 1) == ["text hello"])
        #expect(world.binary([1, 2], from: 1) == ["binary [1, 2]"])
        #expect(world.send("4back") == ["ws1 4back"])
        #expect(world.get(1) == ["1 400 3"])
        #expect(world.attach(2) == false)
        #expect(world.ended(1) == ["closed connectionLost"])
    }

    @Test(arguments: ["abc", "", "0", "2", "2probe", "5", "9"])
    func invalidFramesCloseTheSession(_ text: String) {
        var world = EngineWorld.webSocket()
        #expect(world.text(text, from: 1) == ["ws1 end 1002", "closed violation"])
    }

    // MARK: Heartbeat

    @Test func pingsOverPolling() {
        var world = EngineWorld.polling()
        for round in 0..<3 {
            #expect(world.get(round * 2) == [])
            #expect(world.at(world.now + 299) == [])
            #expect(world.at(world.now + 1) == ["\(round * 2) 200 2"])
            #expect(world.post(round * 2 + 1, "3") == ["\(round * 2 + 1) 200 ok"])
        }
    }

    @Test func pingsOverWebSocket() {
        var world = EngineWorld.webSocket()
        #expect(world.at(300) == ["ws1 2"])
        #expect(world.text("3", from: 1) == [])
        #expect(world.at(599) == [])
        #expect(world.at(600) == ["ws1 2"])
        #expect(world.at(800) == ["ws1 end 1001", "closed heartbeatMissed"])
    }

    @Test func missedHeartbeatsEndTheSession() {
        var world = EngineWorld.polling()
        // Both deadlines pass before anybody looks.
        #expect(world.at(500) == ["closed heartbeatMissed"])
        #expect(world.get(1) == ["1 400 1"])
        var polled = EngineWorld.polling()
        _ = polled.at(300)
        #expect(polled.get(1) == ["1 200 2"])
        #expect(polled.get(2) == [])
        #expect(polled.at(500) == ["2 200 1", "closed heartbeatMissed"])
    }

    // MARK: Upgrade

    @Test func movesToAWebSocket() {
        var world = EngineWorld.polling()
        #expect(world.get(1) == [])
        #expect(world.attach(1) == true)
        #expect(world.text("2probe", from: 1) == ["ws1 3probe"])
        #expect(world.at(50) == ["1 200 6"])
        #expect(world.get(2) == [])
        #expect(world.at(100) == ["2 200 6"])
        #expect(world.send("4waiting") == [])
        #expect(world.text("5", from: 1) == ["ws1 4waiting"])
        #expect(world.text("4hello", from: 1) == ["text hello"])
        #expect(world.get(3) == ["3 400 3"])
        #expect(world.post(4, "4x") == ["4 400 3"])
        let another = world.attach(2)
        #expect(!another)
        #expect(world.send("4still") == ["ws1 4still"])
    }

    @Test func aPollThatCrossesTheUpgradeIsRefused() {
        var world = EngineWorld.polling()
        _ = world.attach(1)
        #expect(world.get(1) == [])
        #expect(world.text("2probe", from: 1) == ["ws1 3probe"])
        #expect(world.text("5", from: 1) == ["1 400 3"])
    }

    @Test(arguments: [["5"], ["4hello"], ["2"], ["2probe", "2probe"], ["2probe", "4x"], ["x"]])
    func aProbeThatIsNoneLeavesThePollingAlone(_ texts: [String]) {
        var world = EngineWorld.polling()
        #expect(world.get(1) == [])
        _ = world.attach(1)
        var told: [String] = []
        for text in texts { told = world.text(text, from: 1) }
        #expect(told == ["ws1 end 1002"])
        #expect(world.send("4a") == ["1 200 4a"])
        #expect(world.attach(2) == true)
    }

    @Test func onlyOneWebSocketTries() {
        var world = EngineWorld.polling()
        #expect(world.attach(1) == true)
        #expect(world.attach(2) == false)
        #expect(world.at(10_000).first == "ws1 end 1008")
        var lost = EngineWorld.polling()
        #expect(lost.attach(1) == true)
        #expect(lost.ended(1) == [])
        #expect(lost.attach(2) == true)
    }

    @Test func pollingGoesOnWhileAWebSocketIsProbed() {
        var world = EngineWorld.polling()
        _ = world.get(1)
        _ = world.attach(1)
        _ = world.text("2probe", from: 1)
        #expect(world.send("4a") == ["1 200 4a"])
        #expect(world.post(2, "4b") == ["2 200 ok", "text b"])
    }

    @Test func aSessionThatMovedEndsWithItsWebSocket() {
        var world = EngineWorld.upgraded()
        #expect(world.close(.stopping) == ["ws1 end 1000", "closed stopping"])
    }
}
