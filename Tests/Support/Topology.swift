// SPDX-License-Identifier: Apache-2.0
// deploy/rabbitmq/definitions.json, as what it is made from.

internal import Events
package import Foundation
internal import Outbox
internal import Surface
internal import Synchronization
import Testing

/// Whether files that are made from the program are written anew: `deploy/dev fixtures` sets it.
package let isWriting = ProcessInfo.processInfo.environment["MADANG_WRITE_FIXTURES"] == "1"

/// Which events each queue receives. Everything else that the broker's definitions say follows from this and from the
/// list of services.
package struct Topology: Equatable, Sendable {
    package static let file = repositoryRoot.appendingPathComponent("deploy/rabbitmq/definitions.json")
    /// Suites of several services write the file.
    private static let turn = Mutex(())

    /// By queue the keys by which it is bound to the exchange `events`.
    package var keys: [String: [String]]
    /// The queues that are told again what they ask for.
    package var retold: Set<String>
    /// The queues that are sent what shows neither a file nor a link, of the keys that may.
    package var plain: Set<String>

    private struct Definitions: Decodable {
        struct Queue: Decodable {
            let name: String
        }
        struct Binding: Decodable {
            let source: String
            let destination: String
            let routing_key: String
        }
        let queues: [Queue]
        let bindings: [Binding]
    }

    /// As the file says.
    package init() throws {
        let definitions = try JSONDecoder().decode(Definitions.self, from: Data(contentsOf: Topology.file))
        keys = [:]
        for queue in definitions.queues where !queue.name.hasSuffix(".dead") { keys[queue.name] = [] }
        for binding in definitions.bindings where binding.source == "events" {
            keys[binding.destination, default: []].append(binding.routing_key)
        }
        keys = keys.mapValues { $0.sorted() }
        func bound(to exchange: String) -> Set<String> {
            Set(definitions.bindings.filter { $0.source == exchange }.map(\.destination))
        }
        retold = bound(to: "retold")
        plain = bound(to: "plain")
    }

    /// Reads the file, changes it when files are written, and answers it.
    package static func updated(_ change: (inout Topology) -> Void = { _ in }) throws -> Topology {
        try turn.withLock { _ in
            var topology = try Topology()
            if isWriting {
                change(&topology)
                try topology.document.write(to: file, atomically: true, encoding: .utf8)
            }
            return topology
        }
    }

    /// The queues of a service, in their order.
    private func queues(of service: ServiceName) -> [String] {
        keys.keys.filter { $0.hasPrefix("\(service.rawValue).") }.sorted()
    }

    /// The text of the definitions.
    package var document: String {
        let own = ServiceName.allCases.flatMap { queues(of: $0) }
        let services = ServiceName.allCases.map(\.rawValue)
        let exchanges = [
            ("events", "topic", true), ("plain", "topic", true), ("live", "topic", false), ("retold", "topic", true),
            ("dead", "direct", true),
        ]
        let lists: [(String, [String])] = [
            ("vhosts", [#"{"name": "/"}"#]),
            ("exchanges", exchanges.map(Topology.exchange)),
            ("queues", (own + services.map { "\($0).dead" }).map(Topology.queue)),
            ("bindings", bindings(of: own, services)),
            ("policies", services.map(Topology.policy) + [Topology.policyOfDeadLetters]),
        ]
        let texts = lists.map { name, lines in
            "    \"\(name)\": [\n" + lines.map { "        \($0)" }.joined(separator: ",\n") + "\n    ]"
        }
        return "{\n" + texts.joined(separator: ",\n") + "\n}\n"
    }

    private func bindings(of queues: [String], _ services: [String]) -> [String] {
        func bound(to exchange: String, _ queue: String, where isBound: (String) -> Bool = { _ in true }) -> [String] {
            (keys[queue] ?? []).filter(isBound).map { Topology.binding(exchange, queue, $0) }
        }
        let ofEvents = queues.flatMap { bound(to: "events", $0) }
        let ofPlain = queues.filter(plain.contains).flatMap {
            bound(to: "plain", $0, where: Topology.maybePlain.contains)
        }
        let ofRetold = queues.filter(retold.contains).map { Topology.binding("retold", $0, "\($0).#") }
        return ofEvents + ofPlain + ofRetold + services.map { Topology.binding("dead", "\($0).dead", $0) }
    }

    fileprivate static let maybePlain = Set(Catalogue.maybePlain.map { $0.type })

    private static func exchange(_ name: String, _ type: String, isDurable: Bool) -> String {
        #"{"name": "\#(name)", "vhost": "/", "type": "\#(type)", "durable": \#(isDurable), "#
            + #""auto_delete": false, "internal": false, "arguments": {}}"#
    }

    private static func queue(_ name: String) -> String {
        #"{"name": "\#(name)", "vhost": "/", "durable": true, "auto_delete": false, "#
            + #""arguments": {"x-queue-type": "quorum"}}"#
    }

    private static func binding(_ exchange: String, _ queue: String, _ key: String) -> String {
        #"{"source": "\#(exchange)", "vhost": "/", "destination": "\#(queue)", "destination_type": "queue", "#
            + #""routing_key": "\#(key)", "arguments": {}}"#
    }

    /// What cannot be handled goes to the dead letters of its service. What is live is gone when it is not read.
    private static func policy(_ service: String) -> String {
        #"{"name": "\#(service) queues", "vhost": "/", "pattern": "^\#(service)\\.(?!dead$|live\\.)", "priority": 1, "#
            + #""definition": {"dead-letter-exchange": "dead", "dead-letter-routing-key": "\#(service)", "#
            + #""dead-letter-strategy": "at-least-once", "overflow": "reject-publish", "delivery-limit": 10000}, "#
            + #""apply-to": "queues"}"#
    }

    private static let policyOfDeadLetters =
        #"{"name": "dead letters", "vhost": "/", "pattern": "\\.dead$", "priority": 1, "#
        + #""definition": {"overflow": "reject-publish", "delivery-limit": 1000000}, "apply-to": "queues"}"#
}

/// Fails unless each queue of a service receives exactly what it reacts to, and there are no others.
func expectTopology(_ queues: [EventQueue], of service: ServiceName) throws {
    let own = Dictionary(uniqueKeysWithValues: queues.map { ($0.name, $0.reactions.map(\.type).sorted()) })
    let retold = Set(queues.filter { $0.rebuild != nil }.map(\.name))
    let plain = Set(
        queues.filter { $0.heedsPlain && $0.reactions.contains { Topology.maybePlain.contains($0.type) } }.map(\.name)
    )
    let prefix = "\(service.rawValue)."
    #expect(own.keys.allSatisfy { $0.hasPrefix(prefix) }, "a queue bears its service's name: \(own.keys)")
    let topology = try Topology.updated { topology in
        topology.keys = topology.keys.filter { !$0.key.hasPrefix(prefix) }.merging(own) { $1 }
        topology.retold = topology.retold.filter { !$0.hasPrefix(prefix) }.union(retold)
        topology.plain = topology.plain.filter { !$0.hasPrefix(prefix) }.union(plain)
    }
    #expect(
        topology.plain.filter { $0.hasPrefix(prefix) } == plain,
        "what shows neither a file nor a link reaches who heeds it: deploy/dev fixtures writes the bindings"
    )
    #expect(
        topology.retold.filter { $0.hasPrefix(prefix) } == retold,
        "what is told again reaches those who ask: deploy/dev fixtures writes the bindings"
    )
    let declared = topology.keys.filter { $0.key.hasPrefix(prefix) }
    for queue in Set(own.keys).union(declared.keys).sorted() {
        guard let reactions = own[queue] else {
            Issue.record("nobody reads the queue \(queue): deploy/dev fixtures writes the definitions without it")
            continue
        }
        #expect(Set(reactions).count == reactions.count, "\(queue) reacts twice to one event")
        guard let bindings = declared[queue] else {
            Issue.record("the broker has no queue \(queue): deploy/dev fixtures writes it")
            continue
        }
        for type in reactions where !bindings.contains(type) {
            Issue.record("\(queue) reacts to \(type) but is not bound to it: deploy/dev fixtures writes the binding")
        }
        for type in bindings where !reactions.contains(type) {
            Issue.record("\(queue) is bound to \(type), to which nobody reacts: deploy/dev fixtures takes it away")
        }
    }
}
