// SPDX-License-Identifier: Apache-2.0
// What Firebase is asked, how its tokens are had, and what follows from its answers.

import Domain
import Foundation
import JWTKit
import Support
import Testing

@testable import NotificationsService
@testable import Outbound

@Suite struct FirebaseSenderTests {
    private let clock = SetClock(Timestamp(milliseconds: 1_800_000_000_500))
    private let device = PushAddress.firebase(token: "a:token")
    private let file: String
    private let publicKey: String

    init() throws { (file, publicKey) = try OperatorKeys.serviceAccount() }

    private func sender(_ provider: Provider) throws -> FirebaseSender {
        let account = try #require(FirebaseAccount(file))
        let server = try #require(ServerAddress("https://fcm.example"))
        return FirebaseSender(
            account,
            server: server,
            ask: provider.ask,
            now: { [clock] in clock.now },
            patience: .patient
        )
    }

    private static let taken = #"{"name":"projects/a-project/messages/1"}"#

    /// Gives out tokens with the numbers of their requests, for so many seconds, and answers messages as `answer` says.
    private func provider(
        seconds: Int = 3600,
        _ answer: @escaping @Sendable (OutboundRequest, Int) throws -> OutboundAnswer = { request, _ in
            .saying(200, FirebaseSenderTests.taken, to: request)
        }
    ) -> Provider {
        Provider { request, count in
            guard request.isForToken else { return try answer(request, count) }
            return .saying(200, #"{"access_token":"token-\#(count)","expires_in":\#(seconds)}"#, to: request)
        }
    }

    private func send(_ sender: FirebaseSender) async -> PushOutcome {
        await sender.send(.sample(to: device, at: clock.now))
    }

    @Test func `an alert`() async throws {
        let provider = provider()
        let push = Push.sample(to: device, collapseKey: "channel-7", at: clock.now)
        #expect(try await sender(provider).send(push) == .accepted(name: "projects/a-project/messages/1"))
        let request = try #require(provider.requests.last)
        #expect(request.url == "https://fcm.example/v1/projects/a-project/messages:send")
        #expect(request.values("authorization") == ["Bearer token-0"])
        let name = push.id.uuidString.lowercased()
        let aps: JSON = .object([
            "alert": .object(["title": .string("민지"), "body": .string("안녕 \"you\"")]), "badge": .integer(3),
            "sound": .string("default"), "thread-id": .string("post-7"), "mutable-content": .integer(1),
        ])
        let headers: JSON = .object([
            "apns-priority": .string("10"), "apns-expiration": .string("1800000599"),
            "apns-collapse-id": .string("channel-7"),
        ])
        let message: [String: JSON] = [
            "token": .string("a:token"),
            "data": .object([
                "kind": .string("mention"), "id": .string("7"), "aps": .string("no"), "badge": .string("3"),
                "push_id": .string(name),
            ]),
            "notification": .object(["title": .string("민지"), "body": .string("안녕 \"you\"")]),
            "android": .object([
                "collapse_key": .string("channel-7"), "priority": .string("HIGH"), "ttl": .string("599s"),
                "notification": .object(["tag": .string("channel-7"), "sound": .string("default")]),
            ]),
            "apns": .object(["headers": headers, "payload": .object(["aps": aps])]),
        ]
        #expect(request.json == .object(["message": .object(message)]))
    }

    @Test func `a number alone has no notification`() async throws {
        let provider = provider()
        _ = try await sender(provider).send(.sample(to: device, .badge(2), at: clock.now))
        guard case .object(let body)? = provider.requests.last?.json, case .object(let message)? = body["message"],
            case .object(let android)? = message["android"], case .object(let data)? = message["data"]
        else {
            Issue.record("no message")
            return
        }
        #expect(message["notification"] == nil && android["notification"] == nil)
        #expect(android["priority"] == .string("NORMAL") && data["badge"] == .string("2"))
    }

    // MARK: Tokens

    @Test func `the assertion is signed by the account for an hour at most`() async throws {
        let provider = provider()
        _ = await send(try sender(provider))
        let request = try #require(provider.requests.first)
        let form = String(decoding: request.body, as: UTF8.self)
        let start = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        try #require(form.hasPrefix(start))
        let keys = JWTKeyCollection()
        let key = try Insecure.RSA.PublicKey(pem: publicKey)
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: "key-1")
        let claims = try await keys.verify(String(form.dropFirst(start.count)), as: ReadClaims.self)
        #expect(claims.iss == "push@a-project.example" && claims.aud == "https://token.example/token")
        #expect(claims.scope == "https://www.googleapis.com/auth/firebase.messaging")
        let (iat, exp) = (try #require(claims.iat), try #require(claims.exp))
        #expect(iat == 1_800_000_000 && exp > iat && exp - iat <= 3600)
    }

    @Test func `many who begin at once ask for one token`() async throws {
        let provider = provider()
        let sender = try sender(provider)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { #expect(await send(sender) == .accepted(name: "projects/a-project/messages/1")) }
            }
        }
        #expect(provider.requests.filter(\.isForToken).count == 1)
        #expect(provider.requests.count == 101)
    }

