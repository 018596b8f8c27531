// SPDX-License-Identifier: Apache-2.0
// Auth in one process, with a database of its own and a clock that the test moves.

import Domain
import Foundation
import HTTPTypes
import Logging
import Postgres
import Serving
import Support
import Surface
import Testing
import Web

@testable import AuthService

/// Everything that a test of auth works with.
struct AuthWorld: Sendable {
    /// Of errors only: every act is logged.
    static var logger: Logger {
        var logger = Logger(label: "auth.tests")
        logger.logLevel = .error
        return logger
    }

    static let secret = "an internal secret for tests"
    static let privateKey = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="

    let database: Database
    let clock: SetClock
    let dependencies: Dependencies
    let responder: Responder<Dependencies>
    let verifier: PrincipalVerifier

    static func run(
        registrations: Registrations = .open,
        origin: String = "http://localhost:3000",
        limits: Limits = Limits(),
        logger: Logger = AuthWorld.logger,
        passwordMemory: UInt32 = 19_456,
        clock: SetClock = SetClock(),
        issuers: [Issuer] = [],
        asking: @escaping AskIssuer = { _ in throw IssuerAway(cause: "there is none") },
        mail: MailSettings? = nil,
        mailbox: Mailbox = Mailbox(),
        _ body: @escaping @Sendable (AuthWorld) async throws -> Void
    ) async throws {
        try await withDatabase(migrations: AuthService.migrations, schema: "auth") { database, _ in
            let world = try await AuthWorld(
                database,
                registrations: registrations,
                origin: origin,
                limits: limits,
                logger: logger,
                passwordMemory: passwordMemory,
                clock: clock,
                issuers: issuers,
                asking: asking,
                mail: mail,
                mailbox: mailbox
            )
            try await body(world)
        }
    }

    private init(
        _ database: Database,
        registrations: Registrations,
        origin: String,
        limits: Limits,
        logger: Logger,
        passwordMemory: UInt32,
        clock: SetClock,
        issuers: [Issuer],
        asking: @escaping AskIssuer,
        mail: MailSettings?,
        mailbox: Mailbox
    ) async throws {
        let site = Site(domain: "localhost:3000", origin: origin)
        let signer = try #require(PrincipalSigner(privateKey: AuthWorld.privateKey))
        dependencies = Dependencies(
            database: database,
            ids: IDGenerator(slot: 0, now: { clock.now }),
            now: { clock.now },
            randomBytes: Dependencies.systemRandomBytes,
            site: site,
            limits: limits,
            registrations: registrations,
            passwords: try await PasswordHashing(threads: 2, queue: limits.passwordQueue, memory: passwordMemory),
            signer: signer,
            browserKey: BrowserKey("a key of the tests"),
            pages: try PageText.pages(site: site),
            issuers: Issuers(issuers, seal: Seal("a key of the tests"), now: { clock.now }, asking: asking),
            vapidKey: nil,
            logger: logger,
            mail: mail,
            deliver: { message, _ in await mailbox.take(message) },
            blocks: KeptBlockList(patience: .zero)
        )
        responder = AuthService.service.responder(
            dependencies,
            internalSecret: AuthWorld.secret,
            deadline: .seconds(60),
            logger: logger
        )
        let verifier = PrincipalVerifier(publicKey: signer.publicKey, now: { clock.now })
        self.verifier = try #require(verifier)
        self.database = database
        self.clock = clock
    }

    // MARK: Requests

