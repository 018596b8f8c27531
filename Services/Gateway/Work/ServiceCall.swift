// SPDX-License-Identifier: Apache-2.0
// What a service is asked for a client, and what it answers.

package import Calls
import HTTPTypes
package import NIOCore
package import NIOHTTP1
package import Surface
package import Views

/// One request to a service.
package struct ServiceCall: Sendable {
    package enum Identity: Sendable {
        case caller
        /// Whoever this token stands for; it has just been given out.
        case token(String)
        /// The gateway itself, on a route under `/internal`.
        case gateway
    }

    let service: ServiceName
    let method: HTTPMethod
    let path: String
    let identity: Identity
    let body: [UInt8]
    /// Whether doing it twice is no different from doing it once; the request's id is then its key.
    let isKeyed: Bool

    /// Asks without a body.
    package init(_ method: HTTPMethod, _ service: ServiceName, _ path: String, as identity: Identity = .caller) {
        self.init(method, service, path, as: identity, isKeyed: false, body: [])
    }

    /// Asks for the gateway itself, on a route under `/internal`.
    package init(_ service: ServiceName, _ call: some EndpointGroup, _ body: some CallBody) {
        self.init(call.method, service, call.path, as: .gateway, isKeyed: false, body: body.json())
    }

    /// Asks for the caller what changes nothing, on a route under `/internal`.
    package init(_ service: ServiceName, askedByCaller call: some EndpointGroup, _ body: some CallBody) {
        self.init(call.method, service, call.path, as: .caller, isKeyed: true, body: body.json())
    }

    /// Asks with a JSON object.
    package init(
        _ method: HTTPMethod,
        _ service: ServiceName,
        _ path: String,
        as identity: Identity = .caller,
        isKeyed: Bool = false,
        members: (inout JSONWriter) -> Void
    ) {
        self.init(method, service, path, as: identity, isKeyed: isKeyed, body: JSONWriter.object(members))
    }

    private init(
        _ method: HTTPMethod,
        _ service: ServiceName,
        _ path: String,
        as identity: Identity,
        isKeyed: Bool,
        body: [UInt8]
    ) {
        (self.method, self.service, self.path) = (method, service, path)
        (self.identity, self.isKeyed, self.body) = (identity, isKeyed, body)
    }
}

extension EndpointGroup {
    /// As NIO names it.
    var method: HTTPMethod { HTTPMethod(rawValue: endpoint.method.rawValue) }
}

/// What a service answered.
package struct ServiceAnswer: Sendable {
    package let status: Int
    package let body: ByteBuffer
    package let retryAfter: String?

    package var isGood: Bool { (200..<300).contains(status) }
}

extension WorkRequest {
    /// Asks, and needs a good answer: any other one is the client's.
    func need(_ call: ServiceCall) async throws -> ByteBuffer {
        let answer = try await ask(call)
        guard answer.isGood else { throw ServiceRefusal(answer) }
        return answer.body
    }
}

/// A service's refusal in the words of all our services, to be passed on as it is.
struct ServiceRefusal: Error {
    let answer: WorkAnswer

    init(_ answer: ServiceAnswer) {
        let wait = answer.retryAfter.map { [(name: "Retry-After", value: $0)] } ?? []
        self.answer = WorkAnswer(
            answer.status,
            body: Array(answer.body.readableBytesView),
            fields: [("Cache-Control", "no-store")] + wait
        )
    }
}
