// SPDX-License-Identifier: Apache-2.0
// The issuers of this place, and what they said of themselves.

import Crypto
import Domain
import Foundation
import ServiceKit
import Synchronization
import Web

/// Everything that is asked of issuers goes by here.
struct Issuers: Sendable {
    let all: [Issuer]
    /// What they gave is kept under this key.
    let seal: Seal
    private let places: [String: Place]
    private let now: @Sendable () -> Timestamp

    private struct Place: Sendable {
        let endpoints: KeptDocument<IssuerEndpoints>
        let keys: KeptDocument<SigningKeys>
        let asking: AskIssuer
    }

    /// - Parameter metrics: where operators read who does not answer.
    init(
        _ all: [Issuer],
        seal: Seal,
        now: @escaping @Sendable () -> Timestamp,
        metrics: Metrics? = nil,
        asking ask: @escaping AskIssuer
    ) {
        self.all = all
        self.seal = seal
        self.now = now
        metrics?.gauge("madang_auth_issuers", help: "Issuers that may sign people in.") { Double(all.count) }
        places = all.reduce(into: [:]) { places, issuer in
            let health = IssuerHealth(issuer, metrics)
            let asking = health.watching(ask)
            let endpoints = KeptDocument(now: now) { try await IssuerEndpoints.ask(issuer, asking) }
            let keys = KeptDocument(now: now) {
                let url = try await endpoints.current().keys
                let answer = try await asking(IssuerQuestion(url: url, isOfOperator: issuer.isAt(url)))
                guard answer.status == 200 else { throw IssuerAway(cause: "status \(answer.status) for keys") }
                return .init(
                    value: try await SigningKeys(answer.body),
                    lifetime: lifetime(cacheControl: answer.cacheControl)
                )
            }
            places[issuer.name] = Place(endpoints: endpoints, keys: keys, asking: asking)
        }
    }

    /// Throws not found for a name that the operator did not name.
    func named(_ name: String?) throws -> Issuer {
        guard let issuer = all.first(where: { $0.name == name }) else { throw Problem.notFound }
        return issuer
    }

    /// Of a row; nil for one that is not named any more.
    func at(_ address: String) -> Issuer? { all.first { $0.address == address } }

    func endpoints(of issuer: Issuer) async throws -> IssuerEndpoints {
        guard let place = places[issuer.name] else { throw Problem.notFound }
        return try await place.endpoints.current()
    }

    /// Throws `TokenRefused` or, where the issuer's keys cannot be had, `IssuerAway`.
    func token(_ text: String, of issuer: Issuer) async throws -> SignedToken {
        guard let place = places[issuer.name] else { throw Problem.notFound }
        return try await SignedToken(text, of: issuer, now: now()) { renewed in
            renewed ? try await place.keys.renewed() : try await place.keys.current()
        }
    }

    /// Posts a form to the issuer, with what proves who we are.
    func post(
        _ form: [(name: String, value: String)],
        to url: String,
        of issuer: Issuer,
        client: String
    ) async throws -> IssuerAnswer {
        guard let place = places[issuer.name] else { throw Problem.notFound }
        var form = form + [("client_id", client)]
        switch issuer.credential {
        case .none: break
        case .secret(let secret): form.append(("client_secret", secret))
        case .apple(let key):
            let secret = try await key.secret(for: client, at: now(), audience: issuer.address)
            form.append(("client_secret", secret))
        }
        return try await place.asking(IssuerQuestion(url: url, form: form, isOfOperator: issuer.isAt(url)))
    }
}

/// Whether an issuer answered last time.
private final class IssuerHealth: Sendable {
    private let answers = Atomic(true)

    init(_ issuer: Issuer, _ metrics: Metrics?) {
        let labels = [("issuer", issuer.name)]
        metrics?.gauge("madang_auth_issuer_answers", help: "Whether the issuer answered last time.", labels: labels) {
            self.answers.load(ordering: .relaxed) ? 1 : 0
        }
        metrics?.gauge("madang_auth_issuer_pages", help: "Whether people come by the issuer's page.", labels: labels) {
            issuer.hasPage ? 1 : 0
        }
    }

