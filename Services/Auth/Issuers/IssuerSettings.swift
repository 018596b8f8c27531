// SPDX-License-Identifier: Apache-2.0
// Which issuers the operator named.

import Domain
import Foundation
import Outbound
import ServiceKit

enum IssuerSettings {
    /// None where `MADANG_ISSUERS` names none.
    static func read(_ settings: inout Settings) -> [Issuer] {
        let names = settings.parsed(
            "MADANG_ISSUERS",
            default: "none",
            expected: "none, or up to 16 names with commas between them, such as apple,google,kakao",
            meaning: "who besides this server may sign people in",
            parse: names
        )
        return (names ?? []).compactMap { issuer($0, &settings) }
    }

    private static func names(_ text: String) -> [String]? {
        guard text != "none" else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard names.count <= 16, Set(names).count == names.count, names.allSatisfy(isName) else { return nil }
        return names
    }

    private static func isName(_ text: String) -> Bool {
        (1...30).contains(text.utf8.count) && text != "refresh"
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func issuer(_ name: String, _ settings: inout Settings) -> Issuer? {
        let kind = Issuer.Kind(rawValue: name) ?? .other
        let prefix = "MADANG_ISSUER_" + name.uppercased().replacing("-", with: "_")
        let address = settings.parsed(
            "\(prefix)_URL",
            default: address(of: kind),
            expected: "https (http on this machine alone), a host, perhaps a port and a path, no slash at the end",
            meaning: "who \(name) is: iss of its tokens",
            parse: { isAddress($0) ? $0 : nil }
        )
        let clients = settings.parsed(
            "\(prefix)_CLIENTS",
            expected: "up to 20 client ids with commas between them, that of the pages first",
            meaning: "for whom the tokens of \(name) may be meant",
            parse: clients
        )
        let title = settings.parsed(
            "\(prefix)_TITLE",
            default: "none",
            expected: "up to 40 characters, or none",
            meaning: "what \(name) is called on the sign-in page",
            parse: { (1...40).contains($0.count) && !$0.hasControls ? $0 : nil }
        )
        let scopes = settings.parsed(
            "\(prefix)_SCOPES",
            default: scopes(of: kind),
            expected: "words with spaces between them",
            meaning: "what \(name) is asked to tell",
            parse: { $0.utf8.count <= 500 && !$0.hasControls ? $0 : nil }
        )
        let credential = kind == .apple ? apple(prefix, &settings) : secret(prefix, name, &settings)
        guard let address, let clients, let scopes, let credential else { return nil }
        let own = title == "none" ? (kind == .other ? name : nil) : title
        return Issuer(
            name: name,
            kind: kind,
            ownTitle: own,
            address: address,
            clients: clients,
            credential: credential,
            scopes: scopes
        )
    }

    private static func address(of kind: Issuer.Kind) -> String? {
        switch kind {
        case .apple: "https://appleid.apple.com"
        case .google: "https://accounts.google.com"
        case .kakao: "https://kauth.kakao.com"
        case .other: nil
        }
    }

    /// Kakao refuses to be asked for what an app was not allowed; what is not asked for it asks by its own settings.
    private static func scopes(of kind: Issuer.Kind) -> String {
        switch kind {
        case .apple: "name email"
        case .kakao: "openid"
        case .google, .other: "openid email profile"
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 500, let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
            url.user == nil, url.password == nil, url.query == nil, url.fragment == nil, !text.hasSuffix("/")
        else { return false }
        return url.scheme == "https"
            || url.scheme == "http" && ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    }

    private static func clients(_ text: String) -> [String]? {
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        let areIDs = ids.allSatisfy { id in
            (1...200).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
        return ids.count <= 20 && areIDs ? ids : nil
    }

    private static func secret(_ prefix: String, _ name: String, _ settings: inout Settings) -> Issuer.Credential? {
        let secret = settings.parsed(
            "\(prefix)_SECRET",
            default: "none",
            secret: true,
            expected: "up to 500 printable characters, or none",
            meaning: "the client secret that \(name) gave for the pages; none for an app that has none",
            parse: { (1...500).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
        )
        return secret.map { $0 == "none" ? .none : .secret($0) }
    }

    private static func apple(_ prefix: String, _ settings: inout Settings) -> Issuer.Credential? {
        let pem = settings.parsed(
            "\(prefix)_KEY",
            default: "none",
            secret: true,
            expected: "a private key of P-256 in PEM, or none",
            meaning: "signs what Apple is asked; without it there is no page of Apple and nothing is revoked",
            parse: { $0 == "none" || AppleKey.isKey($0) ? $0 : nil }
        )
        let isNamed: (String) -> String? = { text in
            let isID =
                text.utf8.count == 10 && text.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
            return isID ? text : nil
        }
        guard let pem else { return nil }
        guard pem != "none" else { return Issuer.Credential.none }
        let team = settings.parsed(
            "\(prefix)_TEAM",
            expected: "ten letters and digits",
            meaning: "the developer team at Apple",
            parse: isNamed
        )
        let keyID = settings.parsed(
            "\(prefix)_KEY_ID",
            expected: "ten letters and digits",
            meaning: "which of the team's keys it is",
            parse: isNamed
        )
        guard let team, let keyID else { return nil }
        return AppleKey(team: team, keyID: keyID, pem: pem).map { .apple($0) }
    }
}
