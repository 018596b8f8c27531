// SPDX-License-Identifier: Apache-2.0
// What a browser brings along: its cookies, and the proof that a form came from our own page.

import Domain
import HTTPTypes
import Postgres
import Web

/// The cookies of one request.
///
/// Forms carry an HMAC over a random cookie and the session's cookie: another site can neither read nor choose those.
struct Browser: Sendable {
    /// Marks the browser; set on the first page.
    let mark: String
    private let isMarked: Bool
    private let sessionCookie: String?
    private let deviceCookie: String?
    /// What somebody new holds who chooses a username.
    let newcomer: String?
    private let dependencies: Dependencies

    init(_ request: Request, _ dependencies: Dependencies) {
        var cookies: [String: String] = [:]
        for value in request.headers[values: .cookie] {
            for pair in value.prefix(8192).split(separator: ";") {
                guard let equals = pair.firstIndex(of: "=") else { continue }
                let name = String(pair[..<equals]).trimmed
                if cookies[name] == nil { cookies[name] = String(pair[pair.index(after: equals)...]).trimmed }
            }
        }
        func cookie(_ name: String) -> String? {
            cookies[Browser.name(name, dependencies.site)].flatMap { $0.utf8.count <= 256 ? $0 : nil }
        }
        let mark = cookie("browser").flatMap { $0.utf8.count == 43 ? $0 : nil }
        isMarked = mark != nil
        self.mark = mark ?? dependencies.secret().text
        sessionCookie = cookie("session")
        deviceCookie = cookie("device")
        newcomer = cookie("newcomer")
        self.dependencies = dependencies
    }

    /// Who is signed in.
    func signedIn() async throws -> SessionStore.SignedIn? {
        guard let sessionCookie else { return nil }
        let now = dependencies.now()
        let signedIn = try await SessionStore.signedIn(
            cookie: Secret.hash(sessionCookie),
            now: now,
            in: dependencies.database
        )
        if let signedIn, now - signedIn.lastUsed > dependencies.limits.lastUse {
            try await SessionStore.touch(signedIn.sessionID, now: now, in: dependencies.database)
        }
        return signedIn
    }

    /// For a row that only this browser may come back to.
    var markHash: [UInt8] { Secret.hash(mark) }

    // MARK: Forms

    /// What a form must bring back.
    var formToken: String { dependencies.browserKey.code("form:\(mark):\(sessionCookie ?? "")") }

    func check(_ parameters: Parameters) throws {
        guard isMarked, let token = try parameters.string("form_token"), Secret.equal(token, formToken) else {
            throw StaleForm()
        }
    }

    /// A form of another site, or one that was open for too long.
    struct StaleForm: ProblemConvertible {
        var problem: Problem {
            var detail: [Language: String] = [:]
            for language in Language.allCases { detail[language] = PageText.text("stale_form", language) }
            return Problem(.forbidden, "stale-form", detail: detail)
        }
    }

    // MARK: Known devices

    /// The mark of a browser that has signed in to this account before, if this is one.
    func device(_ account: AccountID) -> String? {
        DeviceToken.mark(deviceCookie, of: account, dependencies)
    }

    // MARK: Cookies

    /// Marks the browser, if it is not yet.
    func marking(_ answer: Answer) -> Answer {
        isMarked ? answer : setting("browser", mark, age: nil, on: answer)
    }

    /// Begins a browser's session in place of the one before, and returns what to answer with the cookies.
    func begin(_ account: AccountID, device: String, _ audit: Audit, in transaction: Transaction) async throws
        -> (id: SessionID, cookie: Secret, isBack: Bool)
    {
        try await AccountSuspended.refuse(account, in: transaction)
        let now = dependencies.now()
        let isBack = try await Departures.stop(account, dependencies, in: transaction)
        try await end(audit, in: transaction)
        let session = SessionStore.Draft(
            id: try dependencies.ids.next(),
            accountID: account,
            appID: App.own,
            scopes: ScopeSet([]),
            device: device,
            expires: now + dependencies.limits.browserSession
        )
        try await SessionStore.insert(session, now: now, in: transaction)
        let cookie = dependencies.secret()
        try await SessionStore.insertCookie(cookie.hash, of: session.id, in: transaction)
        return (session.id, cookie, isBack)
    }

    func end(_ audit: Audit, in transaction: Transaction) async throws {
        guard let sessionCookie else { return }
        for ended in try await transaction.end(.cookie(Secret.hash(sessionCookie))) {
            try audit.note(.sessionEnded, .init(account: ended.accountID, session: ended.id), in: transaction)
        }
    }

    func settingSession(_ cookie: Secret, of account: AccountID, on answer: Answer) -> Answer {
        let answer = setting("session", cookie.text, age: dependencies.limits.browserSession, on: marking(answer))
        return setting(
            "device",
            DeviceToken.make(for: account, keeping: deviceCookie, dependencies),
            age: .seconds(365 * 86_400),
            on: answer
        )
    }

    func clearingSession(on answer: Answer) -> Answer { setting("session", "", age: .zero, on: answer) }

    /// - Parameter token: nil when it is used.
    func settingNewcomer(_ token: String?, on answer: Answer) -> Answer {
        setting("newcomer", token ?? "", age: token == nil ? .zero : dependencies.limits.newcomer, on: marking(answer))
    }

    private func setting(_ name: String, _ value: String, age: Duration?, on answer: Answer) -> Answer {
        var answer = answer
        var text = "\(Browser.name(name, dependencies.site))=\(value); Path=/; HttpOnly; SameSite=Lax"
        if Browser.isSecure(dependencies.site) { text += "; Secure" }
        if let age { text += "; Max-Age=\(age.components.seconds)" }
        answer.headers.append(HTTPField(name: .setCookie, value: text))
        return answer
    }

    private static func isSecure(_ site: Site) -> Bool { site.origin.hasPrefix("https:") }

    private static func name(_ name: String, _ site: Site) -> String {
        (isSecure(site) ? "__Host-madang_" : "madang_") + name
    }
}
