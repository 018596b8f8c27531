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
        self.service = service
        self.method = method
        self.path = path
        self.identity = identity
        body = []
        isKeyed = false
    }

    /// Asks for the gateway itself, on a route under `/internal`.
    package init(_ service: ServiceName, _ call: some EndpointGroup, _ body: some CallBody) {
        self.service = service
        method = HTTPMethod(rawValue: call.endpoint.method.rawValue)
        path = call.path
        identity = .gateway
        self.body = body.json()
        isKeyed = false
    }

    /// Asks for the caller what changes nothing, on a route under `/internal`.
    package init(_ service: ServiceName, askedByCaller call: some EndpointGroup, _ body: some CallBody) {
        self.service = service
        method = HTTPMethod(rawValue: call.endpoint.method.rawValue)
        path = call.path
        identity = .caller
        self.body = body.json()
        isKeyed = true
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
        var json = JSONWriter()
        json.object(members)
        self.service = service
        self.method = method
        self.path = path
        self.identity = identity
        body = json.bytes
        self.isKeyed = isKeyed
    }
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
