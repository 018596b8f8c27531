// SPDX-License-Identifier: Apache-2.0
// Services as Buddy Buddy's routes meet them, and the app's way of asking.

import Domain
import NIOCore
import NIOHTTP1
import Surface
import Testing

@testable import GatewayService

/// Answers of the services by method and path; what is not named is a 404 problem.
struct BuddyBuddyWorld: Sendable {
    typealias Answers = [String: (status: HTTPResponseStatus, body: String)]

    var auth: Answers = [:]
    var posts: Answers = [:]
    var chat: Answers = [:]
    var search: Answers = [:]
    var environment: [String: String] = [:]

    static let playground =
        #"{"id":"11","name":"Yard","description":"A place","cover":null,"owner_id":"7","open":false,"role":"owner","#
        + #""members_count":2,"created_at":"2026-11-21T04:00:00.000Z","updated_at":"2026-11-21T04:00:00.000Z"}"#
    static let workspace =
        #"{"workspace_id":"11","name":"Yard","description":"A place","coverImage":"/assets/thumbnail.png","#
        + #""owner_id":"7","createdAt":"2026-11-21T04:00:00.000Z"}"#

    static func workspace(containing channels: [String], _ members: [String]) -> String {
        workspace.dropLast()
            + #","channels":[\#(channels.joined(separator: ","))],"workspaceMembers":[\#(members.joined(separator: ","))]}"#
    }

    static func channel(_ id: String = "21", member: Bool = true, playground: String = "11", type: String = "public")
        -> String
    {
        #"{"id":"\#(id)","type":"\#(type)","playground_id":"\#(playground)","name":"general","description":"","#
            + #""owner_id":"7","member":\#(member),"role":"owner","members_count":2,"members":[],"#
            + #""last_seq":4,"created_at":"2026-11-21T04:30:00.000Z","updated_at":"2026-11-21T04:30:00.000Z"}"#
    }
    static let channelOut =
        #"{"channel_id":"21","name":"general","description":"","coverImage":"/assets/thumbnail.png","owner_id":"7","#
        + #""createdAt":"2026-11-21T04:30:00.000Z""#

    static func person(_ id: String, _ name: String, role: String? = nil) -> String {
        #"{"id":"\#(id)","username":"\#(name)","acct":"\#(name)","display_name":"","avatar":"http://x/assets/a.png","#
            + #""url":"http://x/@\#(name)"\#(role.map { #","role":"\#($0)""# } ?? "")}"#
    }
    static func user(_ id: String, _ name: String) -> String {
        #"{"user_id":"\#(id)","email":"","nickname":"\#(name)","profileImage":"/assets/a.png"}"#
    }

    static let room =
        #"{"id":"51","type":"direct","playground_id":"11","name":"","description":"","owner_id":null,"member":true,"#
        + #""members":[\#(person("7", "mina")),\#(person("8", "jun"))],"created_at":"2026-11-21T04:40:00.000Z"}"#
    static let roomOut = #"{"room_id":"51","createdAt":"2026-11-21T04:40:00.000Z","user":\#(user("8", "jun"))}"#

    static let identity =
        #"{"id":"7","username":"mina_12345","email":"mina@example.com","created_at":"2026-11-21T03:00:00.000Z"}"#
    static let session =
        #"{"access_token":"good-7-9","refresh_token":"R","session_id":"9","account":\#(identity)}"#
    static let profile =
        #"{"id":"7","username":"mina_12345","display_name":"미나","avatar":"http://x/assets/avatar.png","#
        + #""created_at":"2026-11-21T03:00:00.000Z"}"#

    static func problem(_ status: Int, _ code: String, fields: String = "[]") -> String {
        #"{"error":"Text of \#(code)","status":\#(status),"code":"\#(code)","fields":\#(fields)}"#
    }

    func run(_ body: @Sendable @escaping (TestGateway) async throws -> Void) async throws {
        let world = self
        try await TestGateway.run(
            environment,
            posts: { world.answer($0, world.posts) },
            auth: { $0.head.uri == "/internal/principal" ? FakeAuth.answer($0) : world.answer($0, world.auth) },
            chat: { world.answer($0, world.chat) },
            others: { world.answer($0, world.search) },
            now: Timestamp.startOfWindow,
            body
        )
    }

    private func answer(_ asked: FakeService.Asked, _ answers: Answers) -> FakeService.Behaviour {
        let found = answers["\(asked.head.method.rawValue) \(asked.head.uri)"]
        let type = [("content-type", "application/json")]
        guard let found else {
            return .answer(.notFound, type, BuddyBuddyWorld.problem(404, "not-found"))
        }
        return .answer(found.status, type, found.body)
    }
}

/// What came back: the status and the body.
struct AppAnswer: Equatable, CustomStringConvertible {
    let status: Int
    let body: String

    init(_ status: Int, _ body: String) {
        self.status = status
        self.body = body
    }

    init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
        body = parts.count > 1 ? String(parts[1]) : ""
    }

    var description: String { "\(status) \(body)" }
    var code: String? {
        guard let start = body.firstRange(of: #"{"errorCode":""#) else { return nil }
        return String(body[start.upperBound...].prefix { $0 != "\"" })
    }
}

extension TestGateway {
    /// As the app asks: the bare token, its key, and perhaps JSON.
    func app(
        _ method: String,
        _ path: String,
        token: String? = "good-7-9",
        json: String? = nil,
        _ fields: String...
    ) async throws -> AppAnswer {
        var request = "\(method) \(path) HTTP/1.1\nHost: madang.test\nSesacKey: anything\n"
        if let token { request += "Authorization: \(token)\n" }
        for field in fields { request += field + "\n" }
        if let json { request += "Content-Type: application/json\nContent-Length: \(json.utf8.count)\n" }
        return AppAnswer(try await ask(request + "\n" + (json ?? "")))
    }

    /// A multipart form of fields, and of a file when one is named.
    func form(
        _ method: String,
        _ path: String,
        _ fields: [(String, String)],
        file: String? = nil,
        type: String = "multipart/form-data; boundary=alamofire.boundary"
    ) async throws -> AppAnswer {
        var body = ""
        for (name, value) in fields {
            body += "--alamofire.boundary\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        if let file {
            body +=
                "--alamofire.boundary\r\nContent-Disposition: form-data; name=\"\(file)\"; filename=\"file1.jpg\"\r\n"
            body += "Content-Type: image/jpeg\r\n\r\nJPEG\r\n"
        }
        body += "--alamofire.boundary--\r\n"
        let client = try await client()
        try await client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: madang.test\r\nSesacKey: k\r\nAuthorization: good-7-9\r\n"
                + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
        )
        let answer = AppAnswer(try await client.untilClosed())
        await client.close()
        return answer
    }
}