    func watching(_ ask: @escaping AskIssuer) -> AskIssuer {
        { question in
            do {
                let answer = try await ask(question)
                self.answers.store(answer.status < 500, ordering: .relaxed)
                return answer
            } catch {
                self.answers.store(false, ordering: .relaxed)
                throw error
            }
        }
    }
}

extension Issuer {
    /// Whether a place is where the operator said that this issuer is.
    func isAt(_ url: String) -> Bool { IssuerEndpoints.origin(url) == IssuerEndpoints.origin(address) }
}

/// Where an issuer is asked what (OpenID Connect Discovery 1.0).
struct IssuerEndpoints: Sendable {
    let authorization: String
    let token: String
    let keys: String
    /// RFC 7009.
    let revocation: String?

    private struct Document: Decodable {
        let issuer: String
        let authorizationEndpoint: String
        let tokenEndpoint: String
        let jwksURI: String
        let revocationEndpoint: String?

        enum CodingKeys: String, CodingKey {
            case issuer
            case authorizationEndpoint = "authorization_endpoint"
            case tokenEndpoint = "token_endpoint"
            case jwksURI = "jwks_uri"
            case revocationEndpoint = "revocation_endpoint"
        }
    }

    static func ask(_ issuer: Issuer, _ asking: AskIssuer) async throws -> KeptDocument<IssuerEndpoints>.Fetched {
        let url = issuer.address + "/.well-known/openid-configuration"
        let answer = try await asking(IssuerQuestion(url: url, isOfOperator: true))
        guard answer.status == 200 else { throw IssuerAway(cause: "status \(answer.status) for its configuration") }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(answer.body)) else {
            throw IssuerAway(cause: "a configuration that cannot be read")
        }
        // Whoever speaks for another is none (section 4.3).
        guard document.issuer == issuer.address else { throw IssuerAway(cause: "the configuration of another issuer") }
        let named = [document.authorizationEndpoint, document.tokenEndpoint, document.jwksURI]
        for url in named + [document.revocationEndpoint].compactMap({ $0 }) where !isFit(url, of: issuer) {
            throw IssuerAway(cause: "a configuration that names a place without TLS")
        }
        return .init(
            value: IssuerEndpoints(
                authorization: document.authorizationEndpoint,
                token: document.tokenEndpoint,
                keys: document.jwksURI,
                revocation: document.revocationEndpoint
            ),
            lifetime: lifetime(cacheControl: answer.cacheControl)
        )
    }

    private static func isFit(_ url: String, of issuer: Issuer) -> Bool {
        guard url.utf8.count <= 1000, let origin = origin(url) else { return false }
        return origin.hasPrefix("https://") || origin == self.origin(issuer.address)
    }

    /// Scheme, host and port; nil for what is no URL of the web or has a user or a fragment.
    fileprivate static func origin(_ url: String) -> String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host, !host.isEmpty,
            let port = parts.port ?? ["https": 443, "http": 80][scheme], ["http", "https"].contains(scheme),
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        return "\(scheme)://\(host.lowercased()):\(port)"
    }
}

/// Keeps what others gave so that only this place can read it.
struct Seal: Sendable {
    private let key: SymmetricKey

    init(_ text: String) { key = SymmetricKey(data: SHA256.hash(data: Array("madang issuers\0\(text)".utf8))) }

    /// - Parameter place: whose it is; it opens under the same alone.
    func close(_ text: String, of place: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(Array(text.utf8), using: key, authenticating: Array(place.utf8))
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// Nil under another key or of another place.
    func open(_ bytes: [UInt8], of place: String) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Array(place.utf8))
        else { return nil }
        return String(validating: opened, as: UTF8.self)
    }
}
