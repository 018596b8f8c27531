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
    /// By an audience that some events may choose, the queues that are of it.
    private var choosing: [Audience: Set<String>]

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
        choosing = Dictionary(uniqueKeysWithValues: Topology.choices.keys.map { ($0, bound(to: $0.rawValue)) })
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
            ("events", "topic", true), ("plain", "topic", true), ("reached", "topic", true), ("live", "topic", false),
            ("retold", "topic", true), ("dead", "direct", true),
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
        let ofChoices = [Audience.plain, .reached].flatMap { audience in
            queues.filter { choosing[audience]?.contains($0) ?? false }.flatMap {
                bound(to: audience.rawValue, $0) { Topology.choices[audience]?.contains($0) ?? false }
            }
        }
        let ofRetold = queues.filter(retold.contains).map { Topology.binding("retold", $0, "\($0).#") }
        return ofEvents + ofChoices + ofRetold + services.map { Topology.binding("dead", "\($0).dead", $0) }
    }

    /// The types that may choose an audience.
    private static let choices: [Audience: Set<String>] = [
        .plain: Set(Catalogue.maybePlain.map { $0.type }), .reached: Set(Catalogue.maybeReached.map { $0.type }),
    ]

    /// By audience the queues that are of it, of those whose names begin so.
    fileprivate func choosing(_ prefix: String) -> [Audience: Set<String>] {
        choosing.mapValues { $0.filter { $0.hasPrefix(prefix) } }
    }

    fileprivate static func choosing(_ queues: [EventQueue]) -> [Audience: Set<String>] {
        Dictionary(
            uniqueKeysWithValues: choices.map { audience, types in
                let own = queues.filter { queue in
                    queue.audiences.contains(audience) && queue.reactions.contains { types.contains($0.type) }
                }
                return (audience, Set(own.map(\.name)))
            }
        )
    }

    fileprivate mutating func choose(_ own: [Audience: Set<String>], for prefix: String) {
        choosing.merge(own) { $0.filter { !$0.hasPrefix(prefix) }.union($1) }
    }

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
    let choosing = Topology.choosing(queues)
    let prefix = "\(service.rawValue)."
    #expect(own.keys.allSatisfy { $0.hasPrefix(prefix) }, "a queue bears its service's name: \(own.keys)")
    let topology = try Topology.updated { topology in
        topology.keys = topology.keys.filter { !$0.key.hasPrefix(prefix) }.merging(own) { $1 }
        topology.retold = topology.retold.filter { !$0.hasPrefix(prefix) }.union(retold)
        topology.choose(choosing, for: prefix)
    }
    #expect(
        topology.choosing(prefix) == choosing,
        "what chooses its audience reaches the queues of it: deploy/dev fixtures writes the bindings"
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
