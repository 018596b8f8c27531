// SPDX-License-Identifier: Apache-2.0
// Errors as Buddy Buddy knows them: a code, and the one status that makes it refresh its token.

import Domain
import FoundationEssentials
import GatewayService
import HTTPTypes
import NIOCore
import Views
import Web

/// What the app is told when something does not work.
///
/// The app refreshes its token and asks again after every answer with status 400, whatever the code, and as often as
/// it takes. So 400 means just that (`E05`), and everything else has the status that it deserves.
struct BuddyBuddyFailure: Error, Equatable {
    enum Code: String {
        /// Wrong password, or nobody with that address.
        case wrongSignIn = "E03"
        /// The access token is missing, over or taken back: refresh.
        case tokenOver = "E05"
        /// The refresh token is over or taken back: sign in again.
        case refreshOver = "E06"
        case badRequest = "E11"
        case duplicate = "E12"
        case notFound = "E13"
        case forbidden = "E14"
        /// Right now it cannot be done: the owner cannot leave.
        case refused = "E15"
        case unknownPath = "E97"
        case tooMany = "E98"
        case fault = "E99"
    }

    let status: Int
    let code: Code
    /// Our own code, for people who look into it.
    let reason: String
    /// In the reader's language; empty where this server has a text of its own for the reason.
    var message = ""
    /// The field that cannot be read.
    var field: String?
    var retryAfter: String?
    /// The methods that the path has.
    var allowed: String?

    init(_ status: Int, _ code: Code, _ reason: String, message: String = "", retryAfter: String? = nil) {
        self.status = status
        self.code = code
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
    }

    static let tokenOver = BuddyBuddyFailure(400, .tokenOver, "invalid-token")
    static let refreshOver = BuddyBuddyFailure(400, .refreshOver, "invalid-grant")
    static let notFound = BuddyBuddyFailure(404, .notFound, "not-found")
    static let broken = BuddyBuddyFailure(502, .fault, "bad-gateway")

    static let uploads = BuddyBuddyFailure.badRequest("uploads-not-available")

    static func badRequest(_ reason: String, field: String? = nil) -> BuddyBuddyFailure {
        var failure = BuddyBuddyFailure(422, .badRequest, reason)
        failure.field = field
        return failure
    }

    /// Out of a problem, the gateway's own or a service's.
    init(status: Int, reason: String, fields: [String] = [], message: String = "", retryAfter: String? = nil) {
        let (status, code): (Int, Code) =
            switch (status, reason) {
            case (_, "wrong-password"), (_, "issuer-token-refused"): (401, .wrongSignIn)
            case (_, "invalid-grant"): (400, .refreshOver)
            case (_, "owner-must-transfer"): (409, .refused)
            case (401, _): (400, .tokenOver)
            case (403, _): (403, .forbidden)
            case (404, _), (410, _): (404, .notFound)
            case (405, _): (405, .unknownPath)
            case (409, _): (409, .duplicate)
            case (422, _): fields.contains("taken") ? (409, .duplicate) : (422, .badRequest)
            case (429, _): (429, .tooMany)
            case (500..., _): (status, .fault)
            case (408, _), (413, _), (414, _), (431, _): (status, .badRequest)
            default: (422, .badRequest)
            }
        self.init(status, code, reason, message: message, retryAfter: retryAfter)
    }

    init(_ problem: Problem, language: Language) {
        self.init(
            status: problem.status.code,
            reason: problem.code,
            fields: problem.fields.map(\.code),
            message: problem.text(in: language),
            retryAfter: problem.headers[.retryAfter]
        )
        allowed = problem.headers[.allow]
    }

    /// Out of what a service answered instead of what it was asked for.
    init(_ answer: ServiceAnswer) {
        let body = try? JSONDecoder().decode(ProblemBody.self, from: Data(answer.body.readableBytesView))
        self.init(
            status: answer.status,
            reason: body?.code ?? "error",
            fields: (body?.fields ?? []).map(\.code),
            message: body?.error ?? "",
            retryAfter: answer.retryAfter
        )
    }

    func answer(in language: Language) -> WorkAnswer {
        let json = JSONWriter.object(capacity: 256) { json in
            json.member("errorCode", code.rawValue)
            json.member("reason", reason)
            json.member("message", text(in: language))
        }
        return WorkAnswer(failure: status, body: json, retryAfter: retryAfter, allowed: allowed)
    }

    /// What the person reads.
    private func text(in language: Language) -> String {
        if !message.isEmpty { return message }
        if let field { return Problem.badRequest(field).text(in: language) }
        if let own = BuddyBuddyFailure.texts[reason]?[language] { return own }
        return Problem(HTTPResponse.Status(code: status), reason).text(in: language)
    }

    private static let texts: [String: [Language: String]] = [
        "uploads-not-available": [
            .english: "Files cannot be uploaded here", .korean: "여기에는 파일을 올릴 수 없습니다",
            .japanese: "ここにはファイルをアップロードできません",
        ],
        "social-sign-in-not-available": [
            .english: "Signing in so is not set up on this server",
            .korean: "이 서버에서는 이 방법으로 로그인할 수 없습니다",
            .japanese: "このサーバーではこの方法でログインできません",
        ],
        "mail-invitations-not-available": [
            .english: "This server invites by codes, not by addresses of mail",
            .korean: "이 서버에서는 이메일이 아니라 초대 코드로 초대합니다", .japanese: "このサーバーではメールではなくコードで招待します",
        ],
        "invalid-token": [
            .english: "The access token is invalid", .korean: "액세스 토큰이 올바르지 않습니다",
            .japanese: "アクセストークンが正しくありません",
        ],
        "invalid-grant": [
            .english: "You have been signed out: sign in again", .korean: "로그인이 만료되었습니다. 다시 로그인하세요",
            .japanese: "ログインの有効期限が切れました。もう一度ログインしてください",
        ],
    ]
}

private struct ProblemBody: Decodable {
    struct Field: Decodable {
        let code: String
    }

    let code: String?
    let error: String?
    let fields: [Field]?
}
