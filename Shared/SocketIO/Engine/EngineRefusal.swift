// SPDX-License-Identifier: Apache-2.0
// Requests that Engine.IO does not serve, and how that is told.

public import NIOCore
public import NIOHTTP1

/// Why a request is refused. The numbers and texts are the reference server's.
public enum EngineRefusal: Int, Error, Sendable {
    case unknownTransport = 0
    case unknownSession = 1
    case badHandshakeMethod = 2
    case badRequest = 3
    case unsupportedVersion = 5
    /// No number of the protocol: the body is longer than `maxPayload`.
    case tooLarge = 413

    public var status: HTTPResponseStatus { self == .tooLarge ? .payloadTooLarge : .badRequest }

    private var message: StaticString {
        switch self {
        case .unknownTransport: "Transport unknown"
        case .unknownSession: "Session ID unknown"
        case .badHandshakeMethod: "Bad handshake method"
        case .badRequest: "Bad request"
        case .unsupportedVersion: "Unsupported protocol version"
        case .tooLarge: "Payload too large"
        }
    }

    /// `{"code":…,"message":…}`
    public var body: ByteBuffer { ByteBuffer(string: #"{"code":\#(rawValue),"message":"\#(message)"}"#) }
}

/// What a request wants, by its method and query.
enum EngineWish: Equatable {
    case open
    case poll(sid: String)
    case send(sid: String)
    case openWebSocket
    case upgrade(sid: String)

    /// Engine.IO protocol v4, "Query parameters"; what is checked first is told first.
    init(method: HTTPMethod, query: String, isUpgrade: Bool) throws(EngineRefusal) {
        let sid = Query.value(of: "sid", in: query)
        switch Query.value(of: "transport", in: query) {
        case "polling":
            guard Query.value(of: "EIO", in: query) == "4" else { throw .unsupportedVersion }
            guard !isUpgrade else { throw .badRequest }
            switch (method, sid) {
            case (.GET, nil): self = .open
            case (_, nil): throw .badHandshakeMethod
            case (.GET, let sid?): self = .poll(sid: sid)
            case (.POST, let sid?): self = .send(sid: sid)
            default: throw .badRequest
            }
        case "websocket":
            guard Query.value(of: "EIO", in: query) == "4" else { throw .unsupportedVersion }
            guard method == .GET else { throw sid == nil ? .badHandshakeMethod : .badRequest }
            guard isUpgrade else { throw .badRequest }
            if let sid { self = .upgrade(sid: sid) } else { self = .openWebSocket }
        default: throw .unknownTransport
        }
    }
}

/// The whole answer to a request.
public struct EngineAnswer: Sendable {
    public let status: HTTPResponseStatus
    public let type: String
    public let body: ByteBuffer

    static func text(_ body: ByteBuffer) -> EngineAnswer {
        EngineAnswer(status: .ok, type: "text/plain; charset=UTF-8", body: body)
    }

    public static func refused(_ refusal: EngineRefusal) -> EngineAnswer {
        EngineAnswer(status: refusal.status, type: "application/json", body: refusal.body)
    }
}
