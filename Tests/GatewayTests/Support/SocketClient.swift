// SPDX-License-Identifier: Apache-2.0
// A small Socket.IO client over WebSocket, as a test writes its packets.

import Support
import Surface

@testable import GatewayService

struct SocketClient: Sendable {
    let raw: RawClient

    /// Opens a connection; no namespace yet.
    static func open(_ gateway: TestGateway, _ fields: String..., query: String = "") async throws -> SocketClient {
        let raw = try await gateway.client()
        var request =
            "GET /socket.io/?EIO=4&transport=websocket\(query) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
        request += "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        request += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        for field in fields { request += field + "\r\n" }
        try await raw.send(request + "\r\n")
        let client = SocketClient(raw: raw)
        _ = try await client.packet(startingWith: "0{")
        return client
    }

    /// Opens a connection and the default namespace, and waits for `ready`.
    static func ready(_ gateway: TestGateway, _ token: String, channels: String? = nil) async throws -> SocketClient {
        let client = try await open(gateway)
        let known = channels.map { #","channels":\#($0)"# } ?? ""
        try await client.send(#"40{"token":"\#(token)"\#(known)}"#)
        _ = try await client.packet(startingWith: #"42["ready""#)
        return client
    }

    func send(_ packet: String) async throws { try await raw.send(ClientFrame.text(packet)) }

    func close() async { await raw.close() }

    /// Every packet so far.
    var packets: [String] { SocketClient.packets(Array(raw.bytesSoFar)) }

    @discardableResult func packet(startingWith prefix: String) async throws -> String {
        try await packets("a packet like \(prefix)") { packets in packets.contains { $0.hasPrefix(prefix) } }
            .first { $0.hasPrefix(prefix) } ?? ""
    }

    /// Waits until what came is accepted.
    @discardableResult
    func packets(_ what: String, until accepts: @escaping @Sendable ([String]) -> Bool) async throws -> [String] {
        let bytes = try await raw.bytes(what) { bytes, isClosed in isClosed || accepts(SocketClient.packets(bytes)) }
        let packets = SocketClient.packets(bytes)
        guard accepts(packets) else { throw RawClient.NeverCame(description: "\(what); closed after \(packets)") }
        return packets
    }

    /// The texts of the messages so far, in the order in which they came.
    func texts(_ event: String = "message") -> [String] {
        packets.filter { $0.hasPrefix(#"42["\#(event)","#) }.compactMap { packet in
            guard let start = packet.firstRange(of: #""text":""#) else { return nil }
            return String(packet[start.upperBound...].prefix { $0 != "\"" })
        }
    }

    /// The text frames after the head of the answer.
    private static func packets(_ bytes: [UInt8]) -> [String] {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        var rest = bytes[head.upperBound...]
        var packets: [String] = []
        while let first = rest.first, rest.count >= 2 {
            let short = rest[rest.startIndex + 1]
            var length = Int(short & 0x7F)
            var header = 2
            if length == 126 || length == 127 {
                let octets = length == 126 ? 2 : 8
                guard rest.count >= 2 + octets else { break }
                length = rest.dropFirst(2).prefix(octets).reduce(0) { $0 << 8 | Int($1) }
                header += octets
            }
            guard rest.count >= header + length else { break }
            let payload = rest.dropFirst(header).prefix(length)
            if first & 0x0F == 1 { packets.append(String(decoding: payload, as: UTF8.self)) }
            rest = rest.dropFirst(header + length)
        }
        return packets
    }
}
