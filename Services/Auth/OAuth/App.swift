// SPDX-License-Identifier: Apache-2.0
// An OAuth app.

import Domain

/// A program that people let act for them.
struct App: Sendable {
    /// The app behind the sign-in pages and `POST /api/v1/sessions`.
    static let own = AppID(1)
    /// The app behind the gateway's routes of Buddy Buddy, which keeps its refresh token.
    static let buddyBuddy = AppID(2)

    let id: AppID
    let clientID: String
    /// Nil for an app that cannot keep a secret.
    let secretHash: [UInt8]?
    let name: String
    let website: String?
    let scopes: ScopeSet
    let redirectURIs: [String]
    let isFirstParty: Bool

    /// The registered URI that allows `uri`, if there is one.
    func allows(_ uri: RedirectURI) -> Bool {
        redirectURIs.contains { RedirectURI($0)?.accepts(uri) ?? false }
    }

    /// What is asked for, or `read` when nothing is; nil when it is unknown or more than the app may have.
    func scopes(asked text: String?) -> ScopeSet? {
        let text = text?.trimmed ?? ""
        if text.isEmpty {
            let usual = ScopeSet(["read"])
            return scopes.contains(usual) ? usual : scopes
        }
        guard let asked = ScopeSet(text), scopes.contains(asked) else { return nil }
        return asked
    }
}
