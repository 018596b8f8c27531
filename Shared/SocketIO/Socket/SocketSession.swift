// SPDX-License-Identifier: Apache-2.0
// The namespaces of one Socket.IO connection, as a pure state that returns actions.

import NIOCore

struct SocketSession {
    enum Action {
        case connecting(String, auth: ByteBuffer?)
        /// CONNECT_ERROR at once, without asking anybody.
        case refuse(String, message: String)
        case event(String, SocketIOEvent)
        case left(String)
        /// The protocol was broken: the connection ends.
        case violation
    }

    private enum Place {
        case connecting
        case connected
        /// Ended from here: what the client sent before it heard of that is dropped.
        case ended
    }

    /// A packet whose attachments have not all come.
    private struct Partial {
        let packet: SocketPacket
        var attachments: [ByteBuffer] = []
        var bytes = 0
    }

    let settings: SocketIOSettings
    private var places: [String: Place] = [:]
    private var partial: Partial?
    /// When the connection must have a namespace; nil while it has one.
    private(set) var connectBy: Int64?
    private var isOver = false

    init(_ settings: SocketIOSettings, now: Int64) {
        self.settings = settings
        connectBy = now + settings.connectTimeout
    }

    mutating func receive(text: ByteBuffer) -> Action? {
        guard !isOver else { return nil }
        // Nothing comes between a packet and its attachments.
        guard partial == nil else { return violation() }
        do throws(SocketPacket.Malformed) {
            let packet = try SocketPacket(text, settings)
            guard packet.attachments == 0 else {
                // Only who was let in may have attachments held.
                guard let place = places[packet.namespace], place != .connecting else { return violation() }
                partial = Partial(packet: packet)
                return nil
            }
            return take(packet, [])
        } catch {
            return violation()
        }
    }

    mutating func receive(binary: ByteBuffer) -> Action? {
        guard !isOver else { return nil }
        guard var open = partial else { return violation() }
        open.attachments.append(binary)
        open.bytes += binary.readableBytes
        guard open.bytes <= settings.attachmentBytes else { return violation() }
        guard open.attachments.count == open.packet.attachments else {
            partial = open
            return nil
        }
        partial = nil
        return take(open.packet, open.attachments)
    }

    private mutating func take(_ packet: SocketPacket, _ attachments: [ByteBuffer]) -> Action? {
        let place = places[packet.namespace]
        if packet.kind == .connect { return connect(packet, place) }
        // Nothing is said in a namespace before it is connected ("Connection to a namespace").
        guard let place, place != .connecting || packet.kind == .disconnect else { return violation() }
        guard place != .ended else { return nil }
        switch packet.kind {
        case .disconnect:
            places[packet.namespace] = nil
            return .left(packet.namespace)
        case .event, .binaryEvent:
            guard let first = packet.elements.first, let name = SocketPacket.eventName(first) else {
                return violation()
            }
            let event = SocketIOEvent(
                name: name,
                arguments: Array(packet.elements.dropFirst()),
                attachments: attachments,
                acknowledgement: packet.id.map { SocketIOAcknowledgement(id: $0) }
            )
            return .event(packet.namespace, event)
        default:
            // The server asks for no acknowledgements.
            return nil
        }
    }

    private mutating func connect(_ packet: SocketPacket, _ place: Place?) -> Action {
        switch place {
        case .connecting, .connected: return violation()
        case .ended: break
        case nil:
            if places.count >= settings.namespaces { places = places.filter { $0.value != .ended } }
            guard places.count < settings.namespaces else {
                return .refuse(packet.namespace, message: "Too many namespaces")
            }
        }
        places[packet.namespace] = .connecting
        return .connecting(packet.namespace, auth: packet.auth)
    }

    private mutating func violation() -> Action {
        isOver = true
        partial = nil
        return .violation
    }

    // MARK: What the server does

    /// False when the namespace does not wait for it.
    mutating func accept(_ namespace: String) -> Bool {
        guard places[namespace] == .connecting else { return false }
        places[namespace] = .connected
        connectBy = nil
        return true
    }

    mutating func refuse(_ namespace: String, now: Int64) -> Bool {
        guard places[namespace] == .connecting else { return false }
        places[namespace] = nil
        waitIfAlone(now: now)
        return true
    }

    /// Ends a namespace from here.
    mutating func end(_ namespace: String, now: Int64) {
        guard places[namespace] != nil else { return }
        places[namespace] = .ended
        waitIfAlone(now: now)
    }

    /// A connection without a namespace is not kept for long.
    mutating func waitIfAlone(now: Int64) {
        guard connectBy == nil, !places.values.contains(where: { $0 == .connected }) else { return }
        connectBy = now + settings.connectTimeout
    }
}
