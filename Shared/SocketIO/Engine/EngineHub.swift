// SPDX-License-Identifier: Apache-2.0
// The Engine.IO sessions of one event loop.

public import NIOCore

/// What speaks over an Engine.IO session. Everything happens on the session's event loop.
public protocol EngineUser: AnyObject {
    /// - Parameter text: UTF-8.
    func received(text: ByteBuffer)
    func received(binary: ByteBuffer)
    func tick(now: Int64)
    /// Called once, however the session ended.
    func closed(_ reason: SocketIOClosure)
}

public final class EngineHub {
    public let settings: EngineSettings
    public let eventLoop: any EventLoop
    /// Its place among the hubs of an endpoint, and the beginning of its sessions' ids.
    public let index: Int
    private let makeUser: (EngineLine, SocketIORequest) -> any EngineUser
    private var lines: [String: EngineLine] = [:]
    private var ticking: RepeatedTask?
    private(set) var isStopping = false

    /// Must be made on `eventLoop`.
    ///
    /// - Parameter user: makes what speaks over a new session.
    public init(
        _ settings: EngineSettings,
        eventLoop: any EventLoop,
        index: Int,
        user: @escaping (EngineLine, SocketIORequest) -> any EngineUser
    ) {
        self.settings = settings
        self.eventLoop = eventLoop
        self.index = index
        makeUser = user
        let delay = TimeAmount.milliseconds(settings.tick)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticking = eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in bound.value.tick() }
    }

    public var count: Int { lines.count }

    var monotonic: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Ends every session; its client finds another process.
    public func stop() {
        isStopping = true
        for line in lines.values { line.close(.stopping, .restart) }
    }

    /// Nothing is timed any more.
    public func cancelTicks() { ticking?.cancel() }

    private func tick() {
        let now = monotonic
        for line in lines.values { line.tick(now: now) }
    }

    // MARK: Sessions

    func line(_ sid: String) -> EngineLine? { lines[sid] }

    func remove(_ line: EngineLine) { lines[line.sid] = nil }

    /// Opens a session and answers its first request.
    func open(_ request: SocketIORequest, exchange: NIOLoopBound<EngineExchange>) {
        let sid = newID()
        let (session, answer) = EngineSession.polling(sid: sid, settings, now: monotonic)
        let line = EngineLine(session, hub: self)
        start(line, request)
        exchange.run { $0.deliver(.text(answer)) }
    }

    /// Opens a session over a WebSocket alone.
    func open(_ request: SocketIORequest, link: Int, _ connection: NIOLoopBound<WebSocketConnection>) -> String {
        let sid = newID()
        let (session, answer) = EngineSession.webSocket(sid: sid, settings, link: link, now: monotonic)
        let line = EngineLine(session, hub: self)
        line.opened(link, connection)
        connection.run { $0.send(answer) }
        start(line, request)
        return sid
    }

    private func start(_ line: EngineLine, _ request: SocketIORequest) {
        lines[line.sid] = line
        line.user = makeUser(line, request)
    }

    /// Two letters tell the hub, twenty keep it secret (120 random bits).
    private func newID() -> String { EngineID.prefix(index) + EngineID.random() }
}

/// Ids that cannot be guessed.
enum EngineID {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func random() -> String {
        var system = SystemRandomNumberGenerator()
        var bits: UInt64 = 0
        return String(unsafeUninitializedCapacity: 20) { bytes in
            for index in 0..<20 {
                if index % 10 == 0 { bits = system.next() }
                bytes[index] = letters[Int(bits & 63)]
                bits >>= 6
            }
            return 20
        }
    }

    static func prefix(_ index: Int) -> String {
        String(decoding: [letters[index >> 6 & 63], letters[index & 63]], as: UTF8.self)
    }

    /// The hub of an id; nil for what is none.
    static func hub(of id: String) -> Int? {
        guard id.utf8.count == 22 else { return nil }
        let places = id.utf8.prefix(2).compactMap { letters.firstIndex(of: $0) }
        return places.count == 2 ? places[0] << 6 | places[1] : nil
    }
}

extension NIOLoopBound {
    /// At once when this is the value's event loop, else there as soon as it can.
    func run(_ body: @escaping @Sendable (Value) -> Void) {
        if eventLoop.inEventLoop {
            body(value)
        } else {
            eventLoop.execute { body(value) }
        }
    }
}
