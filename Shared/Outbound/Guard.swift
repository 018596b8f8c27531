// SPDX-License-Identifier: Apache-2.0
// With whom a request may speak.

/// Decides of every address when a socket is opened for it, so also of each redirect and of each answer of a name server.
public struct Guard: Sendable {
    private enum Rule: Sendable {
        /// Public addresses, at these ports.
        case anybody(ports: Set<Int>)
        /// Whatever one host is.
        case operators(host: String, port: Int)
    }

    private let rule: Rule
    private let allowed: Set<Endpoint>

    /// An address and a port that are allowed besides.
    public struct Endpoint: Hashable, Sendable {
        let address: NetworkAddress
        let port: Int

        public init(_ address: NetworkAddress, port: Int) {
            self.address = address
            self.port = port
        }

        /// Some of them from `address:port,address:port`, addresses of IPv6 in brackets; `none` is none. Nil for anything else.
        public static func list(_ text: String) -> Set<Endpoint>? {
            guard text != "none" else { return [] }
            var list: Set<Endpoint> = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let colon = part.lastIndex(of: ":"), let port = Int(part[part.index(after: colon)...]),
                    (1...65_535).contains(port)
                else { return nil }
                var host = part[..<colon]
                let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
                if isBracketed { host = host.dropFirst().dropLast() }
                guard let address = NetworkAddress(String(host)), (address.bytes.count == 16) == isBracketed else {
                    return nil
                }
                list.insert(Endpoint(address, port: port))
            }
            return list
        }
    }

    /// What strangers name: addresses of the internet at the ports 80 and 443 alone, up to three redirects.
    ///
    /// - Parameter allowed: what an operator opens besides, such as a server of an intranet.
    public static func anybody(allowing allowed: Set<Endpoint> = []) -> Guard {
        Guard(rule: .anybody(ports: [80, 443]), allowed: allowed)
    }

    /// What an operator's settings name: one host and port, wherever it is. Redirects are answers, nobody follows them.
    ///
    /// - Parameters:
    ///   - host: as URLs have it, an address of IPv6 in brackets.
    ///   - port: of the URL, or its scheme's.
    public static func operators(_ host: String, port: Int) -> Guard {
        Guard(rule: .operators(host: host.lowercased(), port: port), allowed: [])
    }

    /// For tests, whose listeners cannot have the ports of the web.
    static func anybody(ports: Set<Int>, allowing allowed: Set<Endpoint> = []) -> Guard {
        Guard(rule: .anybody(ports: ports), allowed: allowed)
    }

    private init(rule: Rule, allowed: Set<Endpoint>) {
        self.rule = rule
        self.allowed = allowed
    }

    var followsRedirects: Bool {
        if case .operators = rule { false } else { true }
    }

    /// Whether all that it admits is one host, so that a connection which it let open is for whatever else it admits.
    var isOfOneHost: Bool {
        if case .operators = rule { true } else { false }
    }

    /// Whether a request may begin with this host.
    func admits(host: String, port: Int) -> Bool {
        if case .operators(let named, let at) = rule { named == host.lowercased() && at == port } else { true }
    }

    func admits(_ address: NetworkAddress, port: Int) -> Bool {
        switch rule {
        case .operators(_, let at): port == at
        case .anybody(let ports):
            (ports.contains(port) && address.isPublic) || allowed.contains(Endpoint(address, port: port))
        }
    }
}
