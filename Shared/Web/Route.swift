// SPDX-License-Identifier: Apache-2.0
// A service's table of contents.

package import Domain
package import HTTPTypes

/// Who may call a route.
package enum Access: Sendable, Hashable {
    /// Anyone; a principal is given if there is one.
    case anyone
    /// Any token, of an app alone too.
    case app(Scope?)
    /// A token of an account with this scope.
    case account(Scope?)
    /// Another process of ours, by the shared secret; for everyone else the route does not exist.
    case `internal`
}

/// One line of a service's table of contents.
package struct Route<Dependencies: Sendable>: Sendable {
    package typealias Run = @Sendable (Request, Dependencies) async throws -> Answer
    package let method: HTTPRequest.Method
    /// With `:name` for a part that varies.
    package let path: String
    package let access: Access
    package let run: Run

    package init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ run: @escaping Run) {
        self.method = method
        self.path = path
        self.access = access
        self.run = run
    }

    package static func get(_ path: String, _ access: Access, _ run: @escaping Run) -> Route {
        Route(.get, path, access, run)
    }
    package static func post(_ path: String, _ access: Access, _ run: @escaping Run) -> Route {
        Route(.post, path, access, run)
    }
    package static func put(_ path: String, _ access: Access, _ run: @escaping Run) -> Route {
        Route(.put, path, access, run)
    }
    package static func patch(_ path: String, _ access: Access, _ run: @escaping Run) -> Route {
        Route(.patch, path, access, run)
    }
    package static func delete(_ path: String, _ access: Access, _ run: @escaping Run) -> Route {
        Route(.delete, path, access, run)
    }
}

/// Finds what belongs to a path, in time that depends on the path's length alone.
package struct PathTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let names: [String]
        var value: Value
    }

    private final class Node: Sendable {
        let fixed: [Substring: Node]
        let variable: Node?
        let entry: Entry?

        init(fixed: [Substring: Node], variable: Node?, entry: Entry?) {
            self.fixed = fixed
            self.variable = variable
            self.entry = entry
        }
    }

    /// What a path leads to, with the parts that vary, percent-decoded.
    package struct Match: Sendable {
        package let value: Value
        package let parameters: [String: String]
    }

    /// More parts than any path of ours has.
    private static var longest: Int { 16 }

    private let root: Node

    /// - Parameter entries: one value for each path, with `:name` for a part that varies.
    package init(_ entries: [(path: String, value: Value)]) {
        root = PathTable.node(
            entries.map { path, value in
                let parts = path.split(separator: "/")
                let names = parts.filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
                return (parts[...], Entry(names: names, value: value))
            }
        )
    }

    /// Nil when nothing is there; a fixed part wins over one that varies. One slash at the end is ignored.
    package func match(_ path: String) -> Match? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var parts = path.dropFirst().split(
            separator: "/",
            maxSplits: PathTable.longest,
            omittingEmptySubsequences: false
        )
        if parts.last?.isEmpty == true { parts.removeLast() }
        guard parts.count <= PathTable.longest else { return nil }
        var values: [Substring] = []
        guard let entry = PathTable.find(parts[...], in: root, &values) else { return nil }
        guard !values.isEmpty else { return Match(value: entry.value, parameters: [:]) }
        var parameters: [String: String] = [:]
        for (name, value) in zip(entry.names, values) {
            guard let text = FormReader.decoded(value.utf8) else { return nil }
            parameters[name] = text
        }
        return Match(value: entry.value, parameters: parameters)
    }

    private static func find(_ parts: ArraySlice<Substring>, in node: Node, _ values: inout [Substring]) -> Entry? {
        guard let part = parts.first else { return node.entry }
        let rest = parts.dropFirst()
        if let next = node.fixed[part], let entry = find(rest, in: next, &values) { return entry }
        guard let next = node.variable, !part.isEmpty else { return nil }
        values.append(part)
        if let entry = find(rest, in: next, &values) { return entry }
        values.removeLast()
        return nil
    }

    private static func node(_ entries: [(parts: ArraySlice<Substring>, entry: Entry)]) -> Node {
        var fixed: [Substring: [(parts: ArraySlice<Substring>, entry: Entry)]] = [:]
        var variable: [(parts: ArraySlice<Substring>, entry: Entry)] = []
        var own: Entry?
        for (parts, entry) in entries {
            guard let part = parts.first else {
                own = entry
                continue
            }
            if part.hasPrefix(":") {
                variable.append((parts.dropFirst(), entry))
            } else {
                fixed[part, default: []].append((parts.dropFirst(), entry))
            }
        }
        return Node(
            fixed: fixed.mapValues(node),
            variable: variable.isEmpty ? nil : node(variable),
            entry: own
        )
    }
}
