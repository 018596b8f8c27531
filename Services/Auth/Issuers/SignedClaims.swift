// SPDX-License-Identifier: Apache-2.0
// What an issuer has signed.

import Domain
import Foundation
import HTTPTypes
import JWTKit
import Web

/// A token that lets nobody in. Which of its faults it was stands in the log; people learn that it is not taken.
struct TokenRefused: ProblemConvertible {
    enum Reason: String, Sendable {
        case unreadable, algorithm, key, signature, issuer, audience, party, subject, nonce, tooEarly, expired, tooOld,
            repeated
        /// A code that the issuer does not know, or not for us.
        case code
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    var problem: Problem {
        Problem(
            .unauthorized,
            "issuer-token-refused",
            detail: PageText.detail("issuer_token_refused"),
            cause: "a token of an issuer: \(reason.rawValue)"
        )
    }
}

/// The claims of a token (OpenID Connect Core 1.0, section 2), each as it was sent.
struct SignedClaims: JWTPayload {
    let iss: String
    /// Apple's news on people have theirs inside.
    let sub: String?
    let aud: Audience
    let azp: String?
    let exp: Double?
    let iat: Double?
    let nbf: Double?
    let jti: String?
    let nonce: String?
    let email: String?
    let emailVerified: Truth?
    let isPrivateEmail: Truth?
    let name: String?
    let nickname: String?
    let events: News?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nbf, jti, nonce, email, name, nickname, events
        case emailVerified = "email_verified"
        case isPrivateEmail = "is_private_email"
    }

    /// One or several.
    struct Audience: Codable, Sendable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            names =
                if let one = try? container.decode(String.self) { [one] } else { try container.decode([String].self) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(names)
        }
    }

    /// A boolean, which Apple writes as a string at times.
    struct Truth: Codable, Sendable {
        let value: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = (try? container.decode(Bool.self)) ?? ((try? container.decode(String.self)) == "true")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// What Apple tells of somebody: a JSON object, which it sends as text.
    struct News: Codable, Sendable {
        let type: String
        let subject: String
        private let time: Double?

        enum CodingKeys: String, CodingKey {
            case type
            case subject = "sub"
            case time = "event_time"
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = try JSONDecoder().decode(News.self, from: Data(text.utf8))
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decode(String.self, forKey: .type)
            subject = try container.decode(String.self, forKey: .subject)
            time = try container.decodeIfPresent(Double.self, forKey: .time)
        }

        /// In seconds as Apple documents it, or in the milliseconds that it sends.
        var moment: Timestamp? {
            guard let time, time.isFinite, (0...1e14).contains(time) else { return nil }
            return Timestamp(milliseconds: Int64(time < 1e11 ? time * 1000 : time))
        }
    }

    /// The signature alone; the rest is looked at by whoever knows what the token is for.
    func verify(using algorithm: some JWTAlgorithm) {}
}

/// A token whose signature, issuer, audience and times are right.
struct SignedToken: Sendable {
    let claims: SignedClaims
    /// SHA-256 of what was signed. The signature is left out: a signature of ES256 has a second form.
    let hash: [UInt8]
    let issued: Timestamp
    /// Until when it must be known that it was taken.
    let expires: Timestamp

    /// Bytes of a token. Those of Apple, Google and Kakao have some 1,000.
    private static let longest = 16 << 10
    /// How far two clocks may differ.
    private static let leeway = Duration.seconds(60)
    /// How long a token may be good: longer than any issuer's.
    private static let longestLife = Duration.seconds(31 * 86_400)

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        let crit: [String]?
    }

    /// - Parameter keys: those of the issuer, and once more whether it has new ones.
    init(
        _ text: String,
        of issuer: Issuer,
        now: Timestamp,
        keys: (_ renewed: Bool) async throws -> SigningKeys
    ) async throws {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= SignedToken.longest, parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
            let head = Data(base64URL: parts[0]),
            let header = try? JSONDecoder().decode(Header.self, from: head), header.crit == nil
        else { throw TokenRefused(.unreadable) }
        guard let algorithm = SigningKeys.Algorithm(rawValue: header.alg) else { throw TokenRefused(.algorithm) }
        var key = try await keys(false).key(header.kid, algorithm)
        if key == nil { key = try await keys(true).key(header.kid, algorithm) }
        guard let key else { throw TokenRefused(.key) }
        do {
            claims = try await key.verifying.verify(text, as: SignedClaims.self)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw TokenRefused(.signature)
        } catch {
            throw TokenRefused(.unreadable)
        }
        let signed = text.utf8.prefix(text.utf8.count - parts[2].count - 1)
        hash = Secret.hash(String(decoding: Array(signed), as: UTF8.self))
        (issued, expires) = try SignedToken.times(claims, now: now)
        try SignedToken.check(claims, of: issuer)
    }

    private static func check(_ claims: SignedClaims, of issuer: Issuer) throws {
        guard issuer.names.contains(claims.iss) else { throw TokenRefused(.issuer) }
        let audience = claims.aud.names
        guard (1...20).contains(audience.count), audience.contains(where: issuer.clients.contains) else {
            throw TokenRefused(.audience)
        }
        // A token for several says who asked for it (section 3.1.3.7). Google's for an app's server name the app.
        guard audience.count == 1 || claims.azp != nil else { throw TokenRefused(.party) }
        guard claims.azp.map(issuer.clients.contains) ?? true else { throw TokenRefused(.party) }
    }

    private static func times(_ claims: SignedClaims, now: Timestamp) throws -> (issued: Timestamp, expires: Timestamp)
    {
        func moment(_ seconds: Double) throws -> Timestamp {
            guard seconds.isFinite, (0...1e11).contains(seconds) else { throw TokenRefused(.unreadable) }
            return Timestamp(milliseconds: Int64(seconds * 1000))
        }
        guard let iat = claims.iat else { throw TokenRefused(.unreadable) }
        let issued = try moment(iat)
        guard issued <= now + leeway else { throw TokenRefused(.tooEarly) }
        if let nbf = claims.nbf, try moment(nbf) > now + leeway { throw TokenRefused(.tooEarly) }
        // Apple's news have no end of their own: an hour behind their making they are old.
        let expires = try claims.exp.map(moment) ?? issued + .seconds(3600)
        guard expires > now - leeway else { throw TokenRefused(.expired) }
        guard expires - now < longestLife else { throw TokenRefused(.unreadable) }
        return (issued, expires + leeway)
    }
}

extension Data {
    /// Nil for what is no Base64url without padding (RFC 7515, section 2).
    fileprivate init?(base64URL text: some Sequence<UInt8>) {
        var bytes: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            case 48...57, 65...90, 97...122: bytes.append(byte)
            default: return nil
            }
        }
        while bytes.count % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
        self.init(base64Encoded: Data(bytes))
    }
}
