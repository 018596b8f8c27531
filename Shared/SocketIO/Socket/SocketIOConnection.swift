// SPDX-License-Identifier: Apache-2.0
// The namespaces of one connection, between the Engine.IO session and the application.

import NIOCore

/// Makes connections that speak Socket.IO with an application.
public struct SocketIOProtocol {
    private let settings: SocketIOSettings
    private let application: any SocketIOApplication

    /// - Parameter application: of the event loop on which this is used.
    public init(_ settings: SocketIOSettings, application: any SocketIOApplication) {
        self.settings = settings
        self.application = application
    }

    public func connection(_ line: EngineLine, _ request: SocketIORequest) -> any EngineUser {
        SocketIOConnection(line, request, settings, application)
    }
}

final class SocketIOConnection: EngineUser, SocketIOLine {
    private unowned let line: EngineLine
    private let request: SocketIORequest
    private let application: any SocketIOApplication
    private var session: SocketSession
    private var sockets: [String: SocketIOSocket] = [:]

    init(
        _ line: EngineLine,
        _ request: SocketIORequest,
        _ settings: SocketIOSettings,
        _ application: any SocketIOApplication
    ) {
        self.line = line
        self.request = request
        self.application = application
        session = SocketSession(settings, now: line.monotonic)
    }

    // MARK: From the client

    func received(text: ByteBuffer) { perform(session.receive(text: text)) }

    func received(binary: ByteBuffer) { perform(session.receive(binary: binary)) }

    private func perform(_ action: SocketSession.Action?) {
        switch action {
        case .connecting(let namespace, let auth):
            let socket = SocketIOSocket(id: EngineID.random(), namespace: namespace, request: request, line: self)
            sockets[namespace] = socket
            application.connecting(socket, auth: auth)
        case .refuse(let namespace, let message):
            line.send(SocketIOPacket.refusal(message, data: nil, namespace: namespace).messages)
        case .event(let namespace, let event):
            if let socket = sockets[namespace] { application.received(event, from: socket) }
        case .left(let namespace):
            session.waitIfAlone(now: line.monotonic)
            if let socket = sockets.removeValue(forKey: namespace) { end(socket, .clientLeft) }
        case .violation: line.close(.violation, .protocolError)
        case nil: break
        }
    }

    func tick(now: Int64) {
        if let due = session.connectBy, now >= due { line.close(.violation, .policy) }
    }

    func closed(_ reason: SocketIOClosure) {
        let ended = sockets
        sockets = [:]
        for socket in ended.values { end(socket, reason) }
    }

    private func end(_ socket: SocketIOSocket, _ reason: SocketIOClosure) {
        socket.isConnected = false
        socket.line = nil
        application.closed(socket, reason: reason)
        socket.state = nil
    }

    // MARK: From the application

    func accept(_ socket: SocketIOSocket) {
        guard sockets[socket.namespace] === socket, session.accept(socket.namespace) else { return }
        socket.isConnected = true
        line.trust()
        line.send(SocketIOPacket.connect(id: socket.id, namespace: socket.namespace).messages)
    }

    func refuse(_ socket: SocketIOSocket, message: String, data: ByteBuffer?) {
        guard sockets[socket.namespace] === socket, session.refuse(socket.namespace, now: line.monotonic) else {
            return
        }
        sockets[socket.namespace] = nil
        socket.line = nil
        socket.state = nil
        line.send(SocketIOPacket.refusal(message, data: data, namespace: socket.namespace).messages)
    }

    func send(_ packet: SocketIOPacket, from socket: SocketIOSocket) { line.send(packet.messages) }

    func disconnect(_ socket: SocketIOSocket, closing: Bool) {
        guard sockets[socket.namespace] === socket else { return }
        if socket.isConnected {
            line.send(SocketIOPacket.disconnect(namespace: socket.namespace).messages)
            session.end(socket.namespace, now: line.monotonic)
            sockets[socket.namespace] = nil
            end(socket, .serverLeft)
        }
        if closing { line.close(.serverLeft) }
    }
}
