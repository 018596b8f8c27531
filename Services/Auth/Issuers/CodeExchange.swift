// SPDX-License-Identifier: Apache-2.0
// What an issuer gives for a code.

import Domain
import Foundation
import Web

/// The answer of a token endpoint (OpenID Connect Core 1.0, section 3.1.3).
struct CodeExchange: Sendable {
    let idToken: String?
    let refreshToken: String?

    private struct Document: Decodable {
        let idToken: String?
        let refreshToken: String?

        enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case refreshToken = "refresh_token"
        }
    }

    /// Throws `TokenRefused` for a code that the issuer does not take, `IssuerAway` where it says nothing of use.
    ///
    /// - Parameters:
    ///   - client: the app that the code was given to.
    ///   - page: where the code came to and what proves that it was asked for here; nil for a code that an app brings.
    init(
        _ code: String,
        of issuer: Issuer,
        client: String,
        page: (redirectURI: String, verifier: String)? = nil,
        _ dependencies: Dependencies
    ) async throws {
        guard (1...4096).contains(code.utf8.count) else { throw TokenRefused(.code) }
        var form = [(name: "grant_type", value: "authorization_code"), (name: "code", value: code)]
        if let page {
            form += [(name: "redirect_uri", value: page.redirectURI), (name: "code_verifier", value: page.verifier)]
        }
        let issuers = dependencies.issuers
        let place = try await issuers.endpoints(of: issuer).token
        let answer = try await issuers.post(form, to: place, of: issuer, client: client)
        guard answer.status == 200 else {
            if (400..<500).contains(answer.status), answer.status != 429 { throw TokenRefused(.code) }
            throw IssuerAway(cause: "status \(answer.status) for a code")
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(answer.body)) else {
            throw IssuerAway(cause: "an answer to a code that cannot be read")
        }
        idToken = document.idToken
        refreshToken = document.refreshToken.flatMap { (1...4096).contains($0.utf8.count) ? $0 : nil }
    }
}
