// SPDX-License-Identifier: Apache-2.0
// What is served over Socket.IO: the contract between the protocol and what speaks through it.

package import NIOCore
package import NIOHTTP1

/// What answers the sockets of one event loop.
///
/// There is one for each event loop, made by the factory that the server is given. Everything is called on that loop,
/// and every method of a socket must be called on it too. Nothing here waits: whoever needs time answers later.
package protocol SocketIOApplication: AnyObject {
    /// A client asks for a namespace (CONNECT). Answered by `accept` or `refuse`, at once or later; until then the
    /// client hears nothing and may send nothing on the namespace.
    ///
    /// - Parameter auth: the payload of CONNECT, a JSON object as it came; nil without one.
    func connecting(_ socket: SocketIOSocket, auth: ByteBuffer?)

    /// An accepted socket sent an event.
    func received(_ event: SocketIOEvent, from socket: SocketIOSocket)

    /// The end of a socket that was neither refused nor ended before: called once, also for one still unanswered.
    func closed(_ socket: SocketIOSocket, reason: SocketIOClosure)
}

/// An event of a client (EVENT or BINARY_EVENT).
package struct SocketIOEvent {
    package let name: String
    /// What follows the name: each argument as JSON, as it came and known to be well-formed. Binary ones are
    /// placeholders, `{"_placeholder":true,"num":n}`, that name a place in `attachments`.
    package let arguments: [ByteBuffer]
    package let attachments: [ByteBuffer]
    /// Set when the client wants an acknowledgement.
    package let acknowledgement: SocketIOAcknowledgement?
}

/// Names the event that an acknowledgement is for.
package struct SocketIOAcknowledgement: Hashable, Sendable {
    package let id: UInt64

    package init(id: UInt64) { self.id = id }
}

/// Why a socket ended.
package enum SocketIOClosure: String, Sendable {
    /// The client left the namespace.
    case clientLeft
    /// `disconnect` was called.
    case serverLeft
    /// The connection went away.
    case connectionLost
    /// No answer to a ping.
    case heartbeatMissed
    /// The client broke the protocol.
    case violation
    /// The client did not read what it was sent.
    case tooSlow
    /// This process is stopping; clients come back elsewhere.
    case stopping
}

/// The request that opened the connection. The same for all namespaces on it, however the transport changes.
package struct SocketIORequest: Sendable {
    package let headers: HTTPHeaders
    /// What follows the question mark, undecoded.
    package let query: String
    /// The client's address, as text.
    package let address: String
    /// What the connection takes of the server; let go when the connection has ended.
    package let place: (any AnyObject & Sendable)?

    package init(headers: HTTPHeaders, query: String, address: String, place: (any AnyObject & Sendable)? = nil) {
        self.headers = headers
        self.query = query
        self.address = address
        self.place = place
    }

    /// The decoded value of a parameter of the query; nil without it.
    package func parameter(_ name: String) -> String? { Query.value(of: name, in: query) }
}

/// One namespace on one connection.
package final class SocketIOSocket {
    /// Unlike every other socket's id, and not to be guessed.
    package let id: String
    /// Begins with a slash.
    package let namespace: String
    package let request: SocketIORequest
    /// Whether it was accepted and has not ended.
    package internal(set) var isConnected = false
    /// For the application: whatever it keeps of the socket. Let go when the socket ends, after `closed`.
    package var state: AnyObject?
    /// Nil once the socket has ended.
    weak var line: (any SocketIOLine)?

    init(id: String, namespace: String, request: SocketIORequest, line: any SocketIOLine) {
        self.id = id
        self.namespace = namespace
        self.request = request
        self.line = line
    }

    /// Lets the client in. Without effect unless it is waiting for an answer.
    package func accept() { line?.accept(self) }

    /// Refuses the client with CONNECT_ERROR `{"message":…,"data":…}`. Without effect unless it waits for an answer.
    ///
    /// - Parameter data: JSON.
    package func refuse(message: String, data: ByteBuffer? = nil) { line?.refuse(self, message: message, data: data) }

    /// Sends an event. Without effect unless the socket is connected; the packet must be of the socket's namespace.
    package func emit(_ packet: SocketIOPacket) {
        if isConnected { line?.send(packet, from: self) }
    }

    /// Acknowledges an event. Once for an event; without effect unless the socket is connected.
    ///
    /// - Parameter arguments: each as JSON; binary ones as placeholders for `attachments`.
    package func acknowledge(
        _ acknowledgement: SocketIOAcknowledgement,
        _ arguments: [ByteBuffer],
        attachments: [ByteBuffer] = []
    ) {
        guard isConnected else { return }
        let packet = SocketIOPacket.acknowledgement(
            acknowledgement,
            arguments,
            attachments: attachments,
            namespace: namespace
        )
        line?.send(packet, from: self)
    }

    /// Ends the socket with DISCONNECT, and with `closing` the whole connection. A socket still unanswered is refused
    /// by its silent end only with `closing`; use `refuse` otherwise.
    package func disconnect(closing: Bool = false) { line?.disconnect(self, closing: closing) }
}

/// What carries sockets.
protocol SocketIOLine: AnyObject {
    func accept(_ socket: SocketIOSocket)
    func refuse(_ socket: SocketIOSocket, message: String, data: ByteBuffer?)
    func send(_ packet: SocketIOPacket, from socket: SocketIOSocket)
    func disconnect(_ socket: SocketIOSocket, closing: Bool)
}
