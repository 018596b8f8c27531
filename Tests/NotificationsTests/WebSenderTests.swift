// SPDX-License-Identifier: Apache-2.0
// What push services are asked, who we say that we are, and what follows from their answers.

import Crypto
import Domain
import Foundation
import JWTKit
import Support
import Testing
import Web

@testable import NotificationsService
@testable import Outbound

@Suite struct WebSenderTests {
    private let clock = SetClock(Timestamp(milliseconds: 1_800_000_000_500))
    private let keys = OperatorKeys()

    private func sender(_ provider: Provider) throws -> WebSender {
        WebSender(try keys.identity(), ask: provider.ask, now: { [clock] in clock.now }, patience: .patient)
    }

    private func address(_ endpoint: String, isStandard: Bool = true) -> PushAddress {
        .web(
            endpoint: endpoint,
            publicKey: P256.KeyAgreement.PrivateKey().publicKey.x963Representation,
            secret: Data(repeating: 7, count: 16),
            isStandard: isStandard
        )
    }

    private func claims(_ token: String) async throws -> ReadClaims {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PublicKey(pem: self.keys.web.publicKey.pemRepresentation))
        return try await keys.verify(token, as: ReadClaims.self)
    }

    @Test func `a message of the standard`() async throws {
        let provider = Provider(201, headers: [("location", "https://push.example/message/1")])
        let push = Push.sample(
            to: address("https://Push.example:8443/s/1?a=b"),
            collapseKey: String(repeating: "k", count: 64),
            at: clock.now
        )
        #expect(try await sender(provider).send(push) == .accepted(name: "https://push.example/message/1"))
        let request = try #require(provider.requests.first)
        #expect(request.method == .post && request.url == "https://Push.example:8443/s/1?a=b")
        #expect(request.values("ttl") == ["599"])
        #expect(request.values("urgency") == ["high"])
        #expect(request.values("content-encoding") == ["aes128gcm"])
        let topic = try #require(request.header("topic"))
        #expect(topic.utf8.count == 32 && Base64.decoded(topic) != nil)
        let authorization = try #require(request.header("authorization"))
        let parts = authorization.split(separator: " ").map(String.init)
        try #require(parts.count == 3 && parts[0] == "vapid" && parts[1].hasPrefix("t=") && parts[1].hasSuffix(","))
        #expect(parts[2] == "k=\(try keys.identity().publicKey)")
        let claims = try await claims(String(parts[1].dropFirst(2).dropLast()))
        #expect(claims.aud == "https://push.example:8443")
        #expect(claims.sub == "mailto:operator@example.org")
        let exp = try #require(claims.exp)
        #expect(exp > clock.now.seconds && exp <= clock.now.seconds + 86_400)
        #expect(!request.guard.isOfOneHost, "an endpoint of somebody may not lead inside")
        #expect(!request.guard.admits(try #require(NetworkAddress("127.0.0.1")), port: 443))
    }

    @Test func `a message of the draft`() async throws {
        let provider = Provider(201)
        let push = Push.sample(to: address("https://push.example/s", isStandard: false), at: clock.now)
        #expect(try await sender(provider).send(push) == .accepted(name: nil))
        let request = try #require(provider.requests.first)
        #expect(request.values("content-encoding") == ["aesgcm"])
        #expect(request.header("encryption")?.hasPrefix("salt=") == true)
        let keyHeader = try #require(request.header("crypto-key"))
        let publicKey = try keys.identity().publicKey
        #expect(keyHeader.hasPrefix("dh=") && keyHeader.hasSuffix(";p256ecdsa=\(publicKey)"))
        let authorization = try #require(request.header("authorization"))
        try #require(authorization.hasPrefix("WebPush "))
        #expect(try await claims(String(authorization.dropFirst(8))).aud == "https://push.example")
    }

    @Test func `a statement is kept for one service for some hours`() async throws {
        let provider = Provider(201)
        let sender = try sender(provider)
        func token(_ endpoint: String) async throws -> String? {
            _ = await sender.send(.sample(to: address(endpoint), at: clock.now))
            return provider.requests.last?.header("authorization")
        }
        let first = try await token("https://push.example/1")
        #expect(try await token("https://push.example/2") == first)
        #expect(try await token("https://other.example/2") != first)
        clock.advance(.seconds(5 * 3600))
        #expect(try await token("https://push.example/1") == first)
        clock.advance(.seconds(2 * 3600))
        #expect(try await token("https://push.example/1") != first)
    }

    @Test func `what follows from an answer`() async throws {
        let expected: [(Int, PushOutcome)] = [
            (200, .accepted(name: nil)), (201, .accepted(name: nil)), (202, .accepted(name: nil)),
            (404, .deviceGone(reason: "HTTP 404", since: nil)), (410, .deviceGone(reason: "HTTP 410", since: nil)),
            (413, .refused(reason: "PayloadTooLarge")), (301, .refused(reason: "HTTP 301")),
            (400, .refused(reason: "HTTP 400")), (401, .refused(reason: "HTTP 401")),
            (403, .refused(reason: "HTTP 403")), (429, .later(reason: "HTTP 429", after: nil)),
            (500, .later(reason: "HTTP 500", after: nil)), (503, .later(reason: "HTTP 503", after: nil)),
        ]
        for (status, outcome) in expected {
            let sender = try sender(Provider(status))
            #expect(await sender.send(.sample(to: address("https://push.example/1"), at: clock.now)) == outcome)
        }
    }

    @Test func `patience is heeded in both of its forms`() async throws {
        let later = (clock.now + .seconds(90)).httpDate
        let said: [(String, Duration?)] = [
            ("120", .seconds(120)), ("0", .zero), ("9999999", .seconds(86_400)), (later, .seconds(90)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", .zero), ("-1", nil), ("soon", nil), ("", nil),
        ]
        for (text, after) in said {
            let sender = try sender(Provider(429, headers: [("retry-after", text)]))
            let outcome = await sender.send(.sample(to: address("https://push.example/1"), at: clock.now))
            #expect(outcome == .later(reason: "HTTP 429", after: after), "\(text)")
        }
    }

    @Test func `endpoints that lead nowhere or inside are not asked`() async throws {
        let provider = Provider(201)
        let sender = try sender(provider)
        for endpoint in [
            "http://push.example/1", "", "https://", "file:///etc/passwd", "https://a:b@push.example/1",
            "//push.example",
        ] {
            let outcome = await sender.send(.sample(to: address(endpoint), at: clock.now))
            #expect(outcome == .deviceGone(reason: "BadEndpoint", since: nil), "\(endpoint)")
        }
        #expect(provider.requests.isEmpty)
        let client = OutboundClient()
        let real = WebSender(try keys.identity(), ask: { try await client.send($0) }, now: { [clock] in clock.now })
        for host in ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254"] {
            let outcome = await real.send(.sample(to: address("https://\(host)/1"), at: clock.now))
            #expect(outcome == .refused(reason: "AddressRefused"), "\(host)")
        }
    }

    @Test func `what nobody can be sent is refused`() async throws {
        let provider = Provider(201)
        let sender = try sender(provider)
        let here = address("https://push.example/1")
        var alert = PushAlert.sample
        #expect(await sender.send(.sample(to: here, .badge(3), at: clock.now)) == .refused(reason: "NothingToShow"))
        alert.webPayload = Data(repeating: 97, count: 3994)
        let long = await sender.send(.sample(to: here, .alert(alert), at: clock.now))
        #expect(long == .refused(reason: "PayloadTooLarge"))
        var late = Push.sample(to: here, at: clock.now)
        late.expiresAt = Date(timeIntervalSince1970: Double(clock.now.seconds))
        #expect(await sender.send(late) == .refused(reason: "Expired"))
        #expect(provider.requests.isEmpty)
    }
}
