// SPDX-License-Identifier: Apache-2.0
// Routes, access and problems, without a socket.

import Domain
import HTTPTypes
import Logging
import Surface
import Testing
import Views

@testable import Web

private struct Broken: Error {}
private struct Rejection: ProblemConvertible {
    var problem: Problem { .invalid("username", "taken") }
}

@Suite struct ResponderTests {
    typealias R = Route<Int>
    static let routes: [R] = [
        R(.get("/api/v1/accounts/verify_credentials", .account("read:accounts"))) { request, _ in
            .text(try request.requireAccount().username.text)
        },
        R(.get("/api/v1/accounts/:id", .anyone)) { request, _ in .text("\(try request.id() as AccountID)") },
        R(.get("/api/v1/accounts/:id/statuses", .anyone)) { request, _ in .text("statuses \(request.pathParameters)") },
        R(.post("/api/v1/accounts/:account_id", .app("write:accounts"))) { request, _ in
            .text(request.pathParameters["account_id"] ?? "none")
        },
        R(.get("/api/v1/timelines/tag/:hashtag", .anyone)) { request, _ in
            .text(request.pathParameters["hashtag"] ?? "")
        },
        R(.get("/broken", .anyone)) { _, _ in throw Broken() },
        R(.get("/rejected", .anyone)) { _, _ in throw Rejection() },
        R(.get("/cancelled", .anyone)) { _, _ in throw CancellationError() },
        R(.get("/slow", .anyone)) { _, _ in
            let never = AsyncStream<Void> { _ in }
            for await _ in never {}
            try Task.checkCancellation()
            return .empty
        },
        R(.post("/internal/principal", .internal)) { _, number in .text("\(number)") },
    ]

    static let responder = responder(deadline: .seconds(600))

