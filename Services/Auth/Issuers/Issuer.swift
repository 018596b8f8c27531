// SPDX-License-Identifier: Apache-2.0
// Who besides us may say who somebody is.

import Domain
import JWTKit
import Web

/// Somebody who signs statements on people (OpenID Connect Core 1.0), as the operator named them.
struct Issuer: Sendable {
    enum Kind: String, Sendable {
        case apple, google, kakao, other
    }

    /// How an app proves that it is the one that a code was given to.
    enum Credential: Sendable {
        /// By the verifier of its challenge alone.
        case none
        case secret(String)
        case apple(AppleKey)
    }

    /// The last part of paths: a word of small letters, digits and hyphens.
    let name: String
    let kind: Kind
    /// What its button says; nil for those whose name every language writes its own way.
    let ownTitle: String?
    /// `iss` of its tokens, under which its configuration lies. With it a subject is a key, so that another issuer under the
    /// same name knows nobody.
    let address: String
    /// What its tokens may be meant for; the first is for the pages.
    let clients: [String]
    let credential: Credential
    let scopes: String

    /// What tokens may name as `iss`. Google's name either.
    var names: Set<String> { kind == .google ? [address, "accounts.google.com"] : [address] }

    /// Whether people come by its page. Apple gives nothing for a code without a signature.
    var hasPage: Bool {
        if case .none = credential { kind != .apple } else { true }
    }

    /// Apple's answers that tell a name come by POST.
    var postsForm: Bool { kind == .apple }

    /// Whether what it gave is taken back when somebody leaves it (App Store Review Guidelines, 5.1.1 (v)).
    var wantsRevocation: Bool { kind == .apple && hasPage }

    /// What the token says of the random value that the app made: Apple is told its SHA-256.
    func nonce(of value: String) -> String {
        kind == .apple ? hexadecimal(Secret.hash(value)) : value
    }

    func title(_ language: Language) -> String {
        if let ownTitle { return ownTitle }
        return PageText.text("issuer_\(kind.rawValue)", language)
    }
}
