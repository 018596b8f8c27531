// SPDX-License-Identifier: Apache-2.0
// Who is asking, and what they may do.

/// The identity behind a token, as auth told it.
///
/// A token of an app alone (`client_credentials`) has no account.
package struct Principal: Hashable, Sendable {
    package struct Account: Hashable, Sendable {
        package let id: AccountID
        package let username: Username
        package let role: Role
        /// May read, and change nothing.
        package let isFrozen: Bool

        package init(id: AccountID, username: Username, role: Role = .user, isFrozen: Bool = false) {
            self.id = id
            self.username = username
            self.role = role
            self.isFrozen = isFrozen
        }
    }

    package let account: Account?
    package let appID: AppID
    package let appName: String
    package let appWebsite: String?
    package let sessionID: SessionID
    package let scopes: ScopeSet
    /// Whether the app is one of the operator's own, and not one that was let in.
    package let isOwnApp: Bool
    /// The moment after which this statement is no longer to be believed.
    package let expires: Timestamp

    package init(
        account: Account?,
        appID: AppID,
        appName: String,
        appWebsite: String? = nil,
        sessionID: SessionID,
        scopes: ScopeSet,
        isOwnApp: Bool = false,
        expires: Timestamp
    ) {
        self.account = account
        self.appID = appID
        self.appName = appName
        self.appWebsite = appWebsite
        self.sessionID = sessionID
        self.scopes = scopes
        self.isOwnApp = isOwnApp
        self.expires = expires
    }
}
