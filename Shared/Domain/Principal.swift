// SPDX-License-Identifier: Apache-2.0
// Who is asking, and what they may do.

/// The identity behind a token, as auth told it.
///
/// A token of an app alone (`client_credentials`) has no account.
public struct Principal: Hashable, Sendable {
    public struct Account: Hashable, Sendable {
        public let id: AccountID
        public let username: Username
        public let role: Role
        /// May read, and change nothing.
        public let isFrozen: Bool

        public init(id: AccountID, username: Username, role: Role = .user, isFrozen: Bool = false) {
            self.id = id
            self.username = username
            self.role = role
            self.isFrozen = isFrozen
        }
    }

    public let account: Account?
    public let appID: AppID
    public let appName: String
    public let appWebsite: String?
    public let sessionID: SessionID
    public let scopes: ScopeSet
    /// Whether the app is one of the operator's own, and not one that was let in.
    public let isOwnApp: Bool
    /// The moment after which this statement is no longer to be believed.
    public let expires: Timestamp

    public init(
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
