// SPDX-License-Identifier: Apache-2.0
// A web server of this machine that answers as a test wants, also badly.

internal import Foundation
internal import Glibc
internal import Synchronization

/// Counts who connects. Each connection has a thread of its own and one request.
package final class WebListener: Sendable {
    package let port: Int
    private let listening: ListeningSocket
    private let visitors = Visitors()

    package var connections: Int { visitors.counts.withLock { $0.connections } }
    package var paths: [String] { visitors.counts.withLock { $0.paths } }

    /// - Parameters:
    ///   - address: of IPv4 or IPv6; at `::` it hears what comes to any address of this machine.
    ///   - port: 0 for any.
    ///   - answer: what each connection gets after its request has come.
    package init(
        _ address: String = "127.0.0.1",
        port: Int = 0,
        answer: @escaping @Sendable (WebConnection) -> Void
    ) throws {
        let isFour = !address.contains(":")
        let descriptor = socket(
            isFour ? AF_INET : AF_INET6,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        var (one, zero): (Int32, Int32) = (1, 0)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        if !isFour { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &zero, 4) }
        var storage = sockaddr_storage()
        var size = socklen_t(isFour ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutableBytes(of: &storage) { bytes in
            if isFour {
                var here = sockaddr_in()
                here.sin_family = sa_family_t(AF_INET)
                here.sin_port = in_port_t(port).bigEndian
                inet_pton(AF_INET, address, &here.sin_addr)
                bytes.storeBytes(of: here, as: sockaddr_in.self)
            } else {
                var here = sockaddr_in6()
                here.sin6_family = sa_family_t(AF_INET6)
                here.sin6_port = in_port_t(port).bigEndian
                inet_pton(AF_INET6, address, &here.sin6_addr)
                bytes.storeBytes(of: here, as: sockaddr_in6.self)
            }
        }
        let isListening = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 512) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else {
            Glibc.close(descriptor)
            throw MissingForTests("no listener at \(address): \(String(cString: strerror(errno)))")
        }
        // Both families have it at one place.
        self.port = withUnsafeBytes(of: storage) {
            Int(UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
        listening = ListeningSocket(descriptor)
        listening.accept { [visitors] client in
            visitors.counts.withLock { $0.connections += 1 }
            Thread.detachNewThread {
                let connection = WebConnection(client)
                visitors.counts.withLock { $0.paths.append(connection.path) }
                if !connection.head.isEmpty { answer(connection) }
                shutdown(client, Int32(SHUT_WR))
                connection.drain()
                Glibc.close(client)
            }
        }
    }

    deinit { close() }

    package func close() { listening.close() }
}

private final class Visitors: Sendable {
    struct Counts {
        var connections = 0
        var paths: [String] = []
    }

    let counts = Mutex(Counts())
}

/// How many are at something at a time, at most.
package final class Gauge: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    package init() {}

    package var most: Int { counts.withLock { $0.most } }

    package func during(_ body: () -> Void) {
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        body()
        counts.withLock { $0.now -= 1 }
    }
}

/// One request of somebody.
package struct WebConnection: Sendable {
    package let head: String
    package var path: String {
        head.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
    }
    private let client: Int32

    init(_ client: Int32) {
        self.client = client
        // Who asks may be kept waiting by hundreds of other tests.
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 65_536, !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(client, &part, part.count, 0)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        head = String(decoding: bytes, as: UTF8.self)
    }

    /// What comes next on the same connection; empty once nobody asks any more.
    package func next() -> WebConnection { WebConnection(client) }

    /// False when nobody takes any more.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// A whole answer.
    package func answer(
        status: String = "200 OK",
        type: String = "text/html; charset=utf-8",
        headers: [String] = [],
        _ body: [UInt8]
    ) {
        let lines = [
            "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.count)", "Connection: close",
        ]
        write((lines + headers + ["", ""]).joined(separator: "\r\n"))
        write(body)
    }

    package func answer(status: String = "200 OK", type: String = "text/html; charset=utf-8", _ body: String) {
        answer(status: status, type: type, Array(body.utf8))
    }

    package func redirect(to url: String) { answer(status: "302 Found", headers: ["Location: \(url)"], []) }

    /// Says nothing for a while, unless the other side goes.
    package func wait(milliseconds: Int32) {
        var watched = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, milliseconds)
    }

    /// Waits until the other side is gone, so that closing loses nothing that was sent.
    func drain() {
        var part = [UInt8](repeating: 0, count: 4096)
        while recv(client, &part, part.count, 0) > 0 {}
    }
}
