// SPDX-License-Identifier: Apache-2.0
// A TCP relay between a client and a server that can fall silent, as a network does that loses everything.

internal import Foundation
internal import Glibc
internal import Synchronization

/// Forwards connections to a server of this machine until it is closed.
package final class Wire: Sendable {
    package let port: Int
    private let target: UInt16
    private let framed: Bool
    private let listener: Int32
    private let links = Mutex<[Link]>([])

    /// A `framed` wire knows where AMQP's frames end, so that `inject` can put one between them.
    package init(to target: Int, framed: Bool = false) throws {
        self.target = UInt16(clamping: target)
        self.framed = framed
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var here = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &here) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else { throw MissingForTests("no port for a wire: \(String(cString: strerror(errno)))") }
        port = Int(UInt16(bigEndian: here.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// How many connections there have been.
    package var connections: Int { links.withLock { $0.count } }

    /// How many AMQP heartbeats clients have sent by themselves.
    package var heartbeats: Int { links.withLock { $0.reduce(0) { $0 + $1.heartbeats.load(ordering: .relaxed) } } }

    /// Loses everything from now on in those connections that reach the server from one of the chosen ports, without
    /// closing them; new connections work.
    package func fallSilent(_ isChosen: (Int) -> Bool = { _ in true }) {
        for link in links.withLock({ $0 }) where isChosen(link.origin) { link.isSilent.store(true, ordering: .relaxed) }
    }

    /// Sends a frame to each client as if it came from the server.
    package func inject(_ frame: [UInt8]) {
        for link in links.withLock({ $0 }) { link.toClient(frame) }
    }

    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        for link in links.withLock({ $0 }) { link.end() }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            guard let link = Link(client: client, target: target) else {
                Glibc.close(client)
                continue
            }
            links.withLock { $0.append(link) }
            let framed = framed
            Thread.detachNewThread { link.forwardToServer() }
            Thread.detachNewThread { link.forwardToClient(framed: framed) }
        }
        Glibc.close(listener)
    }
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
}

/// One connection and its continuation to the server.
private final class Link: Sendable {
    /// The port from which the server is reached.
    let origin: Int
    let isSilent = Atomic(false)
    let heartbeats = Atomic(0)
    private let client: Int32
    private let server: Int32
    private let writing = Mutex<Void>(())

    init?(client: Int32, target: UInt16) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var there = loopback(target)
        var here = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &there) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) == 0 }
        }
        let isNamed = withUnsafeMutablePointer(to: &here) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(server, $0, &size) == 0 }
        }
        guard isConnected, isNamed else {
            Glibc.close(server)
            return nil
        }
        var one: Int32 = 1
        for descriptor in [client, server] {
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        self.client = client
        self.server = server
        origin = Int(UInt16(bigEndian: here.sin_port))
    }

    deinit {
        Glibc.close(client)
        Glibc.close(server)
    }

    func end() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    func forwardToServer() {
        while let bytes = read(client, atMost: 65_536) {
            if bytes == [8, 0, 0, 0, 0, 0, 0, 0xCE] { heartbeats.add(1, ordering: .relaxed) }
            if !isSilent.load(ordering: .relaxed) { write(bytes, to: server) }
        }
        if !isSilent.load(ordering: .relaxed) { end() }
    }

    func forwardToClient(framed: Bool) {
        while let bytes = framed ? readFrame() : read(server, atMost: 65_536) {
            if !isSilent.load(ordering: .relaxed) { toClient(bytes) }
        }
        // A server that ends a connection over which nothing comes is not heard either.
        if !isSilent.load(ordering: .relaxed) { end() }
    }

    func toClient(_ bytes: [UInt8]) { writing.withLock { _ in write(bytes, to: client) } }

    /// Type, channel, size, payload, end.
    private func readFrame() -> [UInt8]? {
        guard let head = read(server, exactly: 7) else { return nil }
        let size = head[3...6].reduce(0) { $0 << 8 | Int($1) }
        guard let rest = read(server, exactly: size + 1) else { return nil }
        return head + rest
    }

    private func read(_ descriptor: Int32, atMost limit: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, limit, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func read(_ descriptor: Int32, exactly count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = read(descriptor, atMost: count - bytes.count) else { return nil }
            bytes += more
        }
        return bytes
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Runs `body` with a wire to a port of this machine.
package func withWire<Value>(
    to port: Int,
    framed: Bool = false,
    _ body: (Wire) async throws -> Value
) async throws -> Value {
    let wire = try Wire(to: port, framed: framed)
    defer { wire.close() }
    return try await body(wire)
}
