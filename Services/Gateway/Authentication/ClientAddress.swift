// SPDX-License-Identifier: Apache-2.0
// Who is at the other end, as far as addresses tell.

import Logging
import NIOCore
import Synchronization

/// The address of a client.
struct ClientAddress: Hashable, Sendable {
    let octets: [UInt8]
    let text: String

    static let unknown = ClientAddress(octets: [], text: "unknown")

    private init(octets: [UInt8], text: String) {
        self.octets = octets
        self.text = text
    }

    init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            // The fields belong to a C module that cannot be imported here; their places are fixed.
            octets = withUnsafeBytes(of: address.address) { Array($0.dropFirst(4).prefix(4)) }
            text = octets.map(String.init).joined(separator: ".")
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address) { Array($0.dropFirst(8).prefix(16)) }
            if all.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
                octets = Array(all.suffix(4))
                text = octets.map(String.init).joined(separator: ".")
            } else {
                octets = all
                text = address.host.isEmpty ? ClientAddress.written(all) : address.host
            }
        default: self = .unknown
        }
    }

    /// Nil unless it is an IP address as text, with or without brackets and port.
    init?(_ text: some StringProtocol) {
        var text = String(text).filter { $0 != " " && $0 != "\"" }
        guard text.utf8.count <= 64 else { return nil }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if text.contains("."), let colon = text.firstIndex(of: ":"), text[..<colon].contains(".") {
            text = String(text[..<colon])
        }
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        let parsed = ClientAddress(address)
        self.init(octets: parsed.octets, text: parsed.octets.count == 4 ? parsed.text : text)
    }

    /// The part by which people are told apart: the whole of IPv4, the first 64 bits of IPv6.
    var network: ArraySlice<UInt8> { octets.prefix(8) }

    private static func written(_ octets: [UInt8]) -> String {
        stride(from: 0, to: 16, by: 2).map { String(UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}

/// Tells operators, once a minute at most, that somebody forwards requests whom nobody trusts.
final class ProxyWarning: Sendable {
    static let pause: Milliseconds = 60_000

    private let last = Mutex<Milliseconds?>(nil)

    func note(_ peer: ClientAddress, _ logger: Logger, now: Milliseconds) {
        let isDue = last.withLock { last in
            if let last, now - last < ProxyWarning.pause { return false }
            last = now
            return true
        }
        guard isDue else { return }
        logger.warning(
            "X-Forwarded-For of a peer that is not among MADANG_TRUSTED_PROXIES: its clients share one budget",
            metadata: ["peer": "\(peer.text)"]
        )
    }
}

/// The addresses whose `X-Forwarded-For` is believed.
struct TrustedProxies: Sendable {
    private var networks: [(octets: [UInt8], bits: Int)] = []

    init() {}

    /// Addresses and networks separated by commas; nil when one is neither.
    init?(_ text: String) {
        for item in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let parts = item.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let address = ClientAddress(first) else { return nil }
            var bits = address.octets.count * 8
            if parts.count > 1 {
                guard let given = Int(parts[1]), (0...bits).contains(given) else { return nil }
                bits = given
            }
            networks.append((address.octets, bits))
        }
    }

    var isEmpty: Bool { networks.isEmpty }

    func contains(_ address: ClientAddress) -> Bool {
        networks.contains { network in
            guard network.octets.count == address.octets.count else { return false }
            let whole = network.bits / 8
            guard network.octets.prefix(whole) == address.octets.prefix(whole) else { return false }
            let rest = network.bits % 8
            guard rest > 0, whole < address.octets.count else { return true }
            let mask = UInt8.max << UInt8(8 - rest)
            return network.octets[whole] & mask == address.octets[whole] & mask
        }
    }

    /// The client behind trusted proxies: the rightmost address in the chain that none of them is.
    func client(of peer: ClientAddress, forwarded: [String]) -> ClientAddress {
        guard contains(peer) else { return peer }
        var client = peer
        for item in forwarded.joined(separator: ",").split(separator: ",").reversed().prefix(32) {
            guard let address = ClientAddress(item) else { break }
            client = address
            if !contains(address) { break }
        }
        return client
    }
}
