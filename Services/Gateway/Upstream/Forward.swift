// SPDX-License-Identifier: Apache-2.0
// Which header fields cross the gateway, in both directions.

import Domain
import NIOHTTP1
import Surface

enum Forward {
    /// What a service gets to know of a request besides what the client wrote.
    struct Additions {
        enum Trace {
            /// The client's.
            case told(String)
            /// It begins with the request, whose id is its own.
            case begins(span: String)
        }

        var principal: String?
        var requestID: String
        var trace: Trace
        var clientAddress: String
        var scheme: String
        /// The body's length; nil when it comes in chunks.
        var length: Int?
        var hasBody: Bool
        /// Instead of the client's own.
        var method: HTTPMethod?
        var contentType: String?
        var language: Language?
        /// The tag of an answer that we have.
        var storedTag: String?
    }

    /// The request for the service: identity and hop-by-hop fields of the client removed, the gateway's own added.
    static func request(
        _ head: HTTPRequestHead,
        target: RequestTarget,
        to service: ServiceName,
        _ additions: Additions
    ) -> ServiceRequest {
        let asked = additions.method ?? head.method
        // A service need not know HEAD: its answer's body is dropped here. Files would be read for nothing.
        var request = ServiceRequest(asked == .HEAD && service != .media ? .GET : asked, target.text)
        let named = hopByHop(head.headers)
        for (name, value) in head.headers where passes(name.utf8, to: service) {
            if additions.contentType != nil, same(name.utf8, "content-type") { continue }
            if additions.language != nil, same(name.utf8, "accept-language") { continue }
            if let named, named.contains(name.lowercased()) { continue }
            request.pass(name, value)
        }
        if let type = additions.contentType { request.add("content-type", type) }
        if let language = additions.language { request.add("accept-language", language.rawValue) }
        if let tag = additions.storedTag { request.add("if-none-match", tag) }
        if let principal = additions.principal { request.add("x-madang-principal", principal) }
        request.add("x-request-id", additions.requestID)
        switch additions.trace {
        case .told(let trace): request.add("traceparent", trace)
        case .begins(let span): request.add(trace: additions.requestID, span: span)
        }
        request.add("x-forwarded-for", additions.clientAddress)
        request.add("x-forwarded-proto", additions.scheme)
        if let length = additions.length {
            request.add(length: length)
        } else if additions.hasBody {
            request.addChunks()
        }
        request.end()
        return request
    }

    /// Fields that `Connection` names as hop-by-hop besides the usual ones.
    private static func hopByHop(_ headers: HTTPHeaders) -> Set<String>? {
        var names: Set<String>?
        for (name, value) in headers where same(name.utf8, "connection") {
            for item in value.split(separator: ",") {
                let item = item.filter { $0 != " " }.lowercased()
                if item != "close", item != "keep-alive", item != "upgrade", !item.isEmpty, item != "host" {
                    names = (names ?? []).union([item])
                }
            }
        }
        return names
    }

    /// Whether a client's header field reaches a service.
    static func passes(_ name: some Collection<UInt8>, to service: ServiceName) -> Bool {
        switch name.first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "a"): return service == .auth || !same(name, "authorization")
        case UInt8(ascii: "c"):
            if same(name, "cookie") { return service == .auth }
            return !same(name, "connection") && !same(name, "content-length")
        case UInt8(ascii: "e"): return !same(name, "expect")
        case UInt8(ascii: "f"): return !same(name, "forwarded")
        case UInt8(ascii: "k"): return !same(name, "keep-alive")
        case UInt8(ascii: "p"): return !starts(name, "proxy-")
        case UInt8(ascii: "t"):
            return !same(name, "te") && !same(name, "trailer") && !same(name, "transfer-encoding")
                && !same(name, "traceparent")
        case UInt8(ascii: "u"): return !same(name, "upgrade")
        case UInt8(ascii: "x"):
            return !starts(name, "x-madang-") && !starts(name, "x-forwarded-") && !same(name, "x-request-id")
                && !same(name, "x-real-ip") && !same(name, "x-http-method-override") && !same(name, "x-http-method")
                && !same(name, "x-method-override") && !same(name, "x-original-url") && !same(name, "x-rewrite-url")
                && !same(name, "x-client-ip") && !starts(name, "x_")
        default: return true
        }
    }

    /// Whether a service's header field reaches the client as it is.
    static func passesBack(_ name: some Collection<UInt8>) -> Bool {
        switch name.first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "a"): !starts(name, "access-control-")
        case UInt8(ascii: "c"): !same(name, "connection") && !same(name, "content-length")
        case UInt8(ascii: "k"): !same(name, "keep-alive")
        case UInt8(ascii: "p"): !starts(name, "proxy-")
        case UInt8(ascii: "s"): !same(name, "server")
        case UInt8(ascii: "t"):
            !same(name, "te") && !same(name, "trailer") && !same(name, "transfer-encoding")
                && !same(name, "traceparent")
        case UInt8(ascii: "u"): !same(name, "upgrade")
        case UInt8(ascii: "x"):
            !starts(name, "x-madang-") && !same(name, "x-request-id") && !starts(name, "x-ratelimit-")
        default: true
        }
    }

    /// Whether two names are the same; `lower` is in lower case.
    static func same(_ name: some Collection<UInt8>, _ lower: StaticString) -> Bool {
        name.count == lower.utf8CodeUnitCount && starts(name, lower)
    }

    static func starts(_ name: some Collection<UInt8>, _ lower: StaticString) -> Bool {
        guard name.count >= lower.utf8CodeUnitCount else { return false }
        return lower.withUTF8Buffer { expected in
            var index = 0
            for byte in name {
                guard index < expected.count else { break }
                let folded = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
                guard folded == expected[index] else { return false }
                index += 1
            }
            return true
        }
    }
}
