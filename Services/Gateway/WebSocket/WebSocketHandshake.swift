// SPDX-License-Identifier: Apache-2.0
// The opening of a WebSocket (RFC 6455, section 4).

import Crypto
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct WebSocketHandshake: Equatable {
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String
    /// The first subprotocol that the client offered: a browser wants one of its own back.
    let subprotocol: String?

    enum Fault: Error {
        /// No handshake at all.
        case notAsked
        case malformed
    }

    init(_ head: HTTPRequestHead) throws(Fault) {
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
    }
}
