// SPDX-License-Identifier: Apache-2.0
// A TCP relay between a client and a server that can fall silent, as a network does that loses everything.

internal import Foundation
internal import Synchronization

/// Forwards connections to a server of this machine until it is closed.
package final class Wire: Sendable {
    package let port: Int
    private let listener: LoopbackListener
    private let links = Mutex<[Link]>([])

    /// A `framed` wire knows where AMQP's frames end, so that `inject` can put one between them.
    package init(to target: Int, framed: Bool = false) throws {
        listener = try LoopbackListener()
        port = listener.port
        listener.accept { [self] client in
            guard let link = Link(client: client, target: target) else { return }
            links.withLock { $0.append(link) }
            Thread.detachNewThread { link.forwardToServer() }
            Thread.detachNewThread { link.forwardToClient(framed: framed) }
        }
    }

    /// How many connections there have been.
    package var connections: Int { links.withLock { $0.count } }

    /// How many AMQP heartbeats clients have sent by themselves.
    package var heartbeats: Int { links.withLock { $0.reduce(0) { $0 + $1.heartbeats.load(ordering: .relaxed) } } }

    /// Loses everything from now on in those connections that reach the server from one of the chosen ports, without
    /// closing them; new connections work.
    package func fallSilent(_ isChosen: (Int) -> Bool = { _ in true }) {
        for link in links.withLock({ $0 }) where isChosen(link.pair.origin) {
            link.isSilent.store(true, ordering: .relaxed)
        }
    }

    /// Sends a frame to each client as if it came from the server.
    package func inject(_ frame: [UInt8]) {
        for link in links.withLock({ $0 }) { link.toClient(frame) }
    }

    package func close() {
        listener.close()
        for link in links.withLock({ $0 }) { link.pair.end() }
    }
}

/// One connection and its continuation to the server.
private final class Link: Sendable {
    let pair: RelayedConnection
    let isSilent = Atomic(false)
    let heartbeats = Atomic(0)
    private let writing = Mutex<Void>(())

    init?(client: Int32, target: Int) {
        guard let pair = RelayedConnection(client: client, target: target) else { return nil }
        self.pair = pair
    }

    func forwardToServer() {
        while let bytes = pair.read(pair.client) {
            if bytes == [8, 0, 0, 0, 0, 0, 0, 0xCE] { heartbeats.add(1, ordering: .relaxed) }
            if !isSilent.load(ordering: .relaxed) { pair.write(bytes, to: pair.server) }
        }
        if !isSilent.load(ordering: .relaxed) { pair.end() }
    }

    func forwardToClient(framed: Bool) {
        while let bytes = framed ? readFrame() : pair.read(pair.server) {
            if !isSilent.load(ordering: .relaxed) { toClient(bytes) }
        }
        // A server that ends a connection over which nothing comes is not heard either.
        if !isSilent.load(ordering: .relaxed) { pair.end() }
    }

    func toClient(_ bytes: [UInt8]) { writing.withLock { _ in pair.write(bytes, to: pair.client) } }

    /// Type, channel, size, payload, end.
    private func readFrame() -> [UInt8]? {
        guard let head = read(exactly: 7) else { return nil }
        let size = head[3...6].reduce(0) { $0 << 8 | Int($1) }
        guard let rest = read(exactly: size + 1) else { return nil }
        return head + rest
    }

    private func read(exactly count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = pair.read(pair.server, atMost: count - bytes.count) else { return nil }
            bytes += more
        }
        return bytes
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
