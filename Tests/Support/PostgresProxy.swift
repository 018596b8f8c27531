// SPDX-License-Identifier: Apache-2.0
// A TCP relay before PostgreSQL that knows where messages begin, so that a test can lose or change the right one.

internal import Foundation
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
    private let listener: LoopbackListener
    private let rule = Mutex<@Sendable (Message) -> Verdict>({ _ in .pass })
    private let isSilent = Atomic(false)
    private let links = Mutex<[Link]>([])

    init(to target: Int) throws {
        listener = try LoopbackListener()
        port = listener.port
        listener.accept { [self] client in
            guard let link = Link(client: client, target: target) else { return }
            if isSilent.load(ordering: .sequentiallyConsistent) { link.isSilent.store(true, ordering: .relaxed) }
            links.withLock { $0.append(link) }
            Thread.detachNewThread { [self] in link.forward(fromClient: true, asking: self) }
            Thread.detachNewThread { [self] in
                link.forward(fromClient: false, asking: self)
                links.withLock { links in links.removeAll { $0 === link && !$0.isSilent.load(ordering: .relaxed) } }
            }
        }
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
                link.pair.end()
            }
        }
    }

    func close() {
        listener.close()
        for link in links.withLock({ $0 }) { link.pair.end() }
    }

    fileprivate func verdict(_ message: Message) -> Verdict { rule.withLock { $0 }(message) }
}

/// One connection and its continuation to the server.
private final class Link: Sendable {
    let pair: RelayedConnection
    let isSilent = Atomic(false)

    init?(client: Int32, target: Int) {
        guard let pair = RelayedConnection(client: client, target: target) else { return nil }
        self.pair = pair
    }

    func forward(fromClient: Bool, asking proxy: PostgresProxy) {
        var reader = MessageReader(isFromClient: fromClient)
        let (source, destination) = fromClient ? (pair.client, pair.server) : (pair.server, pair.client)
        while let chunk = pair.read(source) {
            if isSilent.load(ordering: .relaxed) { continue }
            var out: [UInt8] = []
            var isCut = false
            for message in reader.take(chunk) where !isCut {
                switch proxy.verdict(message) {
                case .pass: out += message.bytes
                case .replace(let other): out += other
                case .cut: isCut = true
                case .passAndCut:
                    out += message.bytes
                    isCut = true
                }
            }
            pair.write(out, to: destination)
            if isCut { break }
        }
        if !isSilent.load(ordering: .relaxed) { pair.end() }
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

    mutating func take(_ bytes: [UInt8]) -> [PostgresProxy.Message] {
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
        guard let target = port.flatMap({ Int($0) }) else {
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
