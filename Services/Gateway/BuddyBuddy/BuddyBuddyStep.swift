// SPDX-License-Identifier: Apache-2.0
// A translation as a value: what to ask of which service, what to do with the answer, what to tell the app.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Surface
import Views
import Web

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request of the app, entirely read.
struct BuddyBuddyRequest {
    /// The varying parts of the path, in their order.
    let names: [String]
    let target: RequestTarget
    let headers: HTTPHeaders
    let body: [UInt8]
    let principal: KnownPrincipal?

    /// The varying part at `index`, if it is an id of ours: only such is put into a path.
    func id(_ index: Int) throws(BuddyBuddyFailure) -> String {
        guard names.indices.contains(index), let id = ID<Kind.Post>(names[index]), id.rawValue > 0 else {
            throw .notFound
        }
        return id.description
    }

    /// The fields of the body. Some versions of the app name no type or the wrong header for it, so that the body's
    /// first byte decides; a multipart body without a boundary begins with it.
    func fields() throws(BuddyBuddyFailure) -> Parameters {
        var fields: HTTPFields = [:]
        let type = headers.first(name: "content-type") ?? ""
        if body.starts(with: "--".utf8), type.isEmpty || !type.contains("boundary=") {
            let boundary = body.dropFirst(2).prefix { $0 != 0x0D && $0 != 0x0A }
            let text = String(decoding: boundary, as: UTF8.self)
            guard (1...70).contains(boundary.count), !text.contains(where: { $0 == "\"" || $0 == ";" }) else {
                throw .badRequest("bad-request")
            }
            fields[.contentType] = "multipart/form-data; boundary=\"\(text)\""
        } else if type.lowercased().hasPrefix("multipart/") {
            fields[.contentType] = type
        } else if body.first == UInt8(ascii: "{") {
            fields[.contentType] = "application/json"
        } else {
            fields[.contentType] = "application/x-www-form-urlencoded"
        }
        let request = Request(method: .post, path: target.path, headers: fields, body: body)
        do {
            return try request.parameters()
        } catch {
            throw .badRequest("bad-request")
        }
    }

    /// A field as text; nil when it is missing.
    static func text(_ name: String, in fields: Parameters) throws(BuddyBuddyFailure) -> String? {
        do {
            return try fields.string(name)
        } catch {
            throw .badRequest("bad-request", message: name)
        }
    }

    /// A field that is a file is refused, in words, as long as there is nowhere to keep it.
    static func refuseFiles(_ names: String..., in fields: Parameters) throws(BuddyBuddyFailure) {
        for name in names where fields.contains(name) {
            let text = try? fields.string(name)
            guard text?.isEmpty == true else { throw .uploads }
        }
    }

    /// A moment of the query: RFC 3339, also with a plus sign that somebody did not escape. Nil when it is missing
    /// or unreadable: then there is no limit.
    func moment(_ name: String) -> String? {
        guard let text = target.parameter(name), !text.isEmpty else { return nil }
        let candidates = [text, text.replacing(" ", with: "+"), text.replacing(" ", with: "T")]
        return candidates.lazy.compactMap { Timestamp(rfc3339: $0) }.first?.rfc3339
    }
}

extension BuddyBuddyFailure {
    static let uploads = BuddyBuddyFailure.badRequest(
        "uploads-not-available",
        message: "Files cannot be uploaded to this server yet."
    )
}

/// One request to a service.
struct ServiceCall {
    enum Identity {
        case caller
        /// Whoever this token stands for; it has just been given out.
        case token(String)
        /// The gateway itself, on a route under `/internal`.
        case gateway
    }

    let service: ServiceName
    let method: HTTPMethod
    let path: String
    var identity = Identity.caller
    var body: [UInt8] = []
    /// Whether doing it twice is no different from doing it once; the request's id is then its key.
    var isKeyed = false

    static func get(_ service: ServiceName, _ path: String) -> ServiceCall {
        ServiceCall(service: service, method: .GET, path: path)
    }

    static func send(
        _ method: HTTPMethod,
        _ service: ServiceName,
        _ path: String,
        as identity: Identity = .caller,
        isKeyed: Bool = false,
        _ members: (inout JSONWriter) -> Void = { _ in }
    ) -> ServiceCall {
        var json = JSONWriter()
        json.object(members)
        return ServiceCall(
            service: service,
            method: method,
            path: path,
            identity: identity,
            body: json.bytes,
            isKeyed: isKeyed
        )
    }

    /// Everything but what may stand in a query unescaped.
    static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What a service answered.
struct ServiceAnswer {
    let status: Int
    let body: ByteBuffer
    var retryAfter: String?

    var isGood: Bool { (200..<300).contains(status) }

    /// The body of a good answer.
    func read<Body: Decodable>(_ type: Body.Type = Body.self) throws(BuddyBuddyFailure) -> Body {
        try require()
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw .broken
        }
    }

    func require() throws(BuddyBuddyFailure) {
        guard isGood else { throw BuddyBuddyFailure(self) }
    }
}

/// What comes next in answering the app.
indirect enum BuddyBuddyStep {
    case ask(ServiceCall, then: (ServiceAnswer) throws(BuddyBuddyFailure) -> BuddyBuddyStep)
    case tell([UInt8])

    static func tell(_ view: some View) -> BuddyBuddyStep { .tell(view.json()) }

    static func tell(_ views: [some View]) -> BuddyBuddyStep {
        var json = JSONWriter(capacity: 4096)
        json.array(views)
        return .tell(json.bytes)
    }

    /// Where the app reads nothing but the status.
    static var done: BuddyBuddyStep { .tell(Array("{}".utf8)) }

    /// Asks, and reads a good answer.
    static func read<Body: Decodable>(
        _ call: ServiceCall,
        _ type: Body.Type = Body.self,
        then: @escaping (Body) throws(BuddyBuddyFailure) -> BuddyBuddyStep
    ) -> BuddyBuddyStep {
        .ask(call) { (answer) throws(BuddyBuddyFailure) in try then(answer.read(type)) }
    }

    /// Asks, and goes on when it was done.
    static func perform(
        _ call: ServiceCall,
        then: @escaping () throws(BuddyBuddyFailure) -> BuddyBuddyStep
    ) -> BuddyBuddyStep {
        .ask(call) { (answer) throws(BuddyBuddyFailure) in
            try answer.require()
            return try then()
        }
    }
}
