// SPDX-License-Identifier: Apache-2.0
// What everybody must know of an endpoint before it is called.

public import Domain
public import HTTPTypes

/// Who may call an endpoint.
public enum Access: Sendable, Hashable {
    /// Anyone; a principal is given if there is one.
    case anyone
    /// Any token, of an app alone too.
    case app(Scope?)
    /// A token of an account with this scope.
    case account(Scope?)
    /// The same of an account that holds a role: a moderator's or an administrator's.
    case moderator(Scope?)
    /// Another process of ours, by the shared secret; for everyone else the endpoint does not exist.
    case `internal`
}

/// Which budgets a request is taken from.
public enum RateClass: String, Sendable {
    /// None: probes and files that cost nothing.
    case free
    case read, write
    /// Reading as apps do that ask every second instead of holding a stream.
    case poll
    /// Also from the budget of deletions.
    case delete
    /// Also from the budget of sign-ups.
    case signUp
    /// Sign-in and tokens: always from the address's budget.
    case signIn
    /// From the address's budget of connections alone.
    case connection
}

/// What a request's body is.
public enum BodyKind: Sendable, Hashable {
    /// Read whole before the command runs.
    case small
    /// A file, which the command reads while it comes.
    case upload
    /// Small, but for files, which media takes: the command gets the ids of uploads in their place.
    case form([FileField])
}

/// One line of what Madang answers. The service binds a command to it, the gateway routes by it, tests walk it, and
/// `deploy/docs/openapi.json` is made from it.
public struct Endpoint: Sendable, Hashable {
    public let method: HTTPRequest.Method
    /// With `:name` for a part that varies, or `@:name` for one that begins so.
    public let path: String
    public let access: Access
    public let rate: RateClass
    /// Pages for people carry no CORS headers.
    public let isPage: Bool
    /// Whether the service keeps the `Idempotency-Key`, so that the gateway may repeat the request.
    public let isKeyed: Bool
    /// Whether it may cost a service much: an account has only so many of them at a time.
    public let isCostly: Bool
    public let body: BodyKind
    /// The type of the JSON answer, as `Tests/Fixtures/shapes.json` names it: `Status`, `[Status]`. Nil where none is
    /// written down.
    public let answer: String?

    public init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: Access,
        rate: RateClass? = nil,
        isPage: Bool = false,
        isKeyed: Bool = false,
        isCostly: Bool = false,
        body: BodyKind = .small,
        answer: String? = nil
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.rate = rate ?? (method == .get ? .read : .write)
        self.isPage = isPage
        self.isKeyed = isKeyed
        self.isCostly = isCostly
        self.body = body
        self.answer = answer
    }

    /// Whether only processes of ours reach it: the gateway has no such route.
    public var isInternal: Bool { path.hasPrefix("/internal/") }

    /// The path with its varying parts filled in, in their order; parts must need no escaping.
    public func path(_ parts: [String]) -> String {
        var rest = parts[...]
        return path.split(separator: "/").reduce(into: "") { filled, part in
            filled += "/"
            guard let colon = part.firstIndex(of: ":") else { return filled += part }
            filled += part[..<colon] + (rest.popFirst() ?? String(part[colon...]))
        }
    }

    public static func get(
        _ path: String,
        _ access: Access,
        rate: RateClass = .read,
        isPage: Bool = false,
        isCostly: Bool = false,
        answer: String? = nil
    ) -> Endpoint {
        Endpoint(.get, path, access, rate: rate, isPage: isPage, isCostly: isCostly, answer: answer)
    }

    public static func post(
        _ path: String,
        _ access: Access,
        rate: RateClass = .write,
        isPage: Bool = false,
        isKeyed: Bool = false,
        body: BodyKind = .small,
        answer: String? = nil
    ) -> Endpoint {
        Endpoint(.post, path, access, rate: rate, isPage: isPage, isKeyed: isKeyed, body: body, answer: answer)
    }

    public static func put(_ path: String, _ access: Access, answer: String? = nil) -> Endpoint {
        Endpoint(.put, path, access, answer: answer)
    }

    /// The fields that may be files.
    public var fileFields: [FileField] { if case .form(let fields) = body { fields } else { [] } }

    public static func patch(
        _ path: String,
        _ access: Access,
        body: BodyKind = .small,
        answer: String? = nil
    ) -> Endpoint {
        Endpoint(.patch, path, access, body: body, answer: answer)
    }

    public static func delete(
        _ path: String,
        _ access: Access,
        rate: RateClass = .write,
        answer: String? = nil
    ) -> Endpoint {
        Endpoint(.delete, path, access, rate: rate, answer: answer)
    }
}

/// The endpoints about one thing. A service that forgets one of them in its `switch` does not compile.
public protocol EndpointGroup: CaseIterable, RawRepresentable<String>, Sendable {
    /// Who answers; nil is the gateway itself.
    static var service: ServiceName? { get }
    var endpoint: Endpoint { get }
}

extension EndpointGroup {
    /// The endpoint's path with its varying parts filled in.
    public func path(_ parts: String...) -> String { endpoint.path(parts) }
    public var path: String { endpoint.path }
}
