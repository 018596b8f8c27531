// SPDX-License-Identifier: Apache-2.0
// Somebody else's surface, spoken to apps that know nothing of ours. All that the gateway knows of one stands here.

package import Domain
package import NIOCore
package import NIOHTTP1
package import Surface
import Views

/// A lodger of the gateway: paths of its own, answered by asking our services, in words of its own.
package protocol Dialect: Sendable {
    var routes: [DialectRoute] { get }

    /// Of its users who do not say which they want.
    var language: Language { get }

    /// Whether a path is one of its kind, so that what goes wrong there is said in its words even where it has no route.
    /// Of several dialects that own a path the first speaks.
    func owns(_ path: String) -> Bool

    /// The token of a request that needs an account; nil without one.
    ///
    /// - Parameter parameter: reads the query.
    func token(_ headers: HTTPHeaders, parameter: (String) -> String?) -> String?

    /// How it says what went wrong.
    ///
    /// - Parameter error: a `Problem` of the gateway's, or whatever a route of its own threw.
    /// - Parameter headers: of the request.
    func answer(to error: any Error, headers: HTTPHeaders) -> WorkAnswer

    /// The channel of whose new messages a Socket.IO namespace of its own tells; nil for any other namespace.
    func channel(ofNamespace name: String) -> ChannelID?

    /// What such a namespace is told of a new message; nil when nothing.
    ///
    /// - Parameter message: ours, as JSON.
    func event(ofMessage message: ByteBuffer) -> DialectEvent?
}

extension Dialect {
    package var language: Language { .english }

    /// The language in which a request is answered.
    package func language(of headers: HTTPHeaders) -> Language {
        Language(acceptLanguage: headers.first(name: "accept-language"), otherwise: language)
    }

    package func token(_ headers: HTTPHeaders, parameter: (String) -> String?) -> String? { Token.bearer(headers) }
    package func channel(ofNamespace name: String) -> ChannelID? { nil }
    package func event(ofMessage message: ByteBuffer) -> DialectEvent? { nil }
}

/// An event of a Socket.IO namespace.
package struct DialectEvent: Sendable {
    package let name: String
    /// JSON.
    package let payload: [UInt8]

    package init(_ name: String, payload: [UInt8]) {
        self.name = name
        self.payload = payload
    }
}

/// One path of a dialect.
package struct DialectRoute: Sendable {
    package typealias Work = @Sendable (WorkRequest) async throws -> WorkAnswer

    enum Destination: Sendable {
        case work(Work, needsAccount: Bool)
        case own(GatewayEndpoint)
    }

    let method: HTTPMethod
    let path: String
    let rate: RateClass
    let destination: Destination
    /// Fields of its form that may be files: the work gets the ids of uploads in their places.
    private(set) var files: [FileField] = []
    /// Whether a refresh token that stays will do in place of an access token.
    private(set) var takesRefreshTokens = false

    /// - Parameters:
    ///   - path: with `:name` for a part that varies.
    ///   - needsAccount: otherwise a token that is sent along is not looked at.
    ///   - files: fields of its form that may be files.
    ///   - takesRefreshTokens: whether a refresh token that stays will do, too.
    ///   - work: runs on the event loop of the request's connection, so it must never block.
    package init(
        _ method: HTTPMethod,
        _ path: String,
        _ rate: RateClass,
        needsAccount: Bool = true,
        files: [FileField] = [],
        takesRefreshTokens: Bool = false,
        _ work: @escaping Work
    ) {
        self.method = method
        self.path = path
        self.rate = rate
        self.files = files
        self.takesRefreshTokens = takesRefreshTokens
        destination = .work(work, needsAccount: needsAccount)
    }

    /// Where an answer of the gateway's own is found, too.
    package init(_ method: HTTPMethod, _ path: String, own endpoint: GatewayEndpoint) {
        self.method = method
        self.path = path
        rate = endpoint.endpoint.rate
        destination = .own(endpoint)
    }
}
