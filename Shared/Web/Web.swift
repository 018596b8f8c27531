// SPDX-License-Identifier: Apache-2.0
// Requests, answers and routes, apart from any server.

package import Domain
package import HTTPTypes
package import Logging
package import ServiceKit
package import ServiceLifecycle
package import Views

/// One request, with its body already read.
package struct Request: Sendable {
    package var method: HTTPRequest.Method
    package var path: String
    package var query: String
    package var headers: HTTPFields
    package var body: [UInt8]
    /// Parts of the path that the route names, percent-decoded.
    package var pathParameters: [String: String]
    /// Verified; nil when nobody is signed in.
    package var principal: Principal?
    package var requestID: String
    package var language: Language

    package init(method: HTTPRequest.Method, path: String, query: String = "", headers: HTTPFields = [:], body: [UInt8] = [], pathParameters: [String: String] = [:], principal: Principal? = nil, requestID: String = "", language: Language = .english) { fatalError("stub") }

    /// The id at `name` in the path; throws notFound for anything that is none.
    package func id<Kind>(_ name: String = "id") throws -> ID<Kind> { fatalError("stub") }
    /// The account that asks; throws unauthorized without one.
    package func requireAccount() throws -> Principal.Account { fatalError("stub") }
    /// Query and body together, whatever their form: query, urlencoded form, multipart fields, JSON.
    package func parameters() throws -> Parameters { fatalError("stub") }
}

/// The named values of a request. Later values of a name win; `name[]` collects; the body wins over the query.
package struct Parameters: Sendable {
    /// Nil when absent; throws a problem when it is not text (or a number or truth value standing for text).
    package func string(_ name: String) throws -> String? { fatalError("stub") }
    /// `name[]=a&name[]=b`, `name=a`, or a JSON array.
    package func strings(_ name: String) throws -> [String]? { fatalError("stub") }
    /// `1`, `true`, `on`, `t`; `0`, `false`, `off`, `f`, empty; JSON true and false.
    package func boolean(_ name: String) throws -> Bool? { fatalError("stub") }
    package func integer(_ name: String) throws -> Int64? { fatalError("stub") }
    package func id<Kind>(_ name: String) throws -> ID<Kind>? { fatalError("stub") }
    package func ids<Kind>(_ name: String) throws -> [ID<Kind>]? { fatalError("stub") }
    /// `name[key]=…`, `name[0][key]=…`, or JSON objects: the members below `name`, in the order of their keys.
    package func nested(_ name: String) throws -> Parameters? { fatalError("stub") }
    package func list(_ name: String) throws -> [Parameters]? { fatalError("stub") }
    package func contains(_ name: String) -> Bool { fatalError("stub") }
    /// `limit`, `max_id`, `since_id`, `min_id`: a limit above `maximum` is clamped, a bad cursor is a 400.
    package func page(default: Int, maximum: Int) throws -> Page { fatalError("stub") }
}

/// One answer.
package struct Answer: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]

    package init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: [UInt8] = []) { fatalError("stub") }

    package static func json(_ view: some View, status: HTTPResponse.Status = .ok) -> Answer { fatalError("stub") }
    package static func json(array views: [some View], status: HTTPResponse.Status = .ok) -> Answer { fatalError("stub") }
    /// JSON that is bytes already.
    package static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Answer { fatalError("stub") }
    /// `{}`.
    package static var empty: Answer { fatalError("stub") }
    package static func html(_ page: String, status: HTTPResponse.Status = .ok) -> Answer { fatalError("stub") }
    package static func redirect(to location: String, status: HTTPResponse.Status = .seeOther) -> Answer { fatalError("stub") }

    /// Adds the `Link` header with `rel="next"` (`max_id`) and `rel="prev"` (`min_id`), keeping the request's other query
    /// parameters; no link where the page is empty.
    package func linked(_ request: Request, site: Site, newest: Int64?, oldest: Int64?) -> Answer { fatalError("stub") }
}

/// Who may call a route.
package enum Access: Sendable, Hashable {
    /// Anyone; a principal is given if there is one.
    case anyone
    /// Any token, of an app alone too.
    case app(Scope?)
    /// A token of an account with this scope.
    case account(Scope?)
}

