// SPDX-License-Identifier: Apache-2.0
// What is asked of somebody outside, what comes back, and why nothing does.

package struct OutboundRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What an answer may cost.
    package struct Limits: Sendable {
        /// Of the body, as it is after decompression.
        package var bytes = 1 << 20
        /// From the request until the last byte, redirects included.
        package var time = Duration.seconds(10)
        package var redirects = 3

        package init(bytes: Int = 1 << 20, time: Duration = .seconds(10), redirects: Int = 3) {
            self.bytes = bytes
            self.time = time
            self.redirects = redirects
        }
    }

    package var method: Method
    /// `http` or `https`, without user and password.
    package var url: String
    /// A name or a value with a control character ends the request before it begins.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    package var limits: Limits
    package var `guard`: Guard

    package init(
        _ method: Method = .get,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        limits: Limits = Limits(),
        guard: Guard = .anybody()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
        self.guard = `guard`
    }
}

package struct OutboundAnswer: Sendable {
    package let status: Int
    /// After all redirects.
    package let url: String
    /// Of the last answer, names in lower case, in order; bytes that are no UTF-8 are replaced.
    package let headers: [(name: String, value: String)]
    /// Decompressed.
    package let body: [UInt8]
    /// The body was longer than it may be; this is its beginning.
    package let isCut: Bool

    /// The first header of this name, which is given in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no answer.
package enum OutboundFailure: Error, Hashable, Sendable {
    /// No URL, or one of a scheme, with a user or of a host that may not be asked; or a header that cannot be.
    case badRequest
    /// An address that may not be spoken with: for logs, never for those who asked.
    case refused(address: String)
    case tooManyRedirects
    case late
    /// The number of libcurl's error (https://curl.se/libcurl/c/libcurl-errors.html).
    case failed(UInt32)
}
