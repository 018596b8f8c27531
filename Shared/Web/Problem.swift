// SPDX-License-Identifier: Apache-2.0
// Errors with two faces: what a client may read, and the cause that is logged.

public import Domain
public import HTTPTypes
import Views

/// What a client is told of an error (RFC 9457 and `error`, `error_description`), and what only the log is told.
public struct Problem: Error, Sendable {
    public var status: HTTPResponse.Status
    /// The slug, such as `not-found`: the last part of `type`.
    public var code: String
    /// In the reader's language; a language that is missing takes English, none at all the catalogue's text for `code`.
    public var detail: [Language: String]
    /// Field → what is wrong with it (`taken`, `too_long`…), for validation.
    public var fields: [(name: String, code: String)]
    public var headers: HTTPFields
    /// For the log.
    public var cause: String?
    /// Overrides `error` where a protocol fixes it: `invalid_grant` (RFC 6749).
    public var oauthError: String?

    public init(
        _ status: HTTPResponse.Status,
        _ code: String,
        detail: [Language: String] = [:],
        fields: [(name: String, code: String)] = [],
        headers: HTTPFields = [:],
        cause: String? = nil,
        oauthError: String? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.fields = fields
        self.headers = headers
        self.cause = cause
        self.oauthError = oauthError
    }

    /// What was sent cannot be read at `place`, a name of a parameter or a part of the message.
    public static func badRequest(_ place: String) -> Problem {
        let place = String(place.prefix(100))
        return Problem(
            .badRequest,
            "bad-request",
            detail: [
                .english: "The request cannot be read: \(place)",
                .korean: "요청을 읽을 수 없습니다: \(place)",
                .japanese: "リクエストを読み取れません: \(place)",
            ]
        )
    }

    public static var unauthorized: Problem {
        Problem(.unauthorized, "unauthorized", headers: [.wwwAuthenticate: #"Bearer realm="Madang""#])
    }

    public static func forbidden(scope: Scope) -> Problem {
        Problem(
            .forbidden,
            "missing-scope",
            headers: [
                .wwwAuthenticate: #"Bearer realm="Madang", error="insufficient_scope", scope="\#(scope)""#
            ]
        )
    }

    /// A problem with a text of its own, which the catalogue of texts does not have.
    public static func own(
        _ status: HTTPResponse.Status,
        _ code: String,
        english: String,
        korean: String,
        japanese: String,
        headers: HTTPFields = [:]
    ) -> Problem {
        let detail: [Language: String] = [.english: english, .korean: korean, .japanese: japanese]
        return Problem(status, code, detail: detail, headers: headers)
    }

    public static var forbidden: Problem { Problem(.forbidden, "forbidden") }
    public static var notFound: Problem { Problem(.notFound, "not-found") }
    public static var gone: Problem { Problem(.gone, "gone") }
    public static var requestTimeout: Problem { Problem(.requestTimeout, "request-timeout") }
    public static var contentTooLarge: Problem { Problem(.contentTooLarge, "content-too-large") }
    public static var unsupportedMediaType: Problem { Problem(.unsupportedMediaType, "unsupported-media-type") }
    public static func conflict(_ code: String) -> Problem { Problem(.conflict, code) }

    public static func invalid(_ field: String, _ code: String) -> Problem {
        Problem(.unprocessableContent, "invalid", fields: [(field, code)])
    }

    /// - Parameter writesOnly: whether others may still read: then the gateway goes on asking.
    public static func unavailable(cause: String, writesOnly: Bool = false) -> Problem {
        var headers: HTTPFields = [.retryAfter: "2"]
        if writesOnly { headers[.hinders] = "writes" }
        return Problem(.serviceUnavailable, "unavailable", headers: headers, cause: cause)
    }

    public static func tooMany(retryAfter: Duration) -> Problem {
        let seconds = max(1, retryAfter.components.seconds + (retryAfter.components.attoseconds > 0 ? 1 : 0))
        return Problem(.tooManyRequests, "too-many-requests", headers: [.retryAfter: String(seconds)])
    }

    /// What the client reads, in its language.
    public func text(in language: Language) -> String {
        if let own = detail[language] ?? detail[.english] { return own }
        let text = ProblemTexts.text(for: code, status: status.code).detail(in: language)
        guard !fields.isEmpty else { return text }
        let described = fields.map { ProblemTexts.sentence(about: $0.name, code: $0.code, in: language) }
        return "\(text): \(described.joined(separator: ", "))"
    }

    public func answer(language: Language, requestID: String) -> Answer {
        let text = text(in: language)
        var answer = Answer.json(status: status) { json in
            json.member("error", oauthError ?? text)
            if oauthError != nil { json.member("error_description", text) }
            json.member("type", "urn:madang:problems:\(code)")
            json.member("title", ProblemTexts.text(for: code, status: status.code).title(in: language))
            json.member("status", status.code)
            json.member("code", code)
            json.member("request_id", requestID)
            if !fields.isEmpty { writeFields(to: &json, language: language) }
        }
        answer.headers[.contentLanguage] = language.rawValue
        answer.headers[.vary] = "Accept-Language, Accept"
        answer.headers[.cacheControl] = "no-store"
        for field in headers { answer.headers.append(field) }
        return answer
    }

    /// `fields` for everyone, and `details` as registration with the Mastodon API has them.
    private func writeFields(to json: inout JSONWriter, language: Language) {
        json.array("fields") { json in
            for (name, code) in fields {
                json.object { json in
                    json.member("name", name)
                    json.member("code", code)
                    json.member("detail", ProblemTexts.description(of: code, in: language))
                }
            }
        }
        var names: [String] = []
        for (name, _) in fields where !names.contains(name) { names.append(name) }
        json.object("details") { json in
            for name in names {
                json.dynamicName(name)
                json.array { json in
                    for field in fields where field.name == name {
                        json.object { json in
                            json.member("error", ProblemTexts.registrationCode(field.code))
                            json.member("description", ProblemTexts.description(of: field.code, in: language))
                        }
                    }
                }
            }
        }
    }
}

/// An error that knows what a client may read of it.
public protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

extension Optional {
    /// What is there; throws `Problem.notFound` for nothing.
    public func found() throws -> Wrapped {
        guard let self else { throw Problem.notFound }
        return self
    }
}