/// One line of a service's table of contents.
package struct Route<Dependencies: Sendable>: Sendable {
    package typealias Run = @Sendable (Request, Dependencies) async throws -> Answer
    package let method: HTTPRequest.Method
    /// With `:name` for a part that varies.
    package let path: String
    package let access: Access
    package let run: Run

    package static func get(_ path: String, _ access: Access, _ run: @escaping Run) -> Route { fatalError("stub") }
    package static func post(_ path: String, _ access: Access, _ run: @escaping Run) -> Route { fatalError("stub") }
    package static func put(_ path: String, _ access: Access, _ run: @escaping Run) -> Route { fatalError("stub") }
    package static func patch(_ path: String, _ access: Access, _ run: @escaping Run) -> Route { fatalError("stub") }
    package static func delete(_ path: String, _ access: Access, _ run: @escaping Run) -> Route { fatalError("stub") }
}

/// Answers requests by a list of routes: the part of the server that has no socket.
package struct Responder<Dependencies: Sendable>: Sendable {
    /// - Parameter verifier: nil in tests that set `Request.principal` themselves.
    package init(routes: [Route<Dependencies>], dependencies: Dependencies, logger: Logger) { fatalError("stub") }

    /// Checks access, runs the route and turns every error into a problem; never throws.
    package func respond(to request: Request) async -> Answer { fatalError("stub") }
}

/// What a client is told of an error (RFC 9457 and `error`, `error_description`), and what only the log is told.
package struct Problem: Error, Sendable {
    package var status: HTTPResponse.Status
    /// The slug, such as `not-found`: the last part of `type`.
    package var code: String
    /// In the reader's language; nil takes the catalogue's text for `code`.
    package var detail: [Language: String]
    /// Field → what is wrong with it (`taken`, `too_long`…), for validation.
    package var fields: [(name: String, code: String)]
    package var headers: HTTPFields
    /// For the log.
    package var cause: String?
    /// Overrides `error` where a protocol fixes it: `invalid_grant` (RFC 6749).
    package var oauthError: String?

    package init(_ status: HTTPResponse.Status, _ code: String, detail: [Language: String] = [:], fields: [(name: String, code: String)] = [], headers: HTTPFields = [:], cause: String? = nil, oauthError: String? = nil) { fatalError("stub") }

    package static func badRequest(_ place: String) -> Problem { fatalError("stub") }
    package static var unauthorized: Problem { fatalError("stub") }
    package static func forbidden(scope: Scope) -> Problem { fatalError("stub") }
    package static var forbidden: Problem { fatalError("stub") }
    package static var notFound: Problem { fatalError("stub") }
    package static func conflict(_ code: String) -> Problem { fatalError("stub") }
    package static func invalid(_ field: String, _ code: String) -> Problem { fatalError("stub") }
    package static func unavailable(cause: String) -> Problem { fatalError("stub") }
    package static func tooMany(retryAfter: Duration) -> Problem { fatalError("stub") }

    package func answer(language: Language, requestID: String) -> Answer { fatalError("stub") }
}

/// An error that knows what a client may read of it.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

/// Signs principals (auth) with Ed25519.
package struct PrincipalSigner: Sendable {
    /// - Parameter privateKey: 32 bytes in Base64; nil when it is none.
    package init?(privateKey: String) { fatalError("stub") }
    /// The value of the header `X-Madang-Principal`.
    package func sign(_ principal: Principal) throws -> String { fatalError("stub") }
    package var publicKey: String { fatalError("stub") }
}

/// Verifies what `PrincipalSigner` signed, and remembers what it verified until it expires.
package final class PrincipalVerifier: Sendable {
    package static let header = HTTPField.Name("X-Madang-Principal")!
    package init?(publicKey: String, now: @escaping @Sendable () -> Timestamp = Timestamp.now) { fatalError("stub") }
    /// Nil when it is forged, broken or expired.
    package func principal(_ value: String) -> Principal? { fatalError("stub") }
}

/// The HTTP server of a service: routes, `/health/live`, `/health/ready`, `/metrics`, access log, limits, trace context.
package struct WebServer<Dependencies: Sendable>: Service {
    package init(
        host: String,
        port: Int,
        responder: Responder<Dependencies>,
        verifier: PrincipalVerifier,
        bodyLimit: Int = 1 << 20,
        ready: @escaping @Sendable () async -> [String: Bool],
        metrics: Metrics,
        logger: Logger
    ) { fatalError("stub") }

    package func run() async throws { fatalError("stub") }
}
