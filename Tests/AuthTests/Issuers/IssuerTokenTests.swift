// SPDX-License-Identifier: Apache-2.0
// Which tokens of issuers let somebody in, and which do not.

import Crypto
import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import AuthService

@Suite struct IssuerTokenTests {
    @Test func nothingIsThereWithoutAnIssuer() async throws {
        try await AuthWorld.run { world in
            let none = try await world.send(.get, "/api/v1/issuers")
            #expect(none.status == .ok && none.list.isEmpty)
            for path in ["/api/v1/sessions/apple", "/api/v1/sessions/apple/account"] {
                #expect(try await world.send(.post, path, form: [("id_token", "a.b.c")]).status == .notFound, "\(path)")
            }
            #expect(try await world.send(.get, "/auth/with/apple").status == .notFound)
            #expect(try await world.send(.post, "/auth/with/apple/notifications", form: []).status == .notFound)
            #expect(!(try await world.send(.get, "/auth/sign_in").page.contains("/auth/with/")))
        }
    }

    @Test func signsUpOnceAndInFromThenOn() async throws {
        try await TestIssuer.run { world, issuer in
            let arrived = try await world.arrive(issuer.token("mina", ["name": "Mina K."]), at: issuer)
            #expect(arrived.status == .accepted && arrived.headers[.cacheControl] == "no-store")
            #expect(arrived.object["access_token"] == nil)
            #expect(try arrived.text("email") == "mina@example.org" && arrived.object["email_in_use"] as? Bool == false)
            #expect(try arrived.text("username") == "mina_k" || arrived.text("username") == "mina_k_")
            let joined = try await world.finish(arrived.text("registration_token"), as: "mina", at: issuer)
            #expect(joined.status == .ok && joined.headers[.registered] != nil)
            let first = try #require(try await world.principal(joined.text("access_token"))?.account)
            #expect(first.username.text == "mina")
            #expect(try await world.recorded("auth.AccountRegistered.v1").count == 1)
            // The row was used.
            let again = try await world.finish(arrived.text("registration_token"), as: "another", at: issuer)
            #expect(again.status == .gone && again.object["code"] as? String == "sign-up-over")
            // In from here on, also for another app and under another address of mail.
            let changed: Members = ["aud": TestIssuer.client, "email": "new@example.org"]
            let back = try await world.arrive(issuer.token("mina", changed), at: issuer)
            #expect(back.status == .ok && back.object["device_token"] is String)
            #expect(try await world.principal(back.text("access_token"))?.account?.id == first.id)
            #expect(try await world.count("SELECT count(*) FROM accounts") == 1)
            #expect(try await world.count("SELECT count(*) FROM audit WHERE act = 'identity_linked'") == 1)
        }
    }

