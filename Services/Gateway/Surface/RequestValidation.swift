// SPDX-License-Identifier: Apache-2.0
// Requests that two parsers might read differently are refused, not repaired.

import NIOHTTP1

/// How a request says that its body is framed.
enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
}

enum RequestFault: Error, Equatable {
    case malformed(StaticString)
    case targetTooLong
    case headersTooLarge
    case bodyTooLarge
    case unsupportedExpectation

    static func == (left: RequestFault, right: RequestFault) -> Bool {
        switch (left, right) {
        case (.malformed, .malformed), (.targetTooLong, .targetTooLong), (.headersTooLarge, .headersTooLarge),
            (.bodyTooLarge, .bodyTooLarge), (.unsupportedExpectation, .unsupportedExpectation):
            true
        default: false
        }
    }
}

enum RequestValidation {
    /// Checks what RFC 9112 requires of a request's head (sections 3.2 and 6.3).
    static func framing(of head: HTTPRequestHead, limits: GatewayLimits) throws(RequestFault) -> BodyFraming {
        var hosts = 0
        var lengths = 0
        var length = 0
        var codings = 0
        var isChunked = false
        guard head.uri.utf8.count <= limits.target else { throw .targetTooLong }
        for (name, value) in head.headers {
            guard isClean(value) else { throw .malformed("header") }
            switch name.utf8.count {
            case 4:
                if Forward.same(name.utf8, "host") { hosts += 1 }
            case 6:
                guard Forward.same(name.utf8, "expect") else { continue }
                guard value.lowercased() == "100-continue" else { throw .unsupportedExpectation }
            case 14:
                guard Forward.same(name.utf8, "content-length") else { continue }
                lengths += 1
                guard (1...18).contains(value.utf8.count), value.utf8.allSatisfy({ (48...57).contains($0) }),
                    let number = Int(value)
                else { throw .malformed("content-length") }
                length = number
            case 17:
                guard Forward.same(name.utf8, "transfer-encoding") else { continue }
                codings += 1
                isChunked = value.lowercased() == "chunked"
            default: continue
            }
        }
        guard hosts == 1 || (hosts == 0 && head.version == .http1_0) else { throw .malformed("host") }
        guard lengths <= 1, codings <= 1, lengths + codings <= 1 else { throw .malformed("content-length") }
        if codings == 1 {
            guard isChunked, head.version == .http1_1 else { throw .malformed("transfer-encoding") }
            return .chunked
        }
        if lengths == 0 { return .none }
        return .length(length)
    }

    private static func isClean(_ value: String) -> Bool {
        for byte in value.utf8 where byte < 0x20 && byte != 0x09 || byte == 0x7F { return false }
        return true
    }
}
