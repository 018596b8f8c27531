// SPDX-License-Identifier: Apache-2.0
// One request, apart from any server.

public import Domain
public import HTTPTypes

/// One request. Its body is read already, unless it is an upload.
public struct Request: Sendable {
    public var method: HTTPRequest.Method
    public var path: String
    public var query: String
    public var headers: HTTPFields
    public var body: [UInt8]
    /// The body of an endpoint that takes uploads.
    public var upload: UploadBody?
    /// Parts of the path that the route names, percent-decoded.
    public var pathParameters: [String: String]
    /// Verified; nil when nobody is signed in.
    public var principal: Principal?
    public var requestID: String
    public var language: Language

    public init(
        method: HTTPRequest.Method,
        path: String,
        query: String = "",
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        pathParameters: [String: String] = [:],
        principal: Principal? = nil,
        requestID: String = "",
        language: Language = .english
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.pathParameters = pathParameters
        self.principal = principal
        self.requestID = requestID
        self.language = language
    }

    /// The id at `name` in the path; throws notFound for anything that is none.
    public func id<Kind>(_ name: String = "id") throws -> ID<Kind> {
        guard let id = pathParameters[name].flatMap({ ID<Kind>($0) }) else { throw Problem.notFound }
        return id
    }

    /// Whether somebody at a browser asks, who is to be shown a page rather than JSON.
    public var wantsPage: Bool { Request.wantsPage(accept: headers[.accept]) }

    /// Whether an `Accept` (RFC 9110, section 12.5.1) names HTML, as only browsers' does.
    public static func wantsPage(accept: String?) -> Bool {
        (accept ?? "").prefix(1024).split(separator: ",").contains { range in
            let type = MediaType(String(range))
            return type.name == "text/html" && type.parameters["q"].flatMap(Double.init) != 0
        }
    }

    /// The account that asks; throws unauthorized without one.
    public func requireAccount() throws -> Principal.Account {
        guard let account = principal?.account else { throw Problem.unauthorized }
        return account
    }

    /// The account, where an app of the operator's own asks; a 403 for every other one, whatever its scopes.
    public func requireOwnApp() throws -> Principal.Account {
        let account = try requireAccount()
        guard principal?.isOwnApp == true else { throw Problem.forbidden }
        return account
    }

    /// Query and body together, whatever their form: query, urlencoded form, multipart fields, JSON.
    ///
    /// A member of the body replaces the one of the query. A body of another type is no parameters.
    public func parameters() throws -> Parameters {
        var parameters = try FormReader.parameters(query.utf8, place: "query")
        guard !body.isEmpty else { return parameters }
        let type = MediaType(headers[.contentType])
        switch type.name {
        case let name where name == "application/json" || name.hasSuffix("+json"):
            try parameters.replace(with: JSONReader.parameters(body))
        case "application/x-www-form-urlencoded":
            try parameters.replace(with: FormReader.parameters(body, place: "body"))
        case "multipart/form-data":
            try parameters.replace(with: MultipartReader.parameters(body, boundary: type.parameters["boundary"]))
        case "":
            // Clients that name no type send JSON when it looks like JSON, else a form.
            let first = body.first { $0 > 0x20 }
            let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            try parameters.replace(
                with: isJSON ? JSONReader.parameters(body) : FormReader.parameters(body, place: "body")
            )
        default:
            throw Problem.unsupportedMediaType
        }
        return parameters
    }
}

/// A `Content-Type` (RFC 9110, section 8.3).
struct MediaType {
    /// In lower case, without parameters; empty when absent.
    let name: String
    let parameters: [String: String]

    init(_ value: String?) {
        var parts = (value ?? "").prefix(1024).split(separator: ";", omittingEmptySubsequences: false)[...]
        name = (parts.popFirst() ?? "").trimmed.lowercased()
        var parameters: [String: String] = [:]
        for part in parts {
            guard let equals = part.firstIndex(of: "=") else { continue }
            var value = part[part.index(after: equals)...].trimmed
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
            parameters[part[..<equals].trimmed.lowercased()] = String(value)
        }
        self.parameters = parameters
    }
}
