// SPDX-License-Identifier: Apache-2.0
// What is asked of somebody outside, what comes back, and why nothing does.

public struct OutboundRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// What an answer may cost.
    public struct Limits: Sendable {
        /// Of the body, as it is after decompression.
        public var bytes = 1 << 20
        /// From the request until the last byte, redirects included.
        public var time = Duration.seconds(10)
        public var redirects = 3

        public init(bytes: Int = 1 << 20, time: Duration = .seconds(10), redirects: Int = 3) {
            self.bytes = bytes
            self.time = time
            self.redirects = redirects
        }
    }

    public var method: Method
    /// `http` or `https`, without user and password.
    public var url: String
    /// A name or a value with a control character ends the request before it begins.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    public var limits: Limits
    public var `guard`: Guard

    public init(
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

public struct OutboundAnswer: Sendable {
    public let status: Int
    /// After all redirects.
    public let url: String
    /// Of the last answer, names in lower case, in order; bytes that are no UTF-8 are replaced.
    public let headers: [(name: String, value: String)]
    /// Decompressed.
    public let body: [UInt8]
    /// The body was longer than it may be; this is its beginning.
    public let isCut: Bool

    /// The first header of this name, which is given in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no answer.
public enum OutboundFailure: Error, Hashable, Sendable {
    /// No URL, or one of a scheme, with a user or of a host that may not be asked; or a header that cannot be.
    case badRequest
    /// An address that may not be spoken with: for logs, never for those who asked.
    case refused(address: String)
    case tooManyRedirects
    case late
    /// The number of libcurl's error (https://curl.se/libcurl/c/libcurl-errors.html).
    case failed(UInt32)
}
