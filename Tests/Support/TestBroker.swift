// SPDX-License-Identifier: Apache-2.0
// A virtual host of a test's own on a real broker, with the topology of deploy/rabbitmq/definitions.json.

package import Foundation
package import Messaging
internal import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a test needs and did not find.
package struct MissingForTests: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// A virtual host that is deleted when the test is over.
package struct TestBroker: Sendable {
    package var configuration: BrokerConfiguration
    private let management: Management
    private var path: String { configuration.virtualHost }
    private let users = Users()

    fileprivate init(configuration: BrokerConfiguration, management: Management) {
        self.configuration = configuration
        self.management = management
    }

    /// The users that a test made; they belong to the whole broker.
    private final class Users: Sendable { let names = Mutex<Set<String>>([]) }

    /// A user with the rights that `make_secrets.py` gives this process.
    package func user(_ process: String) async throws -> BrokerConfiguration {
        let rights = try Rights.of(process)
        let name = "\(path)-\(process)"
        users.names.withLock { _ = $0.insert(name) }
        try await management.send("PUT", "users/\(name)", #"{"password": "\#(name)", "tags": ""}"#)
        try await management.send("PUT", "permissions/\(path)/\(name)", text(rights.permission))
        for topic in rights.topics {
            try await management.send("PUT", "topic-permissions/\(path)/\(name)", text(topic))
        }
        var user = configuration
        (user.user, user.password) = (name, name)
        return user
    }

    private func text(_ rights: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(rights), as: UTF8.self)
    }

    fileprivate func forgetUsers() async {
        for name in users.names.withLock({ $0 }) { _ = try? await management.send("DELETE", "users/\(name)") }
    }

    /// Declares a durable quorum queue bound to nothing; it takes what is sent to the default exchange.
    package func declare(_ queue: String, arguments: String = #"{"x-queue-type": "quorum"}"#) async throws {
        try await management.send("PUT", "queues/\(path)/\(queue)", #"{"durable": true, "arguments": \#(arguments)}"#)
    }

    /// Declares an exchange that nobody may publish to.
    package func declare(internalExchange name: String) async throws {
        try await management.send("PUT", "exchanges/\(path)/\(name)", #"{"type": "fanout", "internal": true}"#)
    }

    package func delete(queue: String) async throws { try await management.send("DELETE", "queues/\(path)/\(queue)") }

    /// Messages that a queue holds, those in hand included.
    package func messages(in queue: String) async throws -> Int? {
        struct Counted: Decodable { let messages: Int? }
        return try JSONDecoder().decode(Counted.self, from: await management.send("GET", "queues/\(path)/\(queue)"))
            .messages
    }

    package func bind(_ queue: String, to exchange: String, key: String) async throws {
        try await management.send("POST", "bindings/\(path)/e/\(exchange)/q/\(queue)", #"{"routing_key": "\#(key)"}"#)
    }

    package func unbind(_ queue: String, from exchange: String, key: String) async throws {
        try await management.send("DELETE", "bindings/\(path)/e/\(exchange)/q/\(queue)/\(key)")
    }

    /// Closes every connection to the virtual host from the broker's side.
    ///
    /// - Returns: how many there were.
    @discardableResult
    package func closeConnections() async throws -> Int {
        struct Connection: Decodable { let name: String }
        let listed = try await management.send("GET", "vhosts/\(path)/connections")
        let connections = try JSONDecoder().decode([Connection].self, from: listed)
        for connection in connections {
            let name = connection.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? connection.name
            _ = try? await management.send("DELETE", "connections/\(name)")
        }
        return connections.count
    }
}

/// Runs `body` with a virtual host of its own that has the whole topology.
package func withTestBroker<Value>(_ body: (TestBroker) async throws -> Value) async throws -> Value {
    try await Turns.servers.take { try await withNewBroker(body) }
}

private func withNewBroker<Value>(_ body: (TestBroker) async throws -> Value) async throws -> Value {
    let environment = ProcessInfo.processInfo.environment
    guard let uri = environment["MADANG_TEST_AMQP"] else {
        throw MissingForTests("MADANG_TEST_AMQP is not set: amqp://user:password@host:port of a broker for tests")
    }
    guard let address = environment["MADANG_TEST_AMQP_MANAGEMENT"], let management = Management(address) else {
        throw MissingForTests("MADANG_TEST_AMQP_MANAGEMENT is not set: http://user:password@host:port of its HTTP API")
    }
    let name = "mq-test-\(UInt64.random(in: 0...UInt64.max))"
    guard let configuration = BrokerConfiguration(uri: "\(uri)/\(name)", connectionName: "test") else {
        throw MissingForTests("MADANG_TEST_AMQP is no amqp:// address without a path")
    }
    try await management.send("PUT", "vhosts/\(name)")
    do {
        try await management.send("POST", "definitions/\(name)", definitions())
        let broker = TestBroker(configuration: configuration, management: management)
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(broker)) } catch { outcome = .failure(error) }
        await broker.forgetUsers()
        let value = try outcome.get()
        try await management.send("DELETE", "vhosts/\(name)")
        return value
    } catch {
        _ = try? await management.send("DELETE", "vhosts/\(name)")
        throw error
    }
}

/// The topology, without the workers by which the broker hands on dead letters at least once. One whose queue goes before it has begun, as
/// may be on a busy machine, fails twice, by which their supervisor ends for good, and with it all queues of all virtual hosts
/// that have such workers (`rabbit_fifo_dlx_sup` of RabbitMQ allows one failure in five seconds).
private func definitions() throws -> String {
    try String(contentsOf: Topology.file, encoding: .utf8)
        .replacingOccurrences(of: #""dead-letter-strategy": "at-least-once", "#, with: "")
}

/// Runs `body` with a broker that has the whole topology and nothing else.
package func withBroker<Value>(_ body: (BrokerConfiguration) async throws -> Value) async throws -> Value {
    try await withTestBroker { try await body($0.configuration) }
}

/// The folder that holds Package.swift.
package let repositoryRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The broker's HTTP API.
private struct Management: Sendable {
    let base: URL
    let authorization: String

    /// `http://user:password@host:port`.
    init?(_ address: String) {
        guard var parts = URLComponents(string: address), let user = parts.user, let password = parts.password else {
            return nil
        }
        parts.user = nil
        parts.password = nil
        guard let url = parts.url else { return nil }
        base = url
        authorization = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    @discardableResult
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Data {
        guard let url = URL(string: "\(base.absoluteString)/api/\(path)") else {
            throw MissingForTests("bad path \(path)")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = body.map { Data($0.utf8) }
        while true {
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if (200..<300).contains(status) { return data }
            let answer = String(decoding: data, as: UTF8.self)
            // A quorum queue of RabbitMQ 3.10 that meets its first tick before its settings, which here it may after half a
            // second, ends; its supervisor starts it anew.
            if status == 400, answer.contains("handle_tick") { continue }
            throw MissingForTests("\(method) \(path): \(status) \(answer.prefix(300))")
        }
    }
}
