// SPDX-License-Identifier: Apache-2.0
// A TCP relay before PostgreSQL that knows where messages begin, so that a test can lose or change the right one.

internal import Foundation
internal import Glibc
package import Postgres
internal import Synchronization

/// Forwards connections to the server for tests, message by message, until it is closed.
package final class PostgresProxy: Sendable {
    /// One message of the protocol (version 3).
    package struct Message: Sendable {
        package let isFromClient: Bool
        /// The message's type; nil for the first of a connection, which has none.
        package let type: Character?
        /// The statement that the message is about, or the tag of a completed command.
        package let text: String
        package let bytes: [UInt8]
    }

    package enum Verdict: Sendable {
        case pass
        case replace([UInt8])
        /// Ends the connection in both directions before the message passes, or behind it.
        case cut, passAndCut
    }

    package let port: Int
    private let target: UInt16
    private let listener: Int32
    private let rule = Mutex<@Sendable (Message) -> Verdict>({ _ in .pass })
    private let isSilent = Atomic(false)
    private let links = Mutex<[Link]>([])

    init(to target: UInt16) throws {
        self.target = target
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
        guard isListening else { throw MissingTestServer(description: "no port for a proxy") }
        port = Int(UInt16(bigEndian: here.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Decides from now on what becomes of each message, on the thread that forwards it.
    package func decide(_ rule: @escaping @Sendable (Message) -> Verdict) { self.rule.withLock { $0 = rule } }

    /// Loses everything, on old and new connections, without closing any; closes those that lost something when it ends.
    package func fallSilent(_ isSilent: Bool) {
        self.isSilent.store(isSilent, ordering: .sequentiallyConsistent)
        for link in links.withLock({ $0 }) {
            if isSilent {
                link.isSilent.store(true, ordering: .sequentiallyConsistent)
            } else if link.isSilent.load(ordering: .sequentiallyConsistent) {
                link.end()
            }
        }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        for link in links.withLock({ $0 }) { link.end() }
    }

    fileprivate func verdict(_ message: Message) -> Verdict { rule.withLock { $0 }(message) }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            guard let link = Link(client: client, target: target) else {
                Glibc.close(client)
                continue
            }
            if isSilent.load(ordering: .sequentiallyConsistent) { link.isSilent.store(true, ordering: .relaxed) }
            links.withLock { $0.append(link) }
            Thread.detachNewThread { [self] in link.forward(fromClient: true, asking: self) }
            Thread.detachNewThread { [self] in
                link.forward(fromClient: false, asking: self)
                links.withLock { links in links.removeAll { $0 === link && !$0.isSilent.load(ordering: .relaxed) } }
            }
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
    let isSilent = Atomic(false)
    private let client: Int32
    private let server: Int32

    init?(client: Int32, target: UInt16) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var there = loopback(target)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &there) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) == 0 }
        }
        guard isConnected else {
            Glibc.close(server)
            return nil
        }
        var one: Int32 = 1
        for descriptor in [client, server] {
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        self.client = client
        self.server = server
    }

    deinit {
        Glibc.close(client)
        Glibc.close(server)
    }

    func end() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    func forward(fromClient: Bool, asking proxy: PostgresProxy) {
        var reader = MessageReader(isFromClient: fromClient)
        let (source, destination) = fromClient ? (client, server) : (server, client)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            if isSilent.load(ordering: .relaxed) { continue }
            var out: [UInt8] = []
            var isCut = false
            for message in reader.take(chunk.prefix(count)) where !isCut {
                switch proxy.verdict(message) {
                case .pass: out += message.bytes
                case .replace(let other): out += other
                case .cut: isCut = true
                case .passAndCut:
                    out += message.bytes
                    isCut = true
                }
            }
            write(out, to: destination)
            if isCut { break }
        }
        if !isSilent.load(ordering: .relaxed) { end() }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Cuts a stream of bytes into messages and knows which statement they are about.
private struct MessageReader {
    let isFromClient: Bool
    private var isStarted = false
    private var buffer: [UInt8] = []
    private var prepared: [String: String] = [:]
    private var current = ""

    init(isFromClient: Bool) { self.isFromClient = isFromClient }

    mutating func take(_ bytes: ArraySlice<UInt8>) -> [PostgresProxy.Message] {
        buffer += bytes
        var messages: [PostgresProxy.Message] = []
        while true {
            let head = isFromClient && !isStarted ? 0 : 1
            guard buffer.count >= head + 4 else { return messages }
            let size = head + buffer[head..<head + 4].reduce(0) { $0 << 8 | Int($1) }
            guard buffer.count >= size else { return messages }
            let message = Array(buffer.prefix(size))
            buffer.removeFirst(size)
            isStarted = true
            let type = head == 0 ? nil : Character(Unicode.Scalar(message[0]))
            let text = text(type, message.dropFirst(head + 4))
            messages.append(.init(isFromClient: isFromClient, type: type, text: text, bytes: message))
        }
    }

    private mutating func text(_ type: Character?, _ body: ArraySlice<UInt8>) -> String {
        let strings = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        switch (isFromClient, type) {
        case (true, "P") where strings.count > 1:
            prepared[strings[0]] = strings[1]
            return strings[1]
        case (true, "B") where strings.count > 1: current = prepared[strings[1]] ?? ""
        case (true, "Q"), (false, "C"): return strings.first ?? ""
        default: break
        }
        return isFromClient ? current : ""
    }
}

/// Runs `body` with a database that is reached through a proxy, and the configuration that does not go through it.
package func withProxiedDatabase<Value: Sendable>(
    migrations: [MigrationSource] = [],
    schema: String = "test",
    configure: @escaping @Sendable (inout DatabaseConfiguration) -> Void = { _ in },
    _ body: @Sendable (Database, PostgresProxy, _ direct: DatabaseConfiguration) async throws -> Value
) async throws -> Value {
    try await withDatabase(migrations: migrations, schema: schema) { _, direct in
        let port = try await Session.run(direct) { try $0.rows("SHOW port").first?.first ?? nil }
        guard let target = port.flatMap({ UInt16($0) }) else {
            throw MissingTestServer(description: "the server has no port")
        }
        let proxy = try PostgresProxy(to: target)
        defer { proxy.close() }
        var configuration = direct
        configuration.connection += " host=127.0.0.1 port=\(proxy.port) sslmode=disable"
        configure(&configuration)
        return try await running(configuration) { database, _ in try await body(database, proxy, direct) }
    }
}
