// SPDX-License-Identifier: Apache-2.0
// An issuer in this process, which takes nothing that is not exactly right.

import Crypto
import CryptoExtras
import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import AuthService

/// Claims or fields of a header.
typealias Members = [String: any Sendable]

/// A key of an issuer.
struct TestKey: Sendable {
    enum Kind: Sendable {
        case ec(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    let id: String
    let kind: Kind

    static func ec(_ id: String) -> TestKey { TestKey(id: id, kind: .ec(P256.Signing.PrivateKey())) }

    static func rsa(_ id: String, bits: _RSA.Signing.KeySize = .bits2048) throws -> TestKey {
        TestKey(id: id, kind: .rsa(try _RSA.Signing.PrivateKey(keySize: bits)))
    }

    var algorithm: String { if case .ec = kind { "ES256" } else { "RS256" } }

    /// As RFC 7517 writes its public half.
    func described() throws -> Members {
        switch kind {
        case .ec(let key):
            let point = Array(key.publicKey.rawRepresentation)
            return [
                "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "alg": "ES256",
                "x": point.prefix(32).base64URL, "y": point.suffix(32).base64URL,
            ]
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            return [
                "kty": "RSA", "kid": id, "use": "sig", "alg": "RS256", "n": Array(numbers.modulus).base64URL,
                "e": Array(numbers.publicExponent).base64URL,
            ]
        }
    }

    func signature(of text: String) throws -> [UInt8] {
        switch kind {
        case .ec(let key): Array(try key.signature(for: Data(text.utf8)).rawRepresentation)
        case .rsa(let key):
            Array(
                try key.signature(for: SHA256.hash(data: Data(text.utf8)), padding: .insecurePKCS1v1_5)
                    .rawRepresentation
            )
        }
    }

    func token(_ claims: Members, header changes: Members = [:]) throws -> String {
        let header: Members = ["alg": algorithm, "kid": id].merging(changes) { $1 }
        let signed = try "\(TestKey.part(header)).\(TestKey.part(claims))"
        return "\(signed).\(try signature(of: signed).base64URL)"
    }

    static func part(_ members: Members) throws -> String {
        Array(try JSONSerialization.data(withJSONObject: members.filter { !($0.value is NSNull) })).base64URL
    }
}

final class TestIssuer: Sendable {
    /// What a code stands for.
    struct Given: Sendable {
        let client: String
        var redirect: String?
        var challenge: String?
        var nonce: String?
        var subject: String
    }

    struct State: Sendable {
        var keys: [TestKey]
        var codes: [String: Given] = [:]
        /// Paths that were asked.
        var asked: [String] = []
        var revoked: [String] = []
        var isAway = false
        /// What answers a path instead of what should.
        var instead: [String: IssuerAnswer] = [:]
        var cacheControl: String?
        var refreshTokens = 0
    }

    let issuer: Issuer
    let clock: SetClock
    let state: Mutex<State>
    /// Apple's half of the key that we sign with.
    private let appleKey: P256.Signing.PublicKey?

    static let client = "madang-web"
    static let app = "madang-ios"

