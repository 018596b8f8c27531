// SPDX-License-Identifier: Apache-2.0
// What the gateway answers by asking several services: the request, the answer, and who may ask.

package import Domain
package import NIOHTTP1
import Surface
import Web

/// A line of the public surface that straight-line code answers.
struct WorkLine: Sendable {
    typealias Run = @Sendable (WorkRequest) async throws -> WorkAnswer

    enum Asker: Sendable {
        /// Whoever may ask our own endpoint.
        case own(Access)
        /// Who uses a dialect's app, with or without a token; the services decide on the rest.
        case lodger(any Dialect, needsAccount: Bool)
    }

    let path: String
    let asker: Asker
    /// Whether a refresh token will do, too.
    var takesRefreshTokens = false
    let run: Run

    /// In whose words it is answered, if not in ours.
    var dialect: (any Dialect)? {
        if case .lodger(let dialect, _) = asker { dialect } else { nil }
    }

    /// What is looked at as a token; nil where none is.
    func token(_ headers: HTTPHeaders, _ target: RequestTarget) -> String? {
        switch asker {
        case .own: Token.bearer(headers)
        case .lodger(let dialect, needsAccount: true): dialect.token(headers) { target.parameter($0) } ?? ""
        case .lodger(_, needsAccount: false): nil
        }
    }

    /// Throws what somebody is told who may not ask.
    func require(_ principal: KnownPrincipal?) throws {
        guard case .own(let access) = asker else { return }
        try access.require(principal?.scopes, hasAccount: principal?.accountID != nil)
    }

    /// The language of the answer.
    func language(of headers: HTTPHeaders) -> Language {
        dialect?.language(of: headers) ?? Language(acceptLanguage: headers.first(name: "accept-language"))
    }
}

/// A request, entirely read, limited, and let in.
package struct WorkRequest: Sendable {
    /// The parts of the path that vary, in their order, decoded.
    package let names: [String]
    package let headers: HTTPHeaders
    package let body: [UInt8]
    let target: RequestTarget
    let principal: KnownPrincipal?
    let site: Site
    /// What goes with it is said in this language.
    package let language: Language
    let askService: @Sendable (ServiceCall) async throws -> ServiceAnswer

    package var path: String { target.path }
    package var accountID: AccountID? { principal?.accountID }
    package var sessionID: SessionID? { principal?.sessionID }

    /// The value of a parameter of the query, decoded; the last of several.
    package func parameter(_ name: String) -> String? { target.parameter(name) }

    /// Asks a service, whatever it answers.
    ///
    /// - Throws: a `Problem` when the service gives no answer, `CancellationError` when the client has left.
    package func ask(_ call: ServiceCall) async throws -> ServiceAnswer { try await askService(call) }
}

/// What the client is told.
package struct WorkAnswer: Sendable {
    package var status: Int
    package var type: String
    package var body: [UInt8]
    package var fields: [(name: String, value: String)]
    /// The path of a stored file, which media sends instead of `body`, in parts and validated as the client asks.
    var file: String?

    /// - Parameter file: the path of a link to a stored file.
    package init(file: String) {
        self.init(body: [])
        self.file = file
    }

    package init(
        _ status: Int = 200,
        type: String = "application/json; charset=utf-8",
        body: [UInt8],
        fields: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.type = type
        self.body = body
        self.fields = fields
    }

    /// An answer to what is refused.
    ///
    /// - Parameters:
    ///   - retryAfter: seconds; left out where it is no number.
    ///   - allowed: the methods that there are.
    package init(failure status: Int, body: [UInt8], retryAfter: String?, allowed: String?) {
        self.init(status, body: body, fields: [("Cache-Control", "no-store")])
        if let retryAfter, Int(retryAfter) != nil { fields.append(("Retry-After", retryAfter)) }
        if let allowed { fields.append(("Allow", allowed)) }
    }
}
