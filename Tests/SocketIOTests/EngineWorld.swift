// SPDX-License-Identifier: Apache-2.0
// An Engine.IO session of a test, its actions as text.

import NIOCore
import NIOHTTP1

@testable import SocketIO

struct EngineWorld {
    var session: EngineSession
    var now: Int64 = 0

    static var settings: EngineSettings {
        var settings = EngineSettings()
        settings.pingInterval = 300
        settings.pingTimeout = 200
        return settings
    }

    static func polling(_ settings: EngineSettings = settings) -> EngineWorld {
        EngineWorld(session: EngineSession.polling(sid: "s", settings, now: 0).0)
    }

    static func webSocket() -> EngineWorld {
        EngineWorld(session: EngineSession.webSocket(sid: "s", settings, link: 1, now: 0).0)
    }

    /// A session that polled and then moved to the WebSocket 1.
    static func upgraded() -> EngineWorld {
        var world = polling()
        _ = world.session.attach(1, now: 0)
        _ = world.text("2probe", from: 1)
        _ = world.text("5", from: 1)
        return world
    }

    mutating func get(_ request: Int) -> [String] { tell(session.get(request, now: now)) }

    mutating func post(_ request: Int, _ body: String) -> [String] {
        tell(session.postBegan(request, now: now))
            + tell(session.postEnded(request, ByteBuffer(string: body), now: now))
    }

    mutating func began(_ request: Int) -> [String] { tell(session.postBegan(request, now: now)) }
    mutating func cancelled(_ request: Int) -> [String] { tell(session.cancelled(request, now: now)) }

    mutating func text(_ text: String, from link: Int) -> [String] {
        tell(session.text(ByteBuffer(string: text), from: link, now: now))
    }

    mutating func binary(_ bytes: [UInt8], from link: Int) -> [String] {
        tell(session.binary(ByteBuffer(bytes: bytes), from: link, now: now))
    }

    mutating func ended(_ link: Int) -> [String] { tell(session.ended(link, now: now)) }
    mutating func attach(_ link: Int) -> Bool { session.attach(link, now: now) }
    mutating func send(_ texts: String...) -> [String] {
        tell(session.send(texts.map { WebSocketMessage(text: $0.utf8) }, now: now))
    }
    mutating func close(_ reason: SocketIOClosure) -> [String] { tell(session.close(reason, now: now)) }

    /// Goes on to a time.
    mutating func at(_ time: Int64) -> [String] {
        now = time
        return tell(session.advance(now: now))
    }

    private func tell(_ actions: [EngineSession.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .answer(let request, let body): "\(request) 200 \(readable(body))"
            case .confirm(let request): "\(request) 200 ok"
            case .refuse(let request, let refusal): "\(request) \(refusal.status.code) \(refusal.rawValue)"
            case .send(let link, let message): "ws\(link) \(readable(message.payload))"
            case .end(let link, let code): "ws\(link) end \(code?.number ?? 0)"
            case .text(let text): "text \(readable(text))"
            case .binary(let bytes): "binary \(Array(bytes.readableBytesView))"
            case .closed(let reason): "closed \(reason)"
            }
        }
    }

    private func readable(_ buffer: ByteBuffer) -> String {
        String(decoding: buffer.readableBytesView, as: UTF8.self).replacing("\u{1E}", with: "|")
    }
}
