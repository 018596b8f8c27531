// SPDX-License-Identifier: Apache-2.0
// Requests to a service without a socket.

package import Domain
package import HTTPTypes
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
        let parts = path.split(separator: "?", maxSplits: 1)
        var headers = headers
        if let type { headers[.contentType] = type }
        return await respond(
            to: Request(
                method: method,
                path: String(parts[0]),
                query: parts.count > 1 ? String(parts[1]) : "",
                headers: headers,
                body: Array(body.utf8),
                principal: principal,
                language: Language(acceptLanguage: headers[.acceptLanguage])
            )
        )
    }
}