    init(_ name: String = "issuer", clock: SetClock, key: TestKey = .ec("first")) throws {
        self.clock = clock
        state = Mutex(State(keys: [key]))
        let kind = Issuer.Kind(rawValue: name) ?? .other
        var credential = Issuer.Credential.secret("the client secret")
        if kind == .apple {
            let own = P256.Signing.PrivateKey()
            appleKey = own.publicKey
            let key = AppleKey(team: "TEAM123456", keyID: "KEY1234567", pem: own.pemRepresentation)
            credential = .apple(try #require(key))
        } else {
            appleKey = nil
        }
        issuer = Issuer(
            name: name,
            kind: kind,
            ownTitle: nil,
            address: "https://\(name).example",
            clients: [TestIssuer.client, TestIssuer.app],
            credential: credential,
            scopes: "openid email"
        )
    }

    /// Runs a test with this issuer alone.
    static func run(
        _ name: String = "issuer",
        limits: Limits = Limits(),
        registrations: Registrations = .open,
        _ body: @escaping @Sendable (AuthWorld, TestIssuer) async throws -> Void
    ) async throws {
        let clock = SetClock()
        let issuer = try TestIssuer(name, clock: clock)
        try await AuthWorld.run(
            registrations: registrations,
            limits: limits,
            clock: clock,
            issuers: [issuer.issuer],
            asking: issuer.answer
        ) { try await body($0, issuer) }
    }

    // MARK: Tokens

    func claims(_ subject: String, _ changes: Members = [:]) -> Members {
        let now = clock.now.seconds
        let usual: Members = [
            "iss": issuer.address, "sub": subject, "aud": TestIssuer.app, "iat": now, "exp": now + 600,
            "email": "\(subject)@example.org", "email_verified": true, "jti": UUID().uuidString,
        ]
        return usual.merging(changes) { $1 }
    }

    func token(_ subject: String, _ changes: Members = [:], header: Members = [:]) throws -> String {
        let key = try #require(state.withLock { $0.keys.last })
        return try key.token(claims(subject, changes), header: header)
    }

    // MARK: Pages

    /// What a person does at the issuer: agrees. Returns the state and the code.
    func agree(to location: String, as subject: String) throws -> (state: String, code: String) {
        let parts = try #require(URLComponents(string: location))
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(location.hasPrefix(issuer.address + "/authorize?"))
        #expect(query["response_type"] == "code" && query["client_id"] == TestIssuer.client)
        #expect(query["redirect_uri"] == callback && query["scope"] == issuer.scopes)
        #expect(query["code_challenge_method"] == "S256" && query["code_challenge"]?.utf8.count == 43)
        #expect((query["nonce"]?.utf8.count ?? 0) >= 32)
        #expect((query["response_mode"] == "form_post") == issuer.postsForm)
        let given = Given(
            client: TestIssuer.client,
            redirect: query["redirect_uri"],
            challenge: query["code_challenge"],
            nonce: query["nonce"],
            subject: subject
        )
        return (try #require(query["state"]), code(given))
    }

    var callback: String { "http://localhost:3000/auth/with/\(issuer.name)/callback" }

    /// A code that an app is given.
    func code(_ given: Given) -> String {
        let code = UUID().uuidString
        state.withLock { $0.codes[code] = given }
        return code
    }

    // MARK: What it answers

    @Sendable func answer(_ question: IssuerQuestion) async throws -> IssuerAnswer {
        let path = String(question.url.dropFirst(issuer.address.count))
        let (isAway, instead, cache) = state.withLock { state in
            state.asked.append(path)
            return (state.isAway, state.instead[path], state.cacheControl)
        }
        if isAway { throw IssuerAway(cause: "the test") }
        if let instead { return instead }
        switch path {
        case "/.well-known/openid-configuration":
            return try json(
                [
                    "issuer": issuer.address, "authorization_endpoint": issuer.address + "/authorize",
                    "token_endpoint": issuer.address + "/token", "jwks_uri": issuer.address + "/keys",
                    "revocation_endpoint": issuer.address + "/revoke",
                ],
                cache: cache
            )
        case "/keys":
            let keys = try state.withLock { $0.keys }.map { try $0.described() }
            let others: [Members] = [
                ["kty": "oct", "kid": "secret", "k": "AAAA"],
                ["kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": "AAAA"],
                ["kty": "RSA", "kid": "short", "n": "AQAB", "e": "AQAB"],
            ]
            return try json(["keys": others + keys], cache: cache)
        case "/token":
            return try redeem(Dictionary(uniqueKeysWithValues: (question.form ?? []).map { ($0.name, $0.value) }))
        case "/revoke":
            let form = Dictionary(uniqueKeysWithValues: (question.form ?? []).map { ($0.name, $0.value) })
            guard try knows(form), let token = form["token"] else { return try refusal("invalid_client") }
            state.withLock { $0.revoked.append(token) }
            return IssuerAnswer(status: 200, body: [])
        default: return IssuerAnswer(status: 404, body: [])
        }
    }

    private func redeem(_ form: [String: String]) throws -> IssuerAnswer {
        guard form["grant_type"] == "authorization_code", try knows(form) else { return try refusal("invalid_client") }
        guard let code = form["code"], let given = state.withLock({ $0.codes.removeValue(forKey: code) }),
            given.client == form["client_id"], given.redirect == form["redirect_uri"],
            given.challenge == form["code_verifier"].map({ Array(SHA256.hash(data: Data($0.utf8))).base64URL })
        else { return try refusal("invalid_grant") }
        let number = state.withLock { state in
            state.refreshTokens += 1
            return state.refreshTokens
        }
        let nonce: Members = given.nonce.map { ["nonce": $0] } ?? [:]
        return try json([
            "access_token": "unused", "token_type": "Bearer", "refresh_token": "refresh-\(number)",
            "id_token": try token(given.subject, ["aud": given.client].merging(nonce) { $1 }),
        ])
    }

    private func knows(_ form: [String: String]) throws -> Bool {
        guard let appleKey else { return form["client_secret"] == "the client secret" }
        let parts = (form["client_secret"] ?? "").split(separator: ".").map(String.init)
        guard parts.count == 3, let claims = part(parts[1]), let header = part(parts[0]) else { return false }
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes(parts[2]))
        let now = Int(clock.now.seconds)
        return appleKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
            && header["alg"] as? String == "ES256" && header["kid"] as? String == "KEY1234567"
            && claims["iss"] as? String == "TEAM123456" && claims["sub"] as? String == form["client_id"]
            && claims["aud"] as? String == issuer.address && claims["iat"] as? Int == now
            && (now...now + 15_777_000).contains(claims["exp"] as? Int ?? 0)
    }

    private func part(_ text: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: bytes(text)) as? [String: Any]
    }

