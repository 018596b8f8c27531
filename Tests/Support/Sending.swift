// SPDX-License-Identifier: Apache-2.0
// Requests to a service without a socket.

package import Domain
package import HTTPTypes
internal import Testing
package import Web

extension Responder {
    /// What is answered to a request as the gateway would pass it on.
    ///
    /// - Parameter path: with its query, if it has one.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as principal: Principal?,
        type: String? = nil,
        body: String = "",
        headers: HTTPFields = [:]
    ) async -> Answer {
        await respond(to: Request.passedOn(method, path, as: principal, type: type, body: body, headers: headers))
    }

    /// The answer to a request, which one who has kept nothing must give too: while others write, at one of some tries.
    ///
    /// - Parameter fresh: makes one who has kept nothing.
    package func respond(to request: Request, as fresh: () -> Responder) async -> Answer {
        var answer = await respond(to: request)
        for _ in 0..<20 {
            let other = await fresh().respond(to: request)
            if (other.status, other.headers, other.body) == (answer.status, answer.headers, answer.body) {
                return answer
            }
            answer = await respond(to: request)
        }
        let kept = String(decoding: answer.body, as: UTF8.self)
        Issue.record("what is kept of \(request.path)?\(request.query) is not what is there: \(kept)")
        return answer
    }
}

extension Request {
    /// A request as the gateway would pass it on.
    ///
    /// - Parameter path: with its query, if it has one.
    package static func passedOn(
        _ method: HTTPRequest.Method,
        _ path: String,
        as principal: Principal?,
        type: String? = nil,
        body: String = "",
        headers: HTTPFields = [:]
    ) -> Request {
        let parts = path.split(separator: "?", maxSplits: 1)
        var headers = headers
        if let type { headers[.contentType] = type }
        return Request(
            method: method,
            path: String(parts[0]),
            query: parts.count > 1 ? String(parts[1]) : "",
            headers: headers,
            body: Array(body.utf8),
            principal: principal,
            language: Language(acceptLanguage: headers[.acceptLanguage])
        )
    }
}