    @Test func `a token is renewed before it ends`() async throws {
        let provider = provider(seconds: 3600)
        let sender = try sender(provider)
        _ = await send(sender)
        clock.advance(.seconds(3299))
        _ = await send(sender)
        #expect(provider.requests.filter(\.isForToken).count == 1)
        clock.advance(.seconds(2))
        _ = await send(sender)
        #expect(provider.requests.filter(\.isForToken).count == 2)
        #expect(provider.requests.last?.header("authorization") == "Bearer token-3")
    }

    @Test func `a token that still is good is used while no other is to be had`() async throws {
        let isAway = Box(false)
        let provider = Provider { request, count in
            guard request.isForToken else { return .saying(200, FirebaseSenderTests.taken, to: request) }
            if isAway.value { throw OutboundFailure.late }
            return .saying(200, #"{"access_token":"token-\#(count)","expires_in":3600}"#, to: request)
        }
        let sender = try sender(provider)
        _ = await send(sender)
        isAway.value = true
        clock.advance(.seconds(3400))
        #expect(await send(sender) == .accepted(name: "projects/a-project/messages/1"))
        #expect(await send(sender) == .accepted(name: "projects/a-project/messages/1"))
        // Whoever could not give one is left alone for a moment.
        #expect(provider.requests.filter(\.isForToken).count == 2)
        clock.advance(.seconds(300))
        guard case .later = await send(sender) else {
            Issue.record("a token that is over was used")
            return
        }
        isAway.value = false
        clock.advance(.seconds(11))
        #expect(await send(sender) == .accepted(name: "projects/a-project/messages/1"))
    }

    @Test func `a token that is refused is renewed once`() async throws {
        let refusal = #"{"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}"#
        let once = provider { request, _ in
            request.header("authorization") == "Bearer token-0"
                ? .saying(401, refusal, to: request) : .saying(200, FirebaseSenderTests.taken, to: request)
        }
        #expect(try await send(sender(once)) == .accepted(name: "projects/a-project/messages/1"))
        let always = provider { request, _ in .saying(401, refusal, to: request) }
        let sender = try sender(always)
        for _ in 0..<5 { #expect(await send(sender) == .misconfigured(reason: "UNAUTHENTICATED")) }
        #expect(always.requests.filter(\.isForToken).count == 2)
    }

    @Test func `an account that gets no token`() async throws {
        let said: [(Int, String, PushOutcome)] = [
            (400, #"{"error":"invalid_grant"}"#, .misconfigured(reason: "invalid_grant")),
            (401, #"{"error":"invalid_client"}"#, .misconfigured(reason: "invalid_client")),
            (503, "", .later(reason: "HTTP 503", after: nil)), (200, "{}", .later(reason: "HTTP 200", after: nil)),
        ]
        for (status, body, outcome) in said {
            #expect(try await send(sender(Provider(status, body))) == outcome)
        }
    }

    // MARK: Errors

    private func outcome(
        _ status: Int,
        _ body: String,
        headers: [(name: String, value: String)] = []
    ) async throws -> PushOutcome {
        await send(try sender(provider { request, _ in .saying(status, body, to: request, headers: headers) }))
    }

    private static func error(_ status: String, code: String, _ message: String = "no") -> String {
        #"{"error":{"code":1,"message":"\#(message)","status":"\#(status)","details":[{"@type":"#
            + #""type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}]}}"#
    }

    @Test func `every documented error`() async throws {
        let expected: [String: PushOutcome] = [
            "UNREGISTERED": .deviceGone(reason: "UNREGISTERED", since: nil),
            "SENDER_ID_MISMATCH": .deviceGone(reason: "SENDER_ID_MISMATCH", since: nil),
            "INVALID_ARGUMENT": .refused(reason: "INVALID_ARGUMENT"),
            "QUOTA_EXCEEDED": .later(reason: "QUOTA_EXCEEDED", after: .seconds(60), ofAll: true),
            "UNAVAILABLE": .later(reason: "UNAVAILABLE", after: nil, ofAll: true),
            "INTERNAL": .later(reason: "INTERNAL", after: nil),
            "THIRD_PARTY_AUTH_ERROR": .refused(reason: "THIRD_PARTY_AUTH_ERROR"),
        ]
        #expect(Set(FirebaseError.codes.keys) == Set(expected.keys))
        for (code, outcome) in expected {
            #expect(try await self.outcome(400, Self.error("FAILED_PRECONDITION", code: code)) == outcome)
        }
    }

    @Test func `a token that is none, told in words or by its field`() async throws {
        let words = Self.error(
            "INVALID_ARGUMENT",
            code: "INVALID_ARGUMENT",
            "The registration token is not a valid FCM registration token"
        )
        #expect(try await outcome(400, words) == .deviceGone(reason: "INVALID_ARGUMENT", since: nil))
        func field(_ name: String) -> String {
            #"{"error":{"status":"INVALID_ARGUMENT","message":"registration token","details":[{"@type":"x","#
                + #""fieldViolations":[{"field":"\#(name)"}]}]}}"#
        }
        #expect(try await outcome(400, field("message.token")) == .deviceGone(reason: "INVALID_ARGUMENT", since: nil))
        #expect(try await outcome(400, field("message.data[0].value")) == .refused(reason: "INVALID_ARGUMENT"))
    }

    @Test func `errors without details, and none at all`() async throws {
        func plain(_ status: String) -> String { #"{"error":{"status":"\#(status)"}}"# }
        #expect(try await outcome(403, plain("PERMISSION_DENIED")) == .misconfigured(reason: "PERMISSION_DENIED"))
        #expect(try await outcome(404, plain("NOT_FOUND")) == .misconfigured(reason: "NOT_FOUND"))
        #expect(try await outcome(502, "<html>") == .later(reason: "HTTP 502", after: nil))
        #expect(try await outcome(418, "") == .refused(reason: "HTTP 418"))
        let busy = Self.error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED")
        let patient = try await outcome(429, busy, headers: [("retry-after", "30")])
        #expect(patient == .later(reason: "QUOTA_EXCEEDED", after: .seconds(30), ofAll: true))
        #expect(try await outcome(503, "") == .later(reason: "HTTP 503", after: nil, ofAll: true))
    }

    @Test func `files that are no service account`() throws {
        #expect(FirebaseAccount(file) != nil)
        for (old, new) in [
            ("service_account", "authorized_user"), ("a-project\"", "../x\""), ("https:", "http:"), ("BEGIN", "BEGUN"),
            ("private_key\"", "key\""),
        ] {
            // JSONEncoder writes slashes as `\/`.
            let changed = file.replacing("\\/", with: "/").replacing(old, with: new)
            #expect(changed != file && FirebaseAccount(changed) == nil, "\(old)")
        }
        #expect(FirebaseAccount("") == nil && FirebaseAccount("{}") == nil)
    }
}

extension OutboundRequest {
    fileprivate var isForToken: Bool { url == "https://token.example/token" }
}
