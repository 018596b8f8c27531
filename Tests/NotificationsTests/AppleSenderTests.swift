// SPDX-License-Identifier: Apache-2.0
// What APNs is asked, how its tokens are renewed, and what follows from its answers.

import Crypto
import Domain
import Foundation
import JWTKit
import Support
import Testing

@testable import NotificationsService
@testable import Outbound

@Suite struct AppleSenderTests {
    private let clock = SetClock(Timestamp(milliseconds: 1_800_000_000_500))
    private let keys = OperatorKeys()
    private let device = PushAddress.apple(
        token: String(repeating: "0a", count: 32),
        topic: "org.example.app",
        isSandbox: false
    )

    private func sender(_ provider: Provider) throws -> AppleSender {
        AppleSender(try keys.appleAccount(), ask: provider.ask, now: { [clock] in clock.now }, patience: .patient)
    }

    private func outcome(_ status: Int, _ body: String, headers: [(name: String, value: String)] = []) async throws
        -> PushOutcome
    {
        try await sender(Provider(status, body, headers: headers)).send(.sample(to: device, at: clock.now))
    }

    @Test func `an alert`() async throws {
        let provider = Provider(200, headers: [("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")])
        let push = Push.sample(to: device, collapseKey: "channel-7", at: clock.now)
        #expect(try await sender(provider).send(push) == .accepted(name: "eabeae54-14a8-11e5-b60b-1697f925ec7b"))
        let request = try #require(provider.requests.first)
        #expect(request.url == "https://apple.example/3/device/\(String(repeating: "0a", count: 32))")
        #expect(request.values("apns-id") == [push.id.uuidString.lowercased()])
        #expect(request.values("apns-push-type") == ["alert"])
        #expect(request.values("apns-topic") == ["org.example.app"])
        #expect(request.values("apns-priority") == ["10"])
        #expect(request.values("apns-collapse-id") == ["channel-7"])
        let expiration = try #require(request.header("apns-expiration").flatMap { Int64($0) })
        #expect((clock.now.seconds + 599...clock.now.seconds + 600).contains(expiration))
        #expect(
            request.json
                == .object([
                    "aps": .object([
                        "alert": .object(["title": .string("민지"), "body": .string("안녕 \"you\"")]),
                        "badge": .integer(3), "sound": .string("default"), "thread-id": .string("post-7"),
                        "mutable-content": .integer(1),
                    ]),
                    "push_id": .string(push.id.uuidString.lowercased()), "kind": .string("mention"), "id": .string("7"),
                    "from": .string("no"),
                ])
        )
    }

    @Test func `a number alone makes no noise`() async throws {
        let provider = Provider()
        let push = Push.sample(to: device, .badge(0), at: clock.now)
        _ = try await sender(provider).send(push)
        let request = try #require(provider.requests.first)
        #expect(request.values("apns-priority") == ["5"])
        #expect(
            request.json
                == .object([
                    "aps": .object(["badge": .integer(0)]), "push_id": .string(push.id.uuidString.lowercased()),
                ])
        )
    }

    @Test func `apps that are being developed have another host`() async throws {
        let provider = Provider()
        let sandboxed = PushAddress.apple(token: "0a", topic: "org.example.app", isSandbox: true)
        _ = try await sender(provider).send(.sample(to: sandboxed, at: clock.now))
        #expect(provider.requests.first?.url == "https://sandbox.apple.example:8443/3/device/0a")
    }

    @Test func `a long collapse key fits, and is another's no more than before`() async throws {
        let provider = Provider()
        let sender = try sender(provider)
        for end in ["a", "a", "b"] {
            let key = String(repeating: "가", count: 30) + end
            _ = await sender.send(.sample(to: device, collapseKey: key, at: clock.now))
        }
        let ids = provider.requests.compactMap { $0.header("apns-collapse-id") }
        try #require(ids.count == 3)
        #expect(ids.allSatisfy { $0.utf8.count <= 64 })
        #expect(ids[0] == ids[1] && ids[1] != ids[2])
    }

    @Test func `what cannot be sent is not asked for`() async throws {
        let provider = Provider()
        let sender = try sender(provider)
        for token in ["", "0x", "../../3", String(repeating: "a", count: 201)] {
            let address = PushAddress.apple(token: token, topic: "org.example.app", isSandbox: false)
            let outcome = await sender.send(.sample(to: address, at: clock.now))
            #expect(outcome == .deviceGone(reason: "BadDeviceToken", since: nil), "\(token)")
        }
        var alert = PushAlert.sample
        alert.body = String(repeating: "가", count: 1400)
        let long = await sender.send(.sample(to: device, .alert(alert), at: clock.now))
        #expect(long == .refused(reason: "PayloadTooLarge"))
        #expect(provider.requests.isEmpty)
    }

    @Test func `every documented reason`() async throws {
        let gone = ["BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered"]
        let later = ["IdleTimeout", "InternalServerError", "TooManyRequests"]
        let laterForAll = ["ServiceUnavailable", "Shutdown"]
        let misconfigured = [
            "BadCertificate", "BadCertificateEnvironment", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
            "UnrelatedKeyIdInToken",
        ]
        let refused = [
            "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic", "DuplicateHeaders",
            "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty", "TopicDisallowed",
            "BadEnvironmentKeyIdInToken", "BadPath", "MethodNotAllowed", "PayloadTooLarge",
        ]
        let others = ["ExpiredProviderToken", "TooManyProviderTokenUpdates"]
        #expect(Set(AppleReason.meanings.keys) == Set(gone + later + laterForAll + misconfigured + refused + others))
        for reason in gone + later + laterForAll + misconfigured + refused {
            // The status is of no account where the reason is known.
            let outcome = try await outcome(400, #"{"reason":"\#(reason)"}"#)
            let expected: PushOutcome =
                if gone.contains(reason) {
                    .deviceGone(reason: reason, since: nil)
                } else if later.contains(reason) {
                    .later(reason: reason, after: nil)
                } else if laterForAll.contains(reason) {
                    .later(reason: reason, after: nil, ofAll: true)
                } else if misconfigured.contains(reason) {
                    .misconfigured(reason: reason)
                } else {
                    .refused(reason: reason)
                }
            #expect(outcome == expected)
        }
    }

    @Test func `since when a device is gone`() async throws {
        let outcome = try await outcome(410, #"{"reason":"Unregistered","timestamp":1454402113123}"#)
        guard case .deviceGone("Unregistered", let since?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(abs(since.timeIntervalSince1970 - 1_454_402_113.123) < 0.001)
    }

    @Test func `reasons that nobody has heard of go by their status`() async throws {
        #expect(try await outcome(400, #"{"reason":"New"}"#) == .refused(reason: "New"))
        #expect(try await outcome(403, #"{"reason":"New"}"#) == .misconfigured(reason: "New"))
        #expect(try await outcome(410, "") == .deviceGone(reason: "HTTP 410", since: nil))
        #expect(try await outcome(429, "") == .later(reason: "HTTP 429", after: nil))
        #expect(try await outcome(502, "<html>") == .later(reason: "HTTP 502", after: nil))
        let patient = try await outcome(503, #"{"reason":"Shutdown"}"#, headers: [("retry-after", "7")])
        #expect(patient == .later(reason: "Shutdown", after: .seconds(7), ofAll: true))
        #expect(try await outcome(503, "") == .later(reason: "HTTP 503", after: nil, ofAll: true))
    }

    @Test func `a stream that was refused or lost is sent later`() async throws {
        for failure in [OutboundFailure.late, .failed(92), .failed(16), .failed(56)] {
            let provider = Provider { _, _ in throw failure }
            guard case .later(_, nil, false) = try await sender(provider).send(.sample(to: device, at: clock.now))
            else {
                Issue.record("\(failure) is not later")
                continue
            }
        }
    }

    // MARK: Tokens

    private func claims(_ authorization: String?) async throws -> ReadClaims {
        let text = try #require(authorization)
        try #require(text.hasPrefix("bearer "))
        let keys = JWTKeyCollection()
        let key = try ES256PublicKey(pem: self.keys.apple.publicKey.pemRepresentation)
        await keys.add(ecdsa: key, kid: "ABCDE12345")
        return try await keys.verify(String(text.dropFirst(7)), as: ReadClaims.self)
    }

    @Test func `a token is renewed between twenty and sixty minutes`() async throws {
        let provider = Provider()
        let sender = try sender(provider)
        for _ in 0..<180 {
            _ = await sender.send(.sample(to: device, at: clock.now))
            clock.advance(.seconds(60))
        }
        var tokens: [String] = []
        for request in provider.requests {
            let token = try #require(request.header("authorization"))
            if tokens.last != token { tokens.append(token) }
        }
        #expect(Set(tokens).count == tokens.count)
        var moments: [Int64] = []
        for token in tokens {
            let claims = try await claims(token)
            #expect(claims.iss == "TEAM123456")
            moments.append(try #require(claims.iat))
        }
        #expect(moments.count >= 3 && moments.first == 1_800_000_000)
        for (one, next) in zip(moments, moments.dropFirst()) { #expect((20 * 60..<60 * 60).contains(next - one)) }
    }

    @Test func `many who begin at once use one token`() async throws {
        let provider = Provider()
        let sender = try sender(provider)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = await sender.send(.sample(to: device, at: clock.now)) } }
        }
        #expect(provider.requests.count == 100)
        #expect(Set(provider.requests.compactMap { $0.header("authorization") }).count == 1)
    }

    @Test func `a stale token is renewed once`() async throws {
        let stale = #"{"reason":"ExpiredProviderToken"}"#
        let first = Provider { request, count in
            count == 0 ? .saying(403, stale, to: request) : .saying(200, to: request)
        }
        #expect(try await sender(first).send(.sample(to: device, at: clock.now)) == .accepted(name: nil))
        #expect(Set(first.requests.compactMap { $0.header("authorization") }).count == 2)
        #expect(Set(first.requests.compactMap { $0.header("apns-id") }).count == 1)

        // Where no token is good the clock is wrong, and Apple is not asked with one new token after the other.
        let always = Provider(403, stale)
        let sender = try sender(always)
        for _ in 0..<5 {
            let outcome = await sender.send(.sample(to: device, at: clock.now))
            #expect(outcome == .misconfigured(reason: "ExpiredProviderToken"))
        }
        #expect(Set(always.requests.compactMap { $0.header("authorization") }).count == 2)
        let hurried = try await outcome(429, #"{"reason":"TooManyProviderTokenUpdates"}"#)
        #expect(hurried == .later(reason: "TooManyProviderTokenUpdates", after: .seconds(1200), ofAll: true))
    }
}
