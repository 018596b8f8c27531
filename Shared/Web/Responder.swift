// SPDX-License-Identifier: Apache-2.0
// From a request to an answer, without a socket.

import Domain
import HTTPTypes
public import Logging
import ServiceKit
import Surface

/// Answers requests by a list of routes: the part of the server that has no socket.
public struct Responder<Dependencies: Sendable>: Sendable {
    /// What a service says of errors that this module cannot know, such as those of its database; nil for the rest.
    public typealias ErrorProblem = @Sendable (any Error) -> Problem?
    /// A problem as a page; nil where JSON will do.
    public typealias ProblemPage = @Sendable (Problem, Request, Dependencies) -> Answer?

    /// All routes of one path, which may name its parts differently for each method.
    struct Place: Sendable {
        let pattern: String
        var routes: [HTTPRequest.Method: Route<Dependencies>] = [:]

        var allowed: String {
            var names = Set(routes.keys.map(\.rawValue))
            if names.contains("GET") { names.insert("HEAD") }
            names.insert("OPTIONS")
            return names.sorted().joined(separator: ", ")
        }
    }

    private let table: PathTable<Place>
    /// Methods of endpoints that take uploads: most services have none.
    private let uploading: Set<HTTPRequest.Method>
    private let dependencies: Dependencies
    private let internalSecrets: [[UInt8]]
    private let deadline: Duration
    private let errorProblem: ErrorProblem
    private let problemPage: ProblemPage
    private let logger: Logger

    /// - Parameters:
    ///   - internalSecret: what `X-Madang-Internal` must be for `.internal` routes, one a line; without it they do not
    ///     exist.
    ///   - deadline: how long a route may take before the client is told to come again.
    public init(
        routes: [Route<Dependencies>],
        dependencies: Dependencies,
        internalSecret: String? = nil,
        deadline: Duration = .seconds(10),
        errorProblem: @escaping ErrorProblem = { _ in nil },
        problemPage: @escaping ProblemPage = { _, _, _ in nil },
        logger: Logger
    ) {
        var table = PathTable<Place>()
        for route in routes {
            var place = table[route.path] ?? Place(pattern: route.path)
            place.routes[route.method] = route
            table[route.path] = place
        }
        self.table = table
        uploading = Set(routes.filter { $0.endpoint.body == .upload }.map(\.method))
        self.dependencies = dependencies
        internalSecrets = (internalSecret ?? "").split(whereSeparator: \.isNewline).map { Array($0.utf8) }
        self.deadline = deadline
        self.errorProblem = errorProblem
        self.problemPage = problemPage
        self.logger = logger
    }

    /// Whether the request's body is read by the command rather than before it.
    func takesUpload(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        uploading.contains(method) && table.match(path)?.value.routes[method]?.endpoint.body == .upload
    }

    /// Checks access, runs the route and turns every error into a problem; never throws.
    public func respond(to request: Request) async -> Answer { await answer(request).answer }

    /// The answer, and the pattern of the route for logs and metrics.
    func answer(_ request: Request) async -> (answer: Answer, route: String) {
        var route = "none"
        var isPage = false
        do {
            guard let match = table.match(request.path) else { throw Problem.notFound }
            route = match.value.pattern
            isPage = match.value.routes.values.contains { $0.endpoint.isPage }
            return (try await run(request, match.value, match.parameters), route)
        } catch {
            let problem = problem(for: error)
            if isPage, request.wantsPage,
                let page = problemPage(problem, request, dependencies)
            {
                problem.log(of: request, to: logger)
                return (page, route)
            }
            return (problemAnswer(problem, to: request), route)
        }
    }

    private func run(_ request: Request, _ place: Place, _ parameters: [String: String]) async throws -> Answer {
        let method = request.method == .head ? .get : request.method
        guard let route = place.routes[method] else {
            let allow: HTTPFields = [.allow: place.allowed]
            if request.method == .options { return Answer(status: .noContent, headers: allow) }
            throw Problem(.methodNotAllowed, "method-not-allowed", headers: allow)
        }
        try check(route.access, request)
        var request = request
        // The names of the parts are those of the route, not of the first one at this path.
        request.pathParameters =
            route.path == place.pattern ? parameters : Responder.renamed(parameters, place.pattern, route.path)
        let (asked, dependencies) = (request, dependencies)
        // An upload takes as long as its sender needs, at the pace that is asked of it.
        if route.endpoint.body == .upload { return try await route.run(asked, dependencies) }
        return try await withDeadline(deadline) { try await route.run(asked, dependencies) }
    }

    private func check(_ access: Access, _ request: Request) throws {
        guard access == .internal else {
            let principal = request.principal
            let account = principal?.account
            try access.require(principal?.scopes, hasAccount: account != nil, role: account?.role ?? .user)
            return try access.requireNotFrozen(account?.isFrozen ?? false)
        }
        let given = Array((request.headers[.internalSecret] ?? "").utf8)
        guard internalSecrets.map({ isEqual(given, $0) }).contains(true) else { throw Problem.notFound }
    }

    private func problem(for error: any Error) -> Problem {
        if error is DeadlineExceeded { return .unavailable(cause: "the route took longer than \(deadline)") }
        return Problem(for: error, known: errorProblem)
    }

    /// The body of a problem as this client wants it; the cause goes to the log.
    func problemAnswer(_ problem: Problem, to request: Request) -> Answer {
        problem.log(of: request, to: logger)
        var answer = problem.answer(language: request.language, requestID: request.requestID)
        if request.headers[.accept]?.contains("application/problem+json") == true {
            answer.headers[.contentType] = "application/problem+json; charset=utf-8"
        }
        return answer
    }

    private static func renamed(_ parameters: [String: String], _ pattern: String, _ path: String) -> [String: String] {
        var renamed: [String: String] = [:]
        for (old, new) in zip(pattern.split(separator: "/"), path.split(separator: "/")) where new.hasPrefix(":") {
            renamed[String(new.dropFirst())] = parameters[String(old.dropFirst())]
        }
        return renamed
    }
}

extension Problem {
    /// What whoever asked is told of an error.
    ///
    /// - Parameter known: what a service says of errors that this module cannot know; nil for the rest.
    public init(for error: any Error, known: (any Error) -> Problem?) {
        switch error {
        case let problem as Problem: self = problem
        case let error as any ProblemConvertible: self = error.problem
        default:
            let away = error is CancellationError ? Problem.unavailable(cause: "cancelled") : nil
            self =
                known(error) ?? away ?? Problem(.internalServerError, "internal", cause: String(reflecting: error))
        }
    }

    /// Writes its cause to the log, where it has one.
    public func log(of request: Request, to logger: Logger) {
        guard let cause else { return }
        // Something else is away or has too much to do: no fault of this program.
        let level: Logger.Level = status == .serviceUnavailable ? .warning : status.code >= 500 ? .error : .info
        logger.log(
            level: level,
            "Problem",
            metadata: [
                "code": "\(code)", "cause": "\(cause)", "request_id": "\(request.requestID)",
                "path": "\(request.path.prefix(200))",
            ]
        )
    }
}

/// Compares without telling by its time how much is equal.
func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
