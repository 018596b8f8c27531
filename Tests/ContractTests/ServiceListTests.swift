// SPDX-License-Identifier: Apache-2.0
// What follows from the list of services, and what else must name each of them.

import Events
import Foundation
import Support
import Surface
import Testing

@Suite struct ServiceListTests {
    private static let services = ServiceName.allCases

    private func text(_ path: String) throws -> String {
        try String(contentsOf: repositoryRoot.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(arguments: services) func `each service has its places`(_ service: ServiceName) throws {
        let name = service.rawValue.prefix(1).uppercased() + service.rawValue.dropFirst()
        for path in [
            "Services/\(name)/README.md", "Services/\(name)/Executable/main.swift",
            "Tests/\(name)Tests/ServiceTests.swift",
        ] {
            let file = repositoryRoot.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: file), "add \(path)")
        }
        if !Catalogue.told(by: service.rawValue).isEmpty {
            let file = repositoryRoot.appendingPathComponent("Tests/\(name)Tests/EventSizeTests.swift").path
            #expect(FileManager.default.fileExists(atPath: file), "add \(file)")
        }
        let line = try Regex(#"service\(\s*"\#(name)""#)
        #expect(try text("Package.swift").contains(line), #"add service("\#(name)", …) to Package.swift"#)
        #expect(!Surface.lines(of: service).isEmpty, "add its endpoints to Surface.groups")
    }

    @Test func `scripts read the list`() throws {
        let file = repositoryRoot.appendingPathComponent("deploy/scripts/services")
        let comments = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }
        let lines = ServiceListTests.services.map { service in
            let offset = service.port - 3000
            let about = (service.isAsked ? ["asked"] : []) + service.hears.map { "hears:\($0)" }
            return (["\(service.rawValue) \(offset) \(offset + 15)"] + about).joined(separator: " ")
        }
        let list = (comments.map(String.init) + lines).joined(separator: "\n") + "\n"
        if isWriting { try list.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == list, "deploy/dev fixtures writes it")
    }