    private func bytes(_ text: String) -> Data {
        var text = text.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text) ?? Data()
    }

    private func refusal(_ error: String) throws -> IssuerAnswer {
        IssuerAnswer(status: 400, body: Array(try JSONSerialization.data(withJSONObject: ["error": error])))
    }

    private func json(_ members: Members, cache: String? = nil) throws -> IssuerAnswer {
        IssuerAnswer(
            status: 200,
            cacheControl: cache,
            body: Array(try JSONSerialization.data(withJSONObject: members))
        )
    }
}

extension AuthWorld {
    /// Signs in from an app with a token of an issuer.
    func arrive(
        _ token: String,
        at issuer: TestIssuer,
        _ more: [(String, String)] = []
    ) async throws -> Answer {
        try await send(
            .post,
            "/api/v1/sessions/\(issuer.issuer.name)",
            form: [("id_token", token), ("device_name", "Phone")] + more
        )
    }

    func finish(_ registration: String, as username: String, at issuer: TestIssuer) async throws -> Answer {
        try await send(
            .post,
            "/api/v1/sessions/\(issuer.issuer.name)/account",
            form: [("registration_token", registration), ("username", username), ("agreement", "true")]
        )
    }

    /// Signs up with an issuer, and returns the token of the session.
    func join(_ username: String, at issuer: TestIssuer, code: String? = nil) async throws -> String {
        let more = code.map { [("authorization_code", $0)] } ?? []
        let arrived = try await arrive(issuer.token(username), at: issuer, more)
        #expect(arrived.status == .accepted)
        let joined = try await finish(arrived.text("registration_token"), as: username, at: issuer)
        #expect(joined.status == .ok, "\(joined.page)")
        return try joined.text("access_token")
    }
}
