// SPDX-License-Identifier: Apache-2.0
// One Engine.IO session: what is answered to which request and frame, as a pure state that returns actions.

import NIOCore

/// Requests and WebSockets are known by numbers that are never used twice.
struct EngineSession {
    enum Action {
        /// A poll ends with packets.
        case answer(Int, ByteBuffer)
        /// A body was taken.
        case confirm(Int)
        case refuse(Int, EngineRefusal)
        case send(Int, WebSocketMessage)
        case end(Int, WebSocketCloseCode?)
        case text(ByteBuffer)
        case binary(ByteBuffer)
        /// The last action of all.
        case closed(SocketIOClosure)
    }

    private enum Transport: Equatable {
        case polling
        case webSocket(Int)
    }

    /// A WebSocket that wants to take over.
    private struct Candidate {
        let link: Int
        let until: Int64
        var isProbed = false
    }

    let sid: String
    let settings: EngineSettings
    private(set) var isClosed = false
    /// When a poll that only waits for an upgrade is answered.
    private(set) var noopAt: Int64?
    private var transport: Transport
    private var candidate: Candidate?
    private var poll: (request: Int, isDuringUpgrade: Bool)?
    private var post: Int?
    private var queue = CircularBuffer<WebSocketMessage>()
    private var queueBytes = 0
    private var pingAt: Int64
    private var pongBy: Int64?
    private var closing: (reason: SocketIOClosure, until: Int64)?

    // MARK: The beginning

    /// A session that begins with polling, and the answer to its first request.
    static func polling(sid: String, _ settings: EngineSettings, now: Int64) -> (EngineSession, ByteBuffer) {
        let session = EngineSession(sid: sid, settings, .polling, now: now)
        return (session, EngineNotice.open(sid: sid, settings, upgrades: true).payload)
    }

    /// A session over a WebSocket alone, and the first frame.
    static func webSocket(
        sid: String,
        _ settings: EngineSettings,
        link: Int,
        now: Int64
    ) -> (EngineSession, WebSocketMessage) {
        let session = EngineSession(sid: sid, settings, .webSocket(link), now: now)
        return (session, EngineNotice.open(sid: sid, settings, upgrades: false))
    }

    private init(sid: String, _ settings: EngineSettings, _ transport: Transport, now: Int64) {
        self.sid = sid
        self.settings = settings
        self.transport = transport
        pingAt = now + settings.pingInterval
    }

    // MARK: Polling

    mutating func get(_ request: Int, now: Int64) -> [Action] {
        guard !isClosed else { return [.refuse(request, .unknownSession)] }
        guard transport == .polling else { return [.refuse(request, .badRequest)] }
        // Two at a time would mix the order up ("Receiving data").
        guard poll == nil else { return [.refuse(request, .badRequest)] + close(.violation, now: now) }
        poll = (request, candidate != nil)
        if let closing, queue.count < settings.pollPackets { return finish(closing.reason, .normal) }
        if !queue.isEmpty { return answerPoll() }
        if candidate?.isProbed == true { noopAt = now + settings.noopDelay }
        return []
    }

    /// The connection of a waiting request went away.
    mutating func cancelled(_ request: Int, now: Int64) -> [Action] {
        guard !isClosed else { return [] }
        if poll?.request == request {
            poll = nil
        } else if post == request {
            post = nil
        } else {
            return []
        }
        return finish(.connectionLost, .normal)
    }

    mutating func postBegan(_ request: Int, now: Int64) -> [Action] {
        guard !isClosed, closing == nil else { return [.refuse(request, .unknownSession)] }
        guard transport == .polling else { return [.refuse(request, .badRequest)] }
        // As with two polls ("Sending data").
        guard post == nil else { return [.refuse(request, .badRequest)] + close(.violation, now: now) }
        post = request
        return []
    }

    /// The body of a request has come, or is too long for being taken.
    mutating func postEnded(_ request: Int, _ body: ByteBuffer?, now: Int64) -> [Action] {
        guard post == request, !isClosed else { return [] }
        post = nil
        guard let body else { return [.refuse(request, .tooLarge)] }
        guard let packets = EnginePayload.decode(body) else {
            return [.refuse(request, .badRequest)] + close(.violation, now: now)
        }
        var actions: [Action] = []
        for packet in packets {
            guard let action = take(packet, now: now) else {
                return actions + [.refuse(request, .badRequest)] + close(.violation, now: now)
            }
            actions += action
            if isClosed { break }
        }
        // The client hears that its body was taken before it hears of any consequence.
        return [.confirm(request)] + actions
    }

    private mutating func answerPoll() -> [Action] {
        guard let open = poll else { return [] }
        poll = nil
        noopAt = nil
        let count = min(queue.count, max(1, settings.pollPackets))
        let payload = EnginePayload.encode(queue.prefix(count))
        queueBytes -= queue.prefix(count).reduce(0) { $0 + $1.payload.readableBytes }
        queue.removeFirst(count)
        if queue.isEmpty { queue = CircularBuffer() }
        return [.answer(open.request, payload)]
    }

    // MARK: WebSocket

    /// Whether a WebSocket may try to take over. There is only ever one for a session ("WebSocket").
    mutating func attach(_ link: Int, now: Int64) -> Bool {
        guard !isClosed, closing == nil, transport == .polling, candidate == nil else { return false }
        candidate = Candidate(link: link, until: now + settings.upgradeTimeout)
        return true
    }

