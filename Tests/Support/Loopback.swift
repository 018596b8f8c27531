// SPDX-License-Identifier: Apache-2.0
// TCP on this machine, for relays that lose what they should pass on.

internal import Foundation
internal import Glibc

/// Accepts connections on a port that the system chose.
final class LoopbackListener: Sendable {
    let port: Int
    private let listening: ListeningSocket

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var here = loopback(0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &here) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
            }
        }
        guard isListening, let port = localPort(of: descriptor) else {
            throw MissingForTests("no port for a relay: \(String(cString: strerror(errno)))")
        }
        listening = ListeningSocket(descriptor)
        self.port = port
    }

    /// Hands each connection over, on a thread of its own, until `close`.
    func accept(_ take: @escaping @Sendable (_ client: Int32) -> Void) { listening.accept(take) }

    func close() { listening.close() }
}

/// A connection and its continuation to a server of this machine; closed with its last reference.
final class RelayedConnection: Sendable {
    let client: Int32
    let server: Int32
    /// The port from which the server is reached.
    let origin: Int

    /// Closes the client when the server cannot be reached.
    init?(client: Int32, target: Int) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var there = loopback(UInt16(clamping: target))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &there) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) == 0 }
        }
        guard isConnected, let origin = localPort(of: server) else {
            Glibc.close(server)
            Glibc.close(client)
            return nil
        }
        var one: Int32 = 1
        for descriptor in [client, server] {
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        self.client = client
        self.server = server
        self.origin = origin
    }

    deinit {
        Glibc.close(client)
        Glibc.close(server)
    }

    func end() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    /// Nil at the end.
    func read(_ descriptor: Int32, atMost limit: Int = 65_536) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, limit, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

private func localPort(of descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
    }
    return isNamed ? Int(UInt16(bigEndian: address.sin_port)) : nil
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
}