    static func responder(deadline: Duration) -> Responder<Int> {
        Responder(
            routes: routes,
            dependencies: 42,
            internalSecret: "s3cret",
            deadline: deadline,
            errorProblem: { _ in nil },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        scopes: String? = nil,
        account: Bool = true,
        headers: HTTPFields = [:],
        language: Language = .english,
        of responder: Responder<Int> = responder
    ) async throws -> (status: Int, body: String, headers: HTTPFields) {
        let principal = try scopes.map { try testPrincipal(scopes: $0, account: account) }
        let request = Request(
            method: method,
            path: path,
            headers: headers,
            principal: principal,
            requestID: "request-1",
            language: language
        )
        let answer = await responder.respond(to: request)
        return (answer.status.code, String(decoding: answer.body, as: UTF8.self), answer.headers)
    }

    @Test func fixedPartsWinOverVaryingOnes() async throws {
        #expect(try await ask(.get, "/api/v1/accounts/verify_credentials", scopes: "read").body == "minji")
        #expect(try await ask(.get, "/api/v1/accounts/12").body == "12")
        #expect(try await ask(.get, "/api/v1/accounts/12/").body == "12")
        #expect(try await ask(.get, "/api/v1/accounts/verify_credentials/statuses").status == 200)
        #expect(try await ask(.post, "/api/v1/accounts/7", scopes: "write").body == "7")
        #expect(try await ask(.get, "/api/v1/timelines/tag/%EB%A7%88%EB%8B%B9").body == "마당")
    }

    @Test(arguments: [
        "", "/", "*", "//", "/api", "/api/v1//accounts/12", "//internal/principal", "/api/v1/accounts/x",
        "/api/v1/accounts/12/../13",
        "/api/v1/timelines/tag/%ff", "/api/v1/timelines/tag/%00", "/api/v1/timelines/tag/%",
        "http://a/api/v1/accounts/12",
        "/" + String(repeating: "a/", count: 100_000),
    ])
    func whatIsNotThereIsNotFound(_ path: String) async throws {
        let answer = try await ask(.get, path)
        #expect(answer.status == 404)
        #expect(answer.body.hasPrefix(#"{"error":"Record not found""#))
    }

    @Test func methodsAreHeldApart() async throws {
        let wrong = try await ask(.delete, "/api/v1/accounts/12")
        #expect(wrong.status == 405)
        #expect(wrong.headers[.allow] == "GET, HEAD, OPTIONS, POST")
        let options = try await ask(.options, "/api/v1/accounts/12")
        #expect(options.status == 204)
        #expect(options.headers[.allow] == "GET, HEAD, OPTIONS, POST")
        #expect(try await ask(.head, "/api/v1/accounts/12").status == 200)
        #expect(try await ask(.trace, "/api/v1/accounts/12").status == 405)
    }

    @Test func accessIsChecked() async throws {
        let own = "/api/v1/accounts/verify_credentials"
        let nobody = try await ask(.get, own)
        #expect(nobody.status == 401)
        #expect(nobody.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        let scope = try await ask(.get, own, scopes: "write")
        #expect(scope.status == 403)
        #expect(scope.body.contains("This action is outside the authorized scopes"))
        #expect(scope.headers[.wwwAuthenticate]?.contains(#"scope="read:accounts""#) == true)
        let app = try await ask(.get, own, scopes: "read", account: false)
        #expect(app.status == 422)
        #expect(app.body.contains("This method requires an authenticated user"))
        #expect(try await ask(.post, "/api/v1/accounts/7").status == 401)
        #expect(try await ask(.post, "/api/v1/accounts/7", scopes: "read").status == 403)
        #expect(try await ask(.post, "/api/v1/accounts/7", scopes: "write", account: false).status == 200)
    }

    @Test func internalRoutesNeedTheSecret() async throws {
        let path = "/internal/principal"
        #expect(try await ask(.post, path).status == 404)
        #expect(try await ask(.post, path, headers: [.internalSecret: "wrong!"]).status == 404)
        #expect(try await ask(.post, path, headers: [.internalSecret: "s3cret"]).body == "42")
        let closed = Responder(
            routes: Self.routes,
            dependencies: 1,
            deadline: .seconds(60),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let request = Request(method: .post, path: path, headers: [.internalSecret: ""])
        #expect(await closed.respond(to: request).status == .notFound)
    }

    @Test func internalRoutesTakeTheSecretBeforeTooWhileItIsChanged() async {
        let both = Responder(
            routes: Self.routes,
            dependencies: 42,
            internalSecret: "own\nbefore",
            deadline: .seconds(60),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        func status(_ secret: String) async -> Int {
            await both.respond(
                to: Request(method: .post, path: "/internal/principal", headers: [.internalSecret: secret])
            ).status.code
        }
        for secret in ["own", "before"] { #expect(await status(secret) == 200) }
        for secret in ["", "other", "own\nbefore", "ownbefore"] { #expect(await status(secret) == 404) }
    }

    @Test func errorsBecomeProblemsWithoutTheirCause() async throws {
        let broken = try await ask(.get, "/broken")
        #expect(broken.status == 500)
        #expect(!broken.body.contains("Broken"))
        #expect(broken.body.contains(#""request_id":"request-1""#))
        #expect(try await ask(.get, "/cancelled").status == 503)
        let slow = try await ask(.get, "/slow", of: Self.responder(deadline: .milliseconds(50)))
        #expect(slow.status == 503)
        #expect(slow.headers[.retryAfter] == "2")
    }

    @Test func validationNamesTheField() async throws {
        let answer = try await ask(.get, "/rejected", headers: [.accept: "application/problem+json"])
        #expect(answer.status == 422)
        #expect(answer.headers[.contentType] == "application/problem+json; charset=utf-8")
        let body =
            #"{"error":"Validation failed: Username has already been taken","type":"urn:madang:problems:invalid","#
            + #""title":"Validation failed","status":422,"code":"invalid","request_id":"request-1","#
            + #""fields":[{"name":"username","code":"taken","detail":"has already been taken"}],"#
            + #""details":{"username":[{"error":"ERR_TAKEN","description":"has already been taken"}]}}"#
        #expect(answer.body == body)
    }

    @Test func problemsSpeakTheReadersLanguage() async throws {
        let korean = try await ask(.get, "/nowhere", language: .korean)
        #expect(korean.headers[.contentLanguage] == "ko")
        #expect(korean.headers[.vary]?.contains("Accept-Language") == true)
        #expect(korean.body.contains("찾을 수 없습니다"))
        #expect(try await ask(.get, "/nowhere", language: .japanese).body.contains("見つかりませんでした"))
    }

    @Test func everyTextIsThereInEveryLanguage() {
        for language in Language.allCases {
            for code in ProblemTexts.codes {
                let text = ProblemTexts.text(for: code, status: 0)
                #expect(!text.title(in: language).isEmpty && !text.detail(in: language).isEmpty)
            }
            for code in ProblemTexts.fieldCodes {
                #expect(!ProblemTexts.description(of: code, in: language).isEmpty)
            }
        }
        #expect(Problem(.conflict, "unheard-of").text(in: .english) == "The state has changed in the meantime")
    }

    @Test func protocolsKeepTheirErrorNames() {
        let problem = Problem(
            .badRequest,
            "invalid-grant",
            detail: [.english: "The code has expired"],
            oauthError: "invalid_grant"
        )
        let body = String(decoding: problem.answer(language: .korean, requestID: "r").body, as: UTF8.self)
        #expect(body.hasPrefix(#"{"error":"invalid_grant","error_description":"The code has expired""#))
    }

    @Test func linksKeepTheOtherParameters() {
        let site = Site(domain: "localhost:3000", origin: "http://localhost:3000")
        let request = Request(method: .get, path: "/api/v1/x", query: "limit=2&max_id=9&a[]=%3C&since_id=1&b=<>\"")
        let answer = Answer.empty.linked(request, site: site, newest: 8, oldest: 7)
        #expect(
            answer.headers[.link]
                == "<http://localhost:3000/api/v1/x?limit=2&a[]=%3C&b=%3C%3E%22&max_id=7>; rel=\"next\", "
                + "<http://localhost:3000/api/v1/x?limit=2&a[]=%3C&b=%3C%3E%22&min_id=8>; rel=\"prev\""
        )
        #expect(Answer.empty.linked(request, site: site, newest: nil, oldest: nil).headers[.link] == nil)
    }
}