    @Test func aTokenIsTakenOnce() async throws {
        try await TestIssuer.run { world, issuer in
            _ = try await world.join("mina", at: issuer)
            let token = try issuer.token("mina")
            #expect(try await world.arrive(token, at: issuer).status == .ok)
            #expect(try await world.arrive(token, at: issuer).object["code"] as? String == "issuer-token-refused")
            // The other form of the same signature (r, n - s) is the same token.
            #expect(try await world.arrive(Self.twin(of: token), at: issuer).status == .unauthorized)
            let many = try issuer.token("mina")
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await world.arrive(many, at: issuer).status.code } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.sorted() == [200] + Array(repeating: 401, count: 7))
        }
    }

    /// The order of P-256 less the second half of the signature.
    private static func twin(of token: String) throws -> String {
        let parts = token.split(separator: ".").map(String.init)
        var text = parts[2].replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        let signature = Array(try #require(Data(base64Encoded: text)))
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        var twin = signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            twin[32 + index] = UInt8(difference + 256 * borrow)
        }
        return "\(parts[0]).\(parts[1]).\(twin.base64URL)"
    }

    @Test func refusesWhatIsNotExactlyRight() async throws {
        try await TestIssuer.run { world, issuer in
            let now = world.clock.now.seconds
            let wrong: [String: Members] = [
                "another app": ["aud": "somebody-else"], "no app": ["aud": [String]()],
                "another issuer": ["iss": "https://other.example"],
                "an issuer with a slash": ["iss": "https://issuer.example/"],
                "over": ["exp": now - 61, "iat": now - 600], "without end": ["exp": NSNull()],
                "without beginning": ["iat": NSNull()], "of the future": ["iat": now + 120],
                "not yet": ["nbf": now + 120], "for ever": ["exp": now + 40 * 86_400],
                "an end beyond all": ["exp": 1e300],
                "nobody": ["sub": NSNull()], "an empty subject": ["sub": ""], "a subject with a line": ["sub": "a\nb"],
                "a long subject": ["sub": String(repeating: "a", count: 256)],
                "several apps, asked for by none": ["aud": [TestIssuer.app, "other"]],
                "asked for by another": ["aud": [TestIssuer.app, "other"], "azp": "other"],
                "asked for by another alone": ["azp": "other"], "a nonce that nobody made": ["nonce": "abc"],
                "an audience that is none": ["aud": 5], "a moment in words": ["exp": "tomorrow"],
            ]
            for (name, changes) in wrong {
                let answer = try await world.arrive(issuer.token("mina", changes), at: issuer)
                #expect(answer.status == .unauthorized, "\(name): \(answer.page)")
                #expect(answer.object["code"] as? String == "issuer-token-refused", "\(name)")
            }
            #expect(try await world.count("SELECT count(*) FROM newcomers") == 0)
            #expect(try await world.count("SELECT count(*) FROM taken_tokens") == 0)
            let right: [String: Members] = [
                "two apps": ["aud": [TestIssuer.app, "other"], "azp": TestIssuer.app],
                "a clock that is ahead": ["iat": now + 59],
                "a clock that is behind": ["exp": now - 59], "its own name": ["azp": TestIssuer.client],
            ]
            for (name, changes) in right {
                let answer = try await world.arrive(issuer.token("mina", changes), at: issuer)
                #expect(answer.status == .accepted, "\(name): \(answer.page)")
            }
        }
    }

    @Test func refusesWhatWasNotSignedByTheIssuer() async throws {
        try await TestIssuer.run { world, issuer in
            let key = try #require(issuer.state.withLock { $0.keys.first })
            let claims = issuer.claims("mina")
            let body = try TestKey.part(claims)
            let unsigned = try "\(TestKey.part(["alg": "none", "kid": "first"])).\(body)."
            // The public key as if it were a secret.
            let head = try TestKey.part(["alg": "HS256", "kid": "first"])
            let published = try JSONSerialization.data(withJSONObject: key.described())
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(head).\(body)".utf8),
                using: SymmetricKey(data: published)
            )
            let rsa = try TestKey.rsa("first")
            var tokens = [
                "unsigned": unsigned, "unsigned, with a signature": unsigned + "AAAA",
                "by a shared secret": "\(head).\(body).\(Array(code).base64URL)",
                "by another's key": try TestKey.ec("first").token(claims),
                "by a key of another kind": try rsa.token(claims),
                "by a key that says it is another kind": try rsa.token(claims, header: ["alg": "ES256"]),
                "by an unknown key": try TestKey.ec("second").token(claims),
                "ES384": try key.token(claims, header: ["alg": "ES384"]),
                "with a demand": try key.token(claims, header: ["crit": ["exp"]]),
                "a key of its own": try TestKey.ec("own").token(
                    claims,
                    header: ["jwk": ["kty": "EC", "crv": "P-256"], "jku": "https://evil.example"]
                ),
                "the secret that is published": try key.token(claims, header: ["alg": "HS256", "kid": "secret"]),
                "empty": "", "dots": "..", "one part": "abc", "four parts": try key.token(claims) + ".a",
                "no text": "ÿ.ÿ.ÿ", "spaces": " " + (try key.token(claims)),
                "too long": try key.token(claims.merging(["filler": String(repeating: "a", count: 20_000)]) { $1 }),
            ]
            let good = try key.token(claims)
            let parts = good.split(separator: ".")
            tokens["changed"] = "\(parts[0]).\(try TestKey.part(issuer.claims("ada"))).\(parts[2])"
            for (name, token) in tokens {
                let answer = try await world.arrive(token, at: issuer)
                #expect([401, 422].contains(answer.status.code), "\(name): \(answer.page)")
            }
            #expect(try await world.count("SELECT count(*) FROM newcomers") == 0)
            #expect(try await world.arrive(good, at: issuer).status == .accepted)
        }
    }

    @Test func theNonceIsThatOfTheApp() async throws {
        try await TestIssuer.run { world, issuer in
            let nonce = [("nonce", "a random value")]
            for changes: Members in [[:], ["nonce": "another"], ["nonce": ""]] {
                #expect(
                    try await world.arrive(issuer.token("mina", changes), at: issuer, nonce).status == .unauthorized
                )
            }
            let right = try issuer.token("mina", ["nonce": "a random value"])
            #expect(try await world.arrive(right, at: issuer, nonce).status == .accepted)
        }
        // Apple has its hash.
        try await TestIssuer.run("apple") { world, issuer in
            let hash = SHA256.hash(data: Data("a random value".utf8)).map { String(format: "%02x", $0) }.joined()
            let nonce = [("nonce", "a random value")]
            let plain = try issuer.token("mina", ["nonce": "a random value"])
            #expect(try await world.arrive(plain, at: issuer, nonce).status == .unauthorized)
            #expect(
                try await world.arrive(issuer.token("mina", ["nonce": hash]), at: issuer, [("nonce", hash)]).status
                    == .unauthorized
            )
            #expect(
                try await world.arrive(issuer.token("mina", ["nonce": hash]), at: issuer, nonce).status == .accepted
            )
        }
    }

    @Test func onlyAVerifiedAddressCounts() async throws {
        try await TestIssuer.run { world, issuer in
            for (index, told) in ([false, "false", NSNull(), 1, "yes"] as [any Sendable]).enumerated() {
                let token = try issuer.token("p\(index)", ["email_verified": told])
                let answer = try await world.arrive(token, at: issuer)
                #expect(answer.status == .accepted && answer.object["email"] is NSNull, "\(told)")
            }
            let token = try issuer.token("said", ["email_verified": "true"])
            #expect(try await world.arrive(token, at: issuer).text("email") == "said@example.org")
        }
    }

    @Test func readsKeysOfRSA() async throws {
        try await TestIssuer.run("google") { world, issuer in
            let key = try TestKey.rsa("rsa")
            issuer.state.withLock { $0.keys.append(key) }
            #expect(try await world.arrive(issuer.token("mina"), at: issuer).status == .accepted)
            // Google names itself in two ways.
            let named = try issuer.token("mina", ["iss": "accounts.google.com"])
            #expect(try await world.arrive(named, at: issuer).status == .accepted)
        }
    }

    @Test func askesForNewKeysOnceAMinute() async throws {
        try await TestIssuer.run { world, issuer in
            #expect(try await world.arrive(issuer.token("a"), at: issuer).status == .accepted)
            func asked() -> Int { issuer.state.withLock { $0.asked.filter { $0 == "/keys" }.count } }
            #expect(asked() == 1)
            for _ in 0..<5 {
                let unknown = try TestKey.ec("unknown").token(issuer.claims("a"))
                #expect(try await world.arrive(unknown, at: issuer).status == .unauthorized)
            }
            #expect(asked() == 1)
            issuer.state.withLock { $0.keys = [.ec("next")] }
            world.clock.advance(.seconds(61))
            // Many at the same moment ask once.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<6 {
                    let token = try issuer.token("b\(index)")
                    group.addTask { try await world.arrive(token, at: issuer).status.code }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(statuses == [202] && asked() == 2)
        }
    }

    @Test func keysServeWhileTheIssuerIsAway() async throws {
        try await TestIssuer.run { world, issuer in
            issuer.state.withLock { $0.isAway = true }
            let answer = try await world.arrive(issuer.token("a"), at: issuer)
            #expect(answer.status == .serviceUnavailable)
            #expect(try await world.count("SELECT count(*) FROM taken_tokens") == 0)
            issuer.state.withLock { $0.isAway = false }
            world.clock.advance(.seconds(6))
            #expect(try await world.arrive(issuer.token("a"), at: issuer).status == .accepted)
            issuer.state.withLock { $0.isAway = true }
            world.clock.advance(.seconds(12 * 3600))
            #expect(try await world.arrive(issuer.token("a"), at: issuer).status == .accepted)
            world.clock.advance(.seconds(24 * 3600))
            #expect(try await world.arrive(issuer.token("a"), at: issuer).status == .serviceUnavailable)
        }
    }

    @Test func believesNoConfigurationOfAnother() async throws {
        try await TestIssuer.run { world, issuer in
            let path = "/.well-known/openid-configuration"
            func document(_ issuer: String, _ keys: String) -> IssuerAnswer {
                let text =
                    #"{"issuer":"\#(issuer)","authorization_endpoint":"https://a.example/a","#
                    + #""token_endpoint":"https://a.example/t","jwks_uri":"\#(keys)"}"#
                return IssuerAnswer(status: 200, body: Array(text.utf8))
            }
            let wrong = [
                document("https://other.example", "https://issuer.example/keys"),
                document("https://issuer.example", "http://issuer.example/keys"),
                document("https://issuer.example", "file:///etc/passwd"),
                document("https://issuer.example", "https://user@issuer.example/keys"),
                IssuerAnswer(status: 200, body: Array("[]".utf8)), IssuerAnswer(status: 404, body: []),
            ]
            for answer in wrong {
                issuer.state.withLock { $0.instead[path] = answer }
                world.clock.advance(.seconds(6))
                let refused = try await world.arrive(issuer.token("a"), at: issuer)
                #expect(refused.status == .serviceUnavailable)
            }
            issuer.state.withLock { $0.instead[path] = nil }
            for keys in ["{}", #"{"keys":[]}"#, "<html>", #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#] {
                issuer.state.withLock { $0.instead["/keys"] = IssuerAnswer(status: 200, body: Array(keys.utf8)) }
                world.clock.advance(.seconds(6))
                let refused = try await world.arrive(issuer.token("a"), at: issuer)
                #expect(refused.status == .serviceUnavailable, "\(keys)")
            }
        }
    }

    @Test func readsHowLongToKeepSomething() {
        #expect(lifetime(cacheControl: "public, max-age=21600, must-revalidate") == .seconds(21_600))
        #expect(lifetime(cacheControl: nil) == .seconds(3600))
        #expect(lifetime(cacheControl: "no-store, max-age=5") == .zero)
        #expect(lifetime(cacheControl: "max-age=-5") == .zero)
        #expect(lifetime(cacheControl: "max-age=99999999999999999999") == .seconds(3600))
    }

    @Test func whatIsClosedOpensInItsPlaceAlone() throws {
        let seal = Seal("one")
        let closed = try seal.close("a token", of: "place")
        #expect(seal.open(closed, of: "place") == "a token")
        #expect(seal.open(closed, of: "elsewhere") == nil)
        #expect(Seal("two").open(closed, of: "place") == nil)
        #expect(seal.open([], of: "place") == nil)
        #expect(try seal.close("a token", of: "place") != closed)
    }
}
