// SPDX-License-Identifier: Apache-2.0
// The opening of a WebSocket (RFC 6455, section 4).

internal import Crypto
internal import FoundationEssentials
public import NIOHTTP1

public struct WebSocketHandshake: Equatable, Sendable {
    /// The value of `Sec-WebSocket-Accept`.
    public let accept: String
    /// The first subprotocol that the client offered: a browser wants one of its own back.
    public let subprotocol: String?
    /// The extensions that the client offered.
    public let extensions: [String]

    public enum Fault: Error {
        /// No handshake at all.
        case notAsked
        case malformed
    }

    public init(_ head: HTTPRequestHead) throws(Fault) {
        guard head.headers["upgrade"].contains(where: { $0.lowercased() == "websocket" }) else { throw .notAsked }
        let connection = head.headers["connection"].joined(separator: ",").lowercased()
        guard head.method == .GET, head.version == .http1_1,
            connection.split(separator: ",").contains(where: { $0.filter { $0 != " " } == "upgrade" }),
            head.headers.first(name: "sec-websocket-version") == "13", head.headers["sec-websocket-key"].count == 1,
            let key = head.headers.first(name: "sec-websocket-key"), Data(base64Encoded: key)?.count == 16
        else { throw .malformed }
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        accept = Data(digest).base64EncodedString()
        let offered = head.headers.first(name: "sec-websocket-protocol")?.split(separator: ",").first
        subprotocol = offered?.filter { $0 != " " }
        extensions = head.headers["sec-websocket-extensions"]
    }

    /// The head of the answer that agrees.
    ///
    /// - Parameter deflate: the compression that is agreed on.
    public func answer(deflate: WebSocketDeflate? = nil) -> String {
        var text =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n"
        if let subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        if let deflate { text += "Sec-WebSocket-Extensions: \(deflate.header)\r\n" }
        return text + "\r\n"
    }
}
