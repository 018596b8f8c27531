// SPDX-License-Identifier: Apache-2.0
// What deploy/scripts/make_secrets.py lets a process do at the broker.

internal import Foundation

/// A process's rights, as the broker's HTTP API takes them.
package struct Rights: Sendable {
    /// Patterns of names: of queues and exchanges, or of the keys of one exchange.
    package struct Entry: Codable, Sendable {
        package let user: String?
        package let exchange: String?
        package let configure: String?
        package let write: String
        package let read: String
    }

    package let permission: Entry
    package let topics: [Entry]

    private struct Definitions: Decodable {
        let permissions: [Entry]
        let topic_permissions: [Entry]
    }

    private struct Missing: Error {}

    package static func of(_ process: String) throws -> Rights {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("madang-secrets-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let command = Process()
        command.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        command.arguments = [
            "python3", repositoryRoot.appendingPathComponent("deploy/scripts/make_secrets.py").path,
            "--directory", folder.path, "--topology", Topology.file.path,
        ]
        try command.run()
        command.waitUntilExit()
        let file = folder.appendingPathComponent("rabbitmq/definitions.json")
        let definitions = try JSONDecoder().decode(Definitions.self, from: Data(contentsOf: file))
        guard let permission = definitions.permissions.first(where: { $0.user == process }) else { throw Missing() }
        return Rights(permission: permission, topics: definitions.topic_permissions.filter { $0.user == process })
    }

    /// Whether the process may send a message with this key to an exchange of topics.
    package func mayTell(_ key: String, to exchange: String) -> Bool {
        matches(permission.write, exchange)
            && topics.allSatisfy { $0.exchange != exchange || matches($0.write, key) }
    }

    /// Whether the process may read live messages with this key.
    package func mayHear(_ key: String) -> Bool {
        matches(permission.read, "live")
            && topics.allSatisfy { $0.exchange != "live" || matches($0.read, key) }
    }

    private func matches(_ pattern: String, _ text: String) -> Bool {
        text.range(of: pattern, options: .regularExpression) != nil
    }
}
