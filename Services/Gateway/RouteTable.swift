// SPDX-License-Identifier: Apache-2.0
// Finds the route of a path.

import NIOHTTP1

/// Routes as a tree of path segments; named segments win over varying ones.
struct RouteTable: Sendable {
    enum Match: Equatable {
        case route(Int)
        /// The path exists, with these methods.
        case methods([HTTPMethod])
        case none
    }

    private struct Node: Sendable {
        var named: [(segment: [UInt8], node: Int)] = []
        var varying: Int?
        var routes: [(method: HTTPMethod, route: Int)] = []
    }

    let routes: [PublicRoute]
    private var nodes: [Node] = [Node()]

    init(_ routes: [PublicRoute]) {
        self.routes = routes
        for (index, route) in routes.enumerated() {
            var node = 0
            for segment in route.path.utf8.split(separator: UInt8(ascii: "/")) {
                node = child(of: node, for: Array(segment))
            }
            nodes[node].routes.append((route.method, index))
        }
    }

    private mutating func child(of parent: Int, for segment: [UInt8]) -> Int {
        if segment.first == UInt8(ascii: ":") {
            if let node = nodes[parent].varying { return node }
            nodes.append(Node())
            nodes[parent].varying = nodes.count - 1
            return nodes.count - 1
        }
        if let known = nodes[parent].named.first(where: { $0.segment == segment }) { return known.node }
        nodes.append(Node())
        nodes[parent].named.append((segment, nodes.count - 1))
        return nodes.count - 1
    }

    /// `path` is in the normal form that `RequestTarget` gives it. A HEAD is answered where a GET is.
    func match(_ method: HTTPMethod, _ path: String) -> Match {
        var path = path
        let wanted = method == .HEAD ? HTTPMethod.GET : method
        return path.withUTF8 { bytes in
            var allowed: [HTTPMethod] = []
            if let route = find(wanted, bytes, from: 1, in: 0, depth: 0, allowed: &allowed) { return .route(route) }
            return allowed.isEmpty ? .none : .methods(allowed)
        }
    }

    private func find(
        _ method: HTTPMethod,
        _ path: UnsafeBufferPointer<UInt8>,
        from start: Int,
        in node: Int,
        depth: Int,
        allowed: inout [HTTPMethod]
    ) -> Int? {
        guard start < path.count else {
            for entry in nodes[node].routes {
                if entry.method == method { return entry.route }
                if !allowed.contains(entry.method) { allowed.append(entry.method) }
            }
            return nil
        }
        guard depth < 12 else { return nil }
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        let segment = UnsafeBufferPointer(rebasing: path[start..<end])
        for child in nodes[node].named
        where child.segment.count == segment.count && child.segment.elementsEqual(segment) {
            if let route = find(method, path, from: end + 1, in: child.node, depth: depth + 1, allowed: &allowed) {
                return route
            }
        }
        guard let child = nodes[node].varying else { return nil }
        return find(method, path, from: end + 1, in: child, depth: depth + 1, allowed: &allowed)
    }
}
