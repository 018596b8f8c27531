// SPDX-License-Identifier: Apache-2.0
// What the host serves: what it hears comes back.

import NIOCore
import SocketIO

/// Echoes messages over a plain WebSocket.
final class WebSocketEcho: WebSocketSession {
    private weak var connection: WebSocketConnection?

    func opened(_ connection: WebSocketConnection) { self.connection = connection }
    func received(text: ByteBuffer) { connection?.send(WebSocketMessage(text: text.readableBytesView)) }
    func received(binary: ByteBuffer) { connection?.send(WebSocketMessage(binary: binary.readableBytesView)) }
    func tick(now: Int64) {}
    func closed() {}
}

/// Echoes messages over Engine.IO.
final class EngineEcho: EngineUser {
    private weak var line: EngineLine?

    init(_ line: EngineLine) { self.line = line }

    func received(text: ByteBuffer) {
        var message = ByteBuffer(string: "4")
        message.writeImmutableBuffer(text)
        line?.send([WebSocketMessage(text: message.readableBytesView)])
    }

    func received(binary: ByteBuffer) { line?.send([WebSocketMessage(binary: binary.readableBytesView)]) }
    func tick(now: Int64) {}
    func closed(_ reason: SocketIOClosure) {}
}

/// Namespaces `/` and `/custom`: the payload of CONNECT comes back as `auth`, messages as `message-back` or as
/// acknowledgements.
final class SocketIOEcho: SocketIOApplication {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func connecting(_ socket: SocketIOSocket, auth: ByteBuffer?) {
        guard socket.namespace == "/" || socket.namespace == "/custom" else {
            return socket.refuse(message: "Invalid namespace")
        }
        socket.accept()
        let packet = SocketIOPacket.event("auth", [auth ?? ByteBuffer(string: "{}")], namespace: socket.namespace)
        let bound = NIOLoopBound(socket, eventLoop: eventLoop)
        // Not in one segment with the answer to CONNECT: suites that take events one at a time would miss it.
        eventLoop.scheduleTask(in: .milliseconds(10)) { bound.value.emit(packet) }
    }

    func received(_ event: SocketIOEvent, from socket: SocketIOSocket) {
        switch event.name {
        case "message":
            socket.emit(
                .event(
                    "message-back",
                    event.arguments,
                    attachments: event.attachments,
                    namespace: socket.namespace
                )
            )
        case "message-with-ack":
            guard let acknowledgement = event.acknowledgement else { return }
            socket.acknowledge(acknowledgement, event.arguments, attachments: event.attachments)
        default: break
        }
    }

    func closed(_ socket: SocketIOSocket, reason: SocketIOClosure) {}
}
