// SPDX-License-Identifier: Apache-2.0
// Who somebody is, as an issuer says.

import Domain
import Foundation
import Web

/// A token of an issuer that was looked at from all sides, but for whether it was taken before.
struct IDToken: Sendable {
    let issuer: Issuer
    let subject: String
    /// Which of our apps it is for.
    let client: String
    /// Only one that the issuer has verified.
    let email: EmailAddress?
    let name: String?
    let issued: Timestamp
    let hash: [UInt8]
    let expires: Timestamp

    /// - Parameters:
    ///   - nonce: the random value of whoever asked for the token; nil where they made none, and then the token has none.
    ///   - client: the app that asked, where it is known.
    init(
        _ text: String,
        of issuer: Issuer,
        nonce: String?,
        client: String? = nil,
        _ dependencies: Dependencies
    ) async throws {
        let token = try await dependencies.issuers.token(text, of: issuer)
        let claims = token.claims
        guard claims.exp != nil else { throw TokenRefused(.expired) }
        guard let subject = claims.sub, (1...255).contains(subject.utf8.count), !subject.hasControls else {
            throw TokenRefused(.subject)
        }
        guard let meant = claims.aud.names.first(where: issuer.clients.contains) else { throw TokenRefused(.audience) }
        if let client, !claims.aud.names.contains(client) { throw TokenRefused(.audience) }
        switch (nonce.map(issuer.nonce), claims.nonce) {
        case (nil, nil): break
        case (let wanted?, let told?) where Secret.equal(wanted, told): break
        default: throw TokenRefused(.nonce)
        }
        self.issuer = issuer
        self.subject = subject
        self.client = client ?? meant
        email = claims.emailVerified?.value == true ? claims.email.flatMap { EmailAddress($0) } : nil
        name = (claims.name ?? claims.nickname).flatMap { GivenName.plain($0) }
        (issued, hash, expires) = (token.issued, token.hash, token.expires)
    }
}

/// What somebody is called, as an issuer or an app says.
enum GivenName {
    /// Characters.
    private static let longest = 30

    /// One line; nil for nothing.
    static func plain(_ text: String) -> String? {
        let line = String(text.withoutControls.trimmed.prefix(longest)).trimmed
        return line.isEmpty || line.utf8.count > longest * 8 ? nil : line
    }

    private struct User: Decodable {
        struct Name: Decodable {
            let firstName: String?
            let lastName: String?
        }

        let name: Name?
    }

    /// Of the field `user` that Apple posts, once in the life of an account.
    static func apple(_ json: String?) -> String? {
        guard let json, json.utf8.count <= 4096,
            let name = (try? JSONDecoder().decode(User.self, from: Data(json.utf8)))?.name
        else { return nil }
        let parts = [name.firstName, name.lastName].compactMap { $0?.trimmed }.filter { !$0.isEmpty }
        // Names of Korea, Japan and China begin with the family and have no space.
        let isEastern = !parts.isEmpty && parts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x1100 } }
        return plain(isEastern ? parts.reversed().joined() : parts.joined(separator: " "))
    }
}
