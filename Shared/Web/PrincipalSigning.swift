// SPDX-License-Identifier: Apache-2.0
// The signed statement of who is asking, from auth through the gateway to every service.

import Crypto
public import Domain
import FoundationEssentials
public import HTTPTypes
import Synchronization
import Views

/// Signs principals (auth) with Ed25519.
public struct PrincipalSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// - Parameter privateKey: 32 bytes in Base64; nil when it is none.
    public init?(privateKey: String) {
        guard let bytes = Base64.decoded(privateKey), bytes.count == 32,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The value of the header `X-Madang-Principal`: payload and signature in Base64 for URLs, with a dot between.
    ///
    /// - Parameter audience: the one service that may believe it; nil for gateways that do not ask for it by name.
    public func sign(_ principal: Principal, for audience: String? = nil) throws -> String {
        let json = JSONWriter.object(capacity: 256) { json in
            if let account = principal.account {
                json.member("a", account.id)
                json.member("u", account.username.text)
                if account.role != .user { json.member("r", account.role.rawValue) }
                if account.isFrozen { json.member("z", true) }
            }
            json.member("p", principal.appID)
            json.member("n", principal.appName)
            if let website = principal.appWebsite { json.member("w", website) }
            json.member("s", principal.sessionID)
            json.member("c", principal.scopes.description)
            if principal.isOwnApp { json.member("o", true) }
            json.member("e", principal.expires.milliseconds)
            if let audience { json.member("f", audience) }
        }
        return try sign(Base64.encoded(json, url: true))
    }

    /// A text, a dot, and the signature of the text in Base64 for URLs.
    func sign(_ text: String) throws -> String {
        "\(text).\(Base64.encoded(Array(try key.signature(for: Array(text.utf8))), url: true))"
    }

    public var publicKey: String { Base64.encoded(Array(key.publicKey.rawRepresentation)) }
}

/// Verifies what `PrincipalSigner` signed, and remembers what it verified until it expires.
public final class PrincipalVerifier: Sendable {
    public static let header = HTTPField.Name.own("X-Madang-Principal")

    /// Statements remembered; beyond that the memory starts anew.
    private static let capacity = 10_000

    /// Several while the key is being changed.
    private static let mostKeys = 4

    private let keys: [Curve25519.Signing.PublicKey]
    private let audience: String?
    private let now: @Sendable () -> Timestamp
    private let verified = Mutex<[String: Principal]>([:])

    /// - Parameters:
    ///   - publicKey: 32 bytes in Base64, or several such with spaces between while the key is being changed; nil when
    ///     one is none.
    ///   - audience: the name of the service that verifies; nil believes statements for whomever.
    public init?(
        publicKey: String,
        audience: String? = nil,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        let texts = publicKey.split(whereSeparator: \.isWhitespace)
        let keys = texts.prefix(PrincipalVerifier.mostKeys).compactMap { text in
            Base64.decoded(text).flatMap { bytes in
                bytes.count == 32 ? try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) : nil
            }
        }
        guard !keys.isEmpty, keys.count == texts.count else { return nil }
        self.keys = keys
        self.audience = audience
        self.now = now
    }

    /// Nil when it is forged, broken, expired or for another service.
    public func principal(_ value: String) -> Principal? {
        let now = now()
        if let known = verified.withLock({ $0[value] }) { return known.expires > now ? known : nil }
        guard let principal = read(value), principal.expires > now else { return nil }
        verified.withLock { verified in
            if verified.count >= PrincipalVerifier.capacity {
                verified = verified.filter { $0.value.expires > now }
                if verified.count >= PrincipalVerifier.capacity { verified = [:] }
            }
            verified[value] = principal
        }
        return principal
    }

    private func read(_ value: String) -> Principal? {
        // What is signed for another purpose has a dot in it.
        guard let text = verified(value), !text.contains("."), let payload = Base64.decoded(text),
            let parameters = try? JSONReader.parameters(payload), isForUs(parameters)
        else { return nil }
        return try? PrincipalVerifier.principal(parameters)
    }

    /// What was signed; nil where it was not.
    func verified(_ value: String) -> Substring? {
        guard value.utf8.count <= 8192, let dot = value.lastIndex(of: "."),
            let signature = Base64.decoded(value[value.index(after: dot)...]),
            keys.contains(where: { $0.isValidSignature(signature, for: Array(value[..<dot].utf8)) })
        else { return nil }
        return value[..<dot]
    }

    /// A statement that names nobody is one that a gateway of the previous release asked for.
    private func isForUs(_ payload: Parameters) -> Bool {
        guard let audience, payload.contains("f") else { return true }
        return (try? payload.string("f")) == audience
    }

    /// Nobody may do anything by a token whose owner has yet to confirm their address.
    private static func scopes(_ text: String) -> ScopeSet? { text.isEmpty ? ScopeSet([]) : ScopeSet(text) }

    private static func principal(_ payload: Parameters) throws -> Principal? {
        var account: Principal.Account?
        if let id: AccountID = try payload.id("a") {
            guard let username = try payload.string("u").flatMap({ Username($0) }) else { return nil }
            let role = try payload.string("r").flatMap(Role.init(rawValue:)) ?? .user
            let isFrozen = try payload.boolean("z") ?? false
            account = Principal.Account(id: id, username: username, role: role, isFrozen: isFrozen)
        }
        guard let app: AppID = try payload.id("p"), let session: SessionID = try payload.id("s"),
            let name = try payload.string("n"), let scopes = try payload.string("c").flatMap(PrincipalVerifier.scopes),
            let expires = try payload.integer("e")
        else { return nil }
        return Principal(
            account: account,
            appID: app,
            appName: name,
            appWebsite: try payload.string("w"),
            sessionID: session,
            scopes: scopes,
            // A statement of the previous release does not say so: of whoever shows it, it is not known.
            isOwnApp: try payload.boolean("o") ?? false,
            expires: Timestamp(milliseconds: expires)
        )
    }
}