    mutating func text(_ text: ByteBuffer, from link: Int, now: Int64) -> [Action] {
        guard !isClosed else { return [] }
        if candidate?.link == link { return probe(EnginePacket(text), now: now) }
        guard transport == .webSocket(link) else { return [] }
        guard let packet = EnginePacket(text), let actions = take(packet, now: now) else {
            return close(.violation, .protocolError, now: now)
        }
        return actions
    }

    mutating func binary(_ bytes: ByteBuffer, from link: Int, now: Int64) -> [Action] {
        guard !isClosed else { return [] }
        if candidate?.link == link { return probe(nil, now: now) }
        guard transport == .webSocket(link) else { return [] }
        return [.binary(bytes)]
    }

    mutating func ended(_ link: Int, now: Int64) -> [Action] {
        guard !isClosed else { return [] }
        if candidate?.link == link {
            candidate = nil
            noopAt = nil
            return []
        }
        guard transport == .webSocket(link) else { return [] }
        transport = .polling
        return finish(.connectionLost, nil)
    }

    /// The exchange of an upgrade ("Upgrade"): `2probe`, `3probe`, `5`.
    private mutating func probe(_ packet: EnginePacket?, now: Int64) -> [Action] {
        guard let open = candidate else { return [] }
        switch packet {
        case .ping(let data) where !open.isProbed && data.readableBytesView.elementsEqual("probe".utf8):
            candidate?.isProbed = true
            if poll != nil { noopAt = now + settings.noopDelay }
            return [.send(open.link, EngineNotice.probed)]
        case .upgrade where open.isProbed:
            candidate = nil
            transport = .webSocket(open.link)
            noopAt = nil
            var actions: [Action] = []
            if let waiting = poll {
                poll = nil
                // A client stops polling before it says so; what it began meanwhile came too late.
                actions.append(
                    waiting.isDuringUpgrade
                        ? .refuse(waiting.request, .badRequest) : .answer(waiting.request, EngineNotice.noop.payload)
                )
            }
            for message in queue { actions.append(.send(open.link, message)) }
            queue = CircularBuffer()
            queueBytes = 0
            if let closing { actions += finish(closing.reason, .normal) }
            return actions
        default:
            candidate = nil
            return [.end(open.link, .protocolError)]
        }
    }

    // MARK: Packets

    /// Nil when the packet is not one that a client may send now.
    private mutating func take(_ packet: EnginePacket, now: Int64) -> [Action]? {
        switch packet {
        case .text(let text): return [.text(text)]
        case .binary(let bytes): return [.binary(bytes)]
        case .pong:
            if pongBy != nil {
                pongBy = nil
                pingAt = now + settings.pingInterval
            }
            return []
        case .noop: return []
        case .close:
            // A waiting poll ends with a packet that means nothing.
            if let waiting = poll {
                poll = nil
                return [.answer(waiting.request, EngineNotice.noop.payload)] + finish(.clientLeft, .normal)
            }
            return finish(.clientLeft, .normal)
        // The server pings, since v4 ("Heartbeat"); and an upgrade comes over the WebSocket that was probed.
        case .ping, .upgrade: return nil
        }
    }

    // MARK: What the server does

    mutating func send(_ messages: some Sequence<WebSocketMessage>, now: Int64) -> [Action] {
        guard !isClosed, closing == nil else { return [] }
        if case .webSocket(let link) = transport { return messages.map { .send(link, $0) } }
        for message in messages {
            queue.append(message)
            queueBytes += message.payload.readableBytes
        }
        if poll != nil { return answerPoll() }
        guard queue.count <= settings.backlog, queueBytes <= settings.backlogBytes else { return finish(.tooSlow, nil) }
        return []
    }

    /// Ends the session. Over polling what waits is still handed out, unless the client broke the protocol.
    mutating func close(_ reason: SocketIOClosure, _ code: WebSocketCloseCode = .normal, now: Int64) -> [Action] {
        guard !isClosed else { return [] }
        if transport == .polling, poll == nil, reason == .serverLeft {
            if closing == nil { closing = (reason, now + settings.closingTimeout) }
            return []
        }
        return finish(reason, code)
    }

    private mutating func finish(_ reason: SocketIOClosure, _ code: WebSocketCloseCode?) -> [Action] {
        isClosed = true
        var actions: [Action] = []
        if poll != nil {
            queue.append(EngineNotice.close)
            actions += answerPoll()
        }
        if let post { actions.append(.refuse(post, .badRequest)) }
        if let candidate { actions.append(.end(candidate.link, code ?? .normal)) }
        if case .webSocket(let link) = transport { actions.append(.end(link, code)) }
        (post, candidate, noopAt) = (nil, nil, nil)
        queue = CircularBuffer()
        queueBytes = 0
        actions.append(.closed(reason))
        return actions
    }

    /// Does what is due. Deadlines follow one another by what was planned, not by when somebody looked.
    mutating func advance(now: Int64) -> [Action] {
        var actions: [Action] = []
        if let until = candidate?.until, now >= until, let link = candidate?.link, !isClosed {
            candidate = nil
            noopAt = nil
            actions.append(.end(link, .policy))
        }
        if let due = noopAt, now >= due, !isClosed {
            noopAt = nil
            if poll != nil {
                queue.append(EngineNotice.noop)
                actions += answerPoll()
            }
        }
        if pongBy == nil, now >= pingAt, !isClosed, closing == nil {
            pongBy = pingAt + settings.pingTimeout
            actions += send(CollectionOfOne(EngineNotice.ping), now: now)
        }
        if let due = pongBy, now >= due, !isClosed { actions += finish(.heartbeatMissed, .goingAway) }
        if let closing, now >= closing.until, !isClosed { actions += finish(closing.reason, .normal) }
        return actions
    }
}
