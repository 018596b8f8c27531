// SPDX-License-Identifier: Apache-2.0
// Finds what belongs to a path.

import Domain

/// Values by the patterns of paths: `:name` stands for a part that varies, perhaps behind a beginning that does not, as in
/// `@:name`.
public struct PathTable<Value: Sendable>: Sendable {
    /// What a path leads to, with the parts that vary, percent-decoded.
    public struct Match {
        public let value: Value
        public let parameters: [String: String]
    }

    private var tree = PathTree()
    /// By the nodes of the tree.
    private var values: [Value?] = []

    public init() {}

    /// What a pattern leads to, whatever it calls the parts that vary; the first one's names stay.
    public subscript(pattern: String) -> Value? {
        mutating get { values[node(pattern)] }
        set {
            let node = node(pattern)
            values[node] = newValue
            tree.setEnd(newValue != nil, at: node)
        }
    }

    private mutating func node(_ pattern: String) -> Int {
        let node = tree.node(pattern)
        while values.count < tree.count { values.append(nil) }
        return node
    }

    /// Nil when nothing is there, or when a part that varies is no text. One slash at the end is ignored.
    public func match(_ path: String) -> Match? {
        guard let (node, parts) = tree.find(path), let value = values[node] else { return nil }
        guard !parts.isEmpty else { return Match(value: value, parameters: [:]) }
        var parameters: [String: String] = [:]
        for (name, part) in zip(tree.names(at: node), parts) {
            guard let text = PercentCoding.decoded(path.utf8.dropFirst(part.lowerBound).prefix(part.count)) else {
                return nil
            }
            parameters[name] = text
        }
        return Match(value: value, parameters: parameters)
    }

    /// What a path leads to, without reading its parts.
    public func value(_ path: String) -> Value? {
        guard let (node, _) = tree.find(path) else { return nil }
        return values[node]
    }
}

/// Patterns as a tree of their parts, searched in time that depends on the path's length alone. A fixed part wins over one
/// that varies, one that begins as it must over any other.
///
/// It knows nothing of what the patterns lead to: searching it is the same code for all.
private struct PathTree: Sendable {
    private struct Node {
        var fixed: [(part: [UInt8], node: Int)] = []
        /// Parts that vary behind a fixed beginning, as in `@:name`.
        var begun: [(beginning: [UInt8], node: Int)] = []
        var varying: Int?
        /// Whether a pattern ends here.
        var isEnd = false
        /// The names of the parts that vary on the way here.
        var names: [String] = []
    }

    /// More parts than any path of ours has.
    private static let longest = 16

    private var nodes = [Node()]

    var count: Int { nodes.count }

    func names(at node: Int) -> [String] { nodes[node].names }

    mutating func setEnd(_ isEnd: Bool, at node: Int) { nodes[node].isEnd = isEnd }

    /// The node at which a pattern ends.
    mutating func node(_ pattern: String) -> Int {
        var node = 0
        var names: [String] = []
        for part in pattern.split(separator: "/") {
            if let colon = part.firstIndex(of: ":") { names.append(String(part[part.index(after: colon)...])) }
            node = child(of: node, part)
        }
        if !nodes[node].isEnd { nodes[node].names = names }
        return node
    }

    private mutating func child(of parent: Int, _ part: Substring) -> Int {
        let beginning = Array(part.prefix { $0 != ":" }.utf8)
        let isVarying = part.contains(":")
        if isVarying, beginning.isEmpty, let node = nodes[parent].varying { return node }
        if isVarying, let known = nodes[parent].begun.first(where: { $0.beginning == beginning }) { return known.node }
        if !isVarying, let known = nodes[parent].fixed.first(where: { $0.part == beginning }) { return known.node }
        let new = nodes.count
        nodes.append(Node())
        if !isVarying {
            nodes[parent].fixed.append((beginning, new))
        } else if beginning.isEmpty {
            nodes[parent].varying = new
        } else {
            nodes[parent].begun.append((beginning, new))
        }
        return new
    }

    /// Where a path leads, and the places of its parts that vary.
    func find(_ path: String) -> (node: Int, parts: [Range<Int>])? {
        var path = path
        return path.withUTF8 { bytes in
            var parts: [Range<Int>] = []
            return find(bytes, &parts).map { ($0, parts) }
        }
    }

    private func find(_ path: UnsafeBufferPointer<UInt8>, _ parts: inout [Range<Int>]) -> Int? {
        guard path.first == UInt8(ascii: "/") else { return nil }
        let end = path.count > 1 && path.last == UInt8(ascii: "/") ? path.count - 1 : path.count
        guard end == 1 || path[end - 1] != UInt8(ascii: "/") else { return nil }
        return find(path[..<end], from: 1, in: 0, depth: 0, &parts)
    }

    private func find(
        _ path: Slice<UnsafeBufferPointer<UInt8>>,
        from start: Int,
        in node: Int,
        depth: Int,
        _ parts: inout [Range<Int>]
    ) -> Int? {
        guard start < path.endIndex else { return nodes[node].isEnd ? node : nil }
        guard depth < PathTree.longest else { return nil }
        let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        let part = path[start..<end]
        for child in nodes[node].fixed where child.part.count == part.count && part.elementsEqual(child.part) {
            if let found = find(path, from: end + 1, in: child.node, depth: depth + 1, &parts) { return found }
        }
        for child in nodes[node].begun where part.count > child.beginning.count && part.starts(with: child.beginning) {
            parts.append(start + child.beginning.count..<end)
            if let found = find(path, from: end + 1, in: child.node, depth: depth + 1, &parts) { return found }
            parts.removeLast()
        }
        guard let child = nodes[node].varying, !part.isEmpty else { return nil }
        parts.append(start..<end)
        if let found = find(path, from: end + 1, in: child, depth: depth + 1, &parts) { return found }
        parts.removeLast()
        return nil
    }
}