    @Test func `each service is watched`() throws {
        let path = "deploy/observability/prometheus.yml"
        let written = try text(path)
        let start = try #require(written.range(of: "scrape_configs:\n")).upperBound
        let end = try #require(written.range(of: "  - job_name: gateway\n")).lowerBound
        let jobs = ServiceListTests.services.map { service in
            """
              - job_name: \(service)
                static_configs: [{targets: ["127.0.0.1:\(service.port)"]}]

            """
        }
        let list = written.replacingCharacters(in: start..<end, with: jobs.joined())
        if isWriting {
            try list.write(to: repositoryRoot.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
        #expect(try text(path) == list, "deploy/dev fixtures writes it")
    }

    /// A port is one process's alone: those of services leave the others' free.
    @Test func `everything has a port of its own`() throws {
        var taken: [Int: String] = [:]
        for (path, columns) in [("deploy/scripts/ports", 1...1), ("deploy/scripts/services", 1...2)] {
            for line in try text(path).split(separator: "\n") where !line.hasPrefix("#") {
                let words = line.split(separator: " ")
                for column in columns {
                    let port = try #require(Int(words[column]))
                    #expect(taken.updateValue(path, forKey: port) == nil, "\(line): make room in deploy/scripts/ports")
                }
            }
        }
    }

    /// The formats of these files know no lists: what they say of one service by its name, they say of each.
    @Test(arguments: ["docker-compose.yml", "deploy/docker/Dockerfile"])
    func `a deployment has each service`(_ path: String) throws {
        var document = Document(try text(path))
        for service in ServiceListTests.services {
            let example: ServiceName = service == .chat ? .posts : .chat
            let missing = document.add(service.rawValue, like: example.rawValue) {
                // What lets the gateway ask it.
                service.isAsked || !$0.uppercased().replacing("-", with: "_").contains("INTERNAL_SECRET")
            }
            if !isWriting {
                #expect(missing == [], "\(path): deploy/dev fixtures adds what it says of \(example.rawValue)")
            }
        }
        if isWriting {
            try document.text.write(
                to: repositoryRoot.appendingPathComponent(path),
                atomically: true,
                encoding: .utf8
            )
        }
        let images = document.text.matches(of: #/(?:image: madang/|FROM store AS )([a-z]+)/#).map {
            String($0.output.1)
        }
        let known = Set(ServiceListTests.services.map(\.rawValue) + ["gateway", "setup"])
        #expect(Set(images).subtracting(known) == [], "\(path): there is no such service")
    }

    @Test func `the broker has what follows from the list`() throws {
        let topology = try Topology.updated()
        #expect(
            try String(contentsOf: Topology.file, encoding: .utf8) == topology.document,
            "deploy/dev fixtures writes it"
        )
        let services = Set(ServiceListTests.services.map(\.rawValue))
        for queue in topology.keys.keys {
            #expect(services.contains(String(queue.prefix { $0 != "." })), "\(queue) is no service's")
        }
    }

    /// Live messages are for gateways; a service reads those that the list says it hears.
    @Test(arguments: services) func `a service hears what the list says`(_ service: ServiceName) throws {
        let rights = try Rights.of(service.rawValue)
        for event in Catalogue.all where event.audience == .live {
            #expect(rights.mayHear(event.type) == service.hears.contains(event.type), "\(service) \(event.type)")
        }
        #expect(Set(service.hears).isSubset(of: Catalogue.all.map { $0.type }), "nobody tells these")
    }

    /// What is told follows from who tells it: nobody else's events, and all of its own.
    @Test(arguments: services.map(\.rawValue) + ["gateway"])
    func `a user may tell what its service tells`(_ process: String) throws {
        let rights = try Rights.of(process)
        for event in Catalogue.all {
            let isOwn = event.name.prefix { $0 != "." } == process
            // What is told again has the name of a queue before the type.
            let key = event.audience == .retold ? "notifications.activity.\(event.type)" : event.type
            #expect(rights.mayTell(key, to: event.audience.rawValue) == isOwn, "\(process) \(event.type)")
        }
        for event in Catalogue.maybePlain {
            let isOwn = event.name.prefix { $0 != "." } == process
            #expect(rights.mayTell(event.type, to: "plain") == isOwn, "\(process) \(event.type)")
            #expect(rights.mayTell(event.type, to: "reached") == isOwn, "\(process) \(event.type)")
        }
    }
}

/// The lines of a document in which one thing after another is said of each service.
private struct Document {
    private var lines: [Substring]

    init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

    var text: String { lines.joined(separator: "\n") }

    /// Adds, behind each block about `example`, the same about `name` where it is missing.
    ///
    /// A block is a line that names it, with the lines below that are indented further, and those beside that name it too.
    mutating func add(_ name: String, like example: String, where concerns: (String) -> Bool) -> [String] {
        var missing: [String] = []
        var result: [Substring] = []
        var index = 0
        while index < lines.count {
            let start = index
            while index < lines.count, Document.names(lines[index], example) {
                let indent = Document.indent(lines[index])
                index += 1
                while index < lines.count, !lines[index].isEmpty, Document.indent(lines[index]) > indent { index += 1 }
            }
            guard index > start else {
                result.append(lines[index])
                index += 1
                continue
            }
            let block = lines[start..<index]
            result += block
            let own = block.map { Document.renamed(String($0), example, name) }.filter(concerns)
            let absent = own.filter { Document.names(Substring($0), name) && !lines.contains(Substring($0)) }
            guard !absent.isEmpty else { continue }
            if start > 0, lines[start - 1].isEmpty { result.append("") }
            result += own.map { Substring($0) }
            missing += absent
        }
        lines = result
        return missing
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    private static func renamed(_ line: String, _ old: String, _ new: String) -> String {
        line.replacing(old, with: new).replacing(old.uppercased(), with: new.uppercased())
    }

    private static func names(_ line: Substring, _ name: String) -> Bool {
        // Not in what is said to people.
        !line.drop { $0 == " " }.hasPrefix("#")
            && line.split { !$0.isLetter }.contains { $0 == name || $0 == name.uppercased() }
    }
}
