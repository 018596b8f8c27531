// SPDX-License-Identifier: Apache-2.0
// How to reach a broker.

import Domain

/// How to reach a broker.
public struct BrokerConfiguration: Sendable {
    public var host: String
    public var port: Int
    public var user: String
    public var password: String
    public var virtualHost: String
    /// Seconds; a dead peer is noticed after two.
    public var heartbeat = 10
    /// Shown in the broker's list of connections.
    public var connectionName: String

    /// Parses `amqp://user:password@host:port/vhost` (percent-encoded; an absent vhost is `/`); nil when it is none.
    public init?(uri: String, connectionName: String) {
        let scheme = "amqp://"
        guard uri.lowercased().hasPrefix(scheme) else { return nil }
        var rest = uri.dropFirst(scheme.count)
        guard !rest.contains("?"), !rest.contains("#") else { return nil }

        var virtualHost = "/"
        if let slash = rest.firstIndex(of: "/") {
            guard let decoded = PercentCoding.decoded(rest[rest.index(after: slash)...].utf8), !decoded.isEmpty else {
                return nil
            }
            virtualHost = decoded
            rest = rest[..<slash]
        }
        var user = "guest"
        var password = "guest"
        if let at = rest.lastIndex(of: "@") {
            let credentials = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = credentials.first.flatMap({ PercentCoding.decoded($0.utf8) }), !name.isEmpty,
                let secret = PercentCoding.decoded((credentials.count > 1 ? credentials[1] : "").utf8)
            else { return nil }
            user = name
            password = secret
            rest = rest[rest.index(after: at)...]
        }
        guard let address = Address(rest) else { return nil }
        self.host = address.host
        self.port = address.port
        self.user = user
        self.password = password
        self.virtualHost = virtualHost
        self.connectionName = connectionName
    }
}

/// `host`, `host:port` or `[IPv6]:port`.
private struct Address {
    let host: String
    let port: Int

    init?(_ text: Substring) {
        var name = text
        var digits: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            digits = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            name = text[..<colon]
            digits = text[text.index(after: colon)...]
        }
        guard !name.isEmpty, let port = digits.map({ UInt16($0) }) ?? 5672, port > 0 else { return nil }
        host = String(name)
        self.port = Int(port)
    }
}