    func send(
        _ method: HTTPRequest.Method,
        _ target: String,
        form: [(String, String)]? = nil,
        json: String? = nil,
        body: [UInt8]? = nil,
        headers: [(String, String)] = [],
        token: String? = nil
    ) async throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields: HTTPFields = [:]
        for (name, value) in headers {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        var bytes = body ?? []
        if let form {
            fields[.contentType] = "application/x-www-form-urlencoded"
            bytes = Array(form.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&").utf8)
        }
        if let json {
            fields[.contentType] = "application/json"
            bytes = Array(json.utf8)
        }
        var principal: Principal?
        if let token {
            principal = try await self.principal(token)
            // As the gateway does with a token that nobody is behind.
            if principal == nil { return Problem.unauthorized.answer(language: .english, requestID: "") }
        }
        return await responder.respond(
            to: Request(
                method: method,
                path: String(parts[0]),
                query: parts.count > 1 ? String(parts[1]) : "",
                headers: fields,
                body: bytes,
                principal: principal,
                requestID: "request-1",
                language: Language(acceptLanguage: fields[.acceptLanguage])
            )
        )
    }

    /// Who is behind a token, as the gateway learns it.
    func principal(_ token: String) async throws -> Principal? {
        let answer = try await send(
            .post,
            "/internal/principal",
            json: #"{"token": "\#(token)"}"#,
            headers: [("X-Madang-Internal", AuthWorld.secret)]
        )
        guard answer.status == .ok else { return nil }
        return verifier.principal(try answer.text("principal"))
    }

    // MARK: Stories

    struct RegisteredApp: Sendable {
        let id: String
        let secret: String
    }

    static let callback = "https://app.example/callback"

    func app(
        redirect: String = callback,
        scopes: String = "profile read write follow push"
    ) async throws -> RegisteredApp {
        let answer = try await send(
            .post,
            "/api/v1/apps",
            form: [("client_name", "A test"), ("redirect_uris", redirect), ("scopes", scopes)]
        )
        return RegisteredApp(id: try answer.text("client_id"), secret: try answer.text("client_secret"))
    }

    func appToken(_ app: RegisteredApp) async throws -> String {
        try await send(
            .post,
            "/oauth/token",
            form: [
                ("grant_type", "client_credentials"), ("client_id", app.id), ("client_secret", app.secret),
                ("scope", "read write"),
            ]
        ).text("access_token")
    }

    static let password = "다섯 마리 고양이 tea"

    static func fields(_ name: String, password: String = password) -> [(String, String)] {
        [
            ("username", name), ("email", "\(name)@example.com"), ("password", password), ("agreement", "true"),
            ("locale", "ko"),
        ]
    }

    /// Signs somebody up through a new app, and returns their token.
    func signUp(_ name: String) async throws -> String {
        let token = try await appToken(try await app())
        let answer = try await send(.post, "/api/v1/accounts", form: AuthWorld.fields(name), token: token)
        #expect(answer.status == .ok)
        return try answer.text("access_token")
    }

    /// Signs in from an app of our own.
    func session(_ name: String, password: String = password) async throws -> (access: String, refresh: String) {
        let answer = try await send(
            .post,
            "/api/v1/sessions",
            form: [("username", name), ("password", password), ("device_name", "Phone")]
        )
        return (try answer.text("access_token"), try answer.text("refresh_token"))
    }

    func count(_ sql: SQL) async throws -> Int {
        var columns = try #require(try await database.query(sql).first).columns
        return try columns.next()
    }

    /// Events of a type in the outbox.
    func recorded(_ type: String) async throws -> [[String: Any]] {
        try await database.query("SELECT envelope FROM outbox ORDER BY id").compactMap { row in
            var columns = row.columns
            let body = try columns.next([UInt8].self)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            return object["type"] as? String == type ? object : nil
        }
    }
}

extension Answer {
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
    var list: [[String: Any]] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]) ?? [] }
    var page: String { String(decoding: body, as: UTF8.self) }
    var error: String? { object["error"] as? String }
    var location: String { headers[.location] ?? "" }

    func text(_ name: String) throws -> String { try #require(object[name] as? String, "\(name) in \(page)") }

    /// The codes of a validation's `details`.
    func faults(_ field: String) -> [String] {
        let details = object["details"] as? [String: [[String: String]]]
        return details?[field]?.compactMap { $0["error"] } ?? []
    }

    /// The value of the first field of this name in the page's forms.
    func field(_ name: String) -> String? {
        guard let start = page.range(of: "name=\"\(name)\" value=\""),
            let end = page[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return String(page[start.upperBound..<end])
    }

    /// A parameter of the place where the answer redirects to.
    func redirected(_ name: String) -> String? {
        URLComponents(string: location)?.queryItems?.first { $0.name == name }?.value
    }
}

/// A browser that keeps cookies and follows nothing by itself.
struct TestBrowser {
    let world: AuthWorld
    var cookies: [String: String] = [:]
    var address = "192.0.2.1"

    init(_ world: AuthWorld) { self.world = world }

    mutating func get(_ target: String, language: String = "en") async throws -> Answer {
        keep(try await world.send(.get, target, headers: headers(language)))
    }

    mutating func post(_ target: String, _ form: [(String, String)], language: String = "en") async throws -> Answer {
        keep(try await world.send(.post, target, form: form, headers: headers(language)))
    }

    mutating func signIn(_ name: String, password: String = AuthWorld.password, returnTo: String = "") async throws
        -> Answer
    {
        let form = try await get("/auth/sign_in?force=true")
        return try await post(
            "/auth/sign_in",
            [
                ("form_token", form.field("form_token") ?? ""), ("username", name), ("password", password),
                ("return_to", returnTo),
            ]
        )
    }

    /// Answers the page on which an app asks to be let in.
    mutating func decide(_ query: String, _ decision: String = "approve") async throws -> Answer {
        let page = try await get("/oauth/authorize?" + query)
        var form = [("form_token", page.field("form_token") ?? ""), ("decision", decision)]
        let names = [
            "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
        ]
        for name in names {
            if let value = page.field(name) { form.append((name, value.replacing("&amp;", with: "&"))) }
        }
        return try await post("/oauth/authorize", form)
    }

    private func headers(_ language: String) -> [(String, String)] {
        [
            ("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")),
            ("Accept-Language", language), ("X-Forwarded-For", address),
        ]
    }

    private mutating func keep(_ answer: Answer) -> Answer {
        for field in answer.headers[values: .setCookie] {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1]) }
        }
        return answer
    }
}
