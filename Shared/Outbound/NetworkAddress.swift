// SPDX-License-Identifier: Apache-2.0
// Addresses of hosts, and which of them are not on the internet.

internal import Glibc

/// An address of IPv4 (4 bytes) or IPv6 (16 bytes), in network order.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// From its text, without brackets: `192.0.2.1`, `2001:db8::1`. Nil for anything else, also for names.
    public init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// From a `sockaddr_in` or `sockaddr_in6` of so many bytes, with its port. Nil for other families.
    static func of(socketAddress pointer: UnsafeRawPointer, count: Int) -> (address: NetworkAddress, port: Int)? {
        guard count >= MemoryLayout<sockaddr>.size else { return nil }
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where count >= MemoryLayout<sockaddr_in>.size:
            let here = pointer.loadUnaligned(as: sockaddr_in.self)
            return (
                NetworkAddress(bytes: withUnsafeBytes(of: here.sin_addr) { Array($0) }),
                Int(UInt16(bigEndian: here.sin_port))
            )
        case AF_INET6 where count >= MemoryLayout<sockaddr_in6>.size:
            let here = pointer.loadUnaligned(as: sockaddr_in6.self)
            return (
                NetworkAddress(bytes: withUnsafeBytes(of: here.sin6_addr) { Array($0) }),
                Int(UInt16(bigEndian: here.sin6_port))
            )
        default: return nil
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    public var description: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    /// Whether it is one that anybody on the internet may have: of what IANA gives out, and in none of its special-purpose registries
    /// (iana-ipv4-special-registry, iana-ipv6-special-registry, RFC 6890). Of IPv6 only 2000::/3 is given out, which leaves out whatever
    /// carries an address of IPv4, but for 6to4 and Teredo.
    public var isPublic: Bool {
        bytes.count == 4
            ? !Self.special.contains { $0.contains(self) }
            : bytes[0] & 0xE0 == 0x20 && !Self.special.contains { $0.contains(self) }
    }

    private static let special: [NetworkRange] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20",
    ].compactMap(NetworkRange.init)
}

/// Addresses that begin with the same bits.
struct NetworkRange: Sendable {
    private let first: [UInt8]
    private let bits: Int

    /// From `address/bits`.
    init?(_ text: String) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let address = NetworkAddress(String(parts[0])), let bits = Int(parts[1]),
            (0...address.bytes.count * 8).contains(bits)
        else { return nil }
        first = address.bytes
        self.bits = bits
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == first.count else { return false }
        let whole = bits / 8
        guard address.bytes.prefix(whole).elementsEqual(first.prefix(whole)) else { return false }
        let rest = bits % 8
        return rest == 0 || (address.bytes[whole] ^ first[whole]) >> (8 - rest) == 0
    }
}
