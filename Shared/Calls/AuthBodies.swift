// SPDX-License-Identifier: Apache-2.0
// The bodies of what the gateway asks auth for.

public import Domain
public import Views
public import Web

/// What `AuthCall.exchangeToken` is asked.
public struct TokenQuestion: CallBody {
    public let token: String
    /// Names of services, each of which is to be signed a statement of its own that no other believes; 16 at most. A
    /// gateway of the previous release names none and is given one statement for all.
    public let audiences: [String]

    public init(token: String, audiences: [String]) { (self.token, self.audiences) = (token, audiences) }

    public init(_ parameters: Parameters) throws {
        guard let token = try parameters.string("token"), !token.isEmpty else { throw Problem.badRequest("token") }
        let audiences = try parameters.strings("audiences") ?? []
        guard audiences.count <= 16, audiences.allSatisfy({ (1...32).contains($0.utf8.count) }) else {
            throw Problem.badRequest("audiences")
        }
        self.init(token: token, audiences: audiences)
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("token", token)
        json.member("audiences", audiences)
    }
}

/// Who is behind a token.
public struct TokenAnswer: CallBody {
    /// Signed for all services; nil where each has a statement of its own.
    public let common: String?
    /// The signed statement for each service, by its name.
    public let own: [(audience: String, statement: String)]
    public let expires: Timestamp
    public let sessionID: SessionID?
    /// Nil for an app alone.
    public let accountID: AccountID?
    public let username: String?
    public let scopes: ScopeSet
    /// May read, and change nothing.
    public let isFrozen: Bool

    public init(_ principal: Principal, common: String?, own: [(audience: String, statement: String)]) {
        self.common = common
        self.own = own
        expires = principal.expires
        sessionID = principal.sessionID
        accountID = principal.account?.id
        username = principal.account?.username.text
        scopes = principal.scopes
        isFrozen = principal.account?.isFrozen ?? false
    }

    public init(_ parameters: Parameters) throws {
        guard let expires = try parameters.integer("expires"), let scopes = try parameters.string("scopes") else {
            throw Problem.badRequest("expires")
        }
        let statements = try parameters.nested("principals")
        common = try parameters.string("principal")
        own = try statements?.names.compactMap { name in try statements?.string(name).map { (name, $0) } } ?? []
        self.expires = Timestamp(milliseconds: expires)
        sessionID = try parameters.string("session_id").flatMap { SessionID($0) }
        accountID = try parameters.string("account_id").flatMap { AccountID($0) }
        username = try parameters.string("username")
        self.scopes = ScopeSet(scopes.split(separator: " ").compactMap { Scope($0) })
        isFrozen = try parameters.boolean("frozen") ?? false
    }

    public func writeMembers(to json: inout JSONWriter) {
        if let common { json.member("principal", common) }
        if !own.isEmpty {
            json.object("principals") { json in
                for (audience, statement) in own {
                    json.dynamicName(audience)
                    json.string(statement)
                }
            }
        }
        json.member("expires", expires.milliseconds)
        json.member("session_id", sessionID)
        json.member("account_id", accountID)
        json.member("username", username)
        json.member("scopes", scopes.description)
        if isFrozen { json.member("frozen", true) }
    }
}

/// What `AuthCall.createKeptSession` is asked: signing in. What is missing is empty, for the service says what is blank.
public struct KeptSignIn: CallBody {
    public let email: String
    public let password: String
    /// Only a name of the device that others do not know.
    public let deviceToken: String?

    public init(email: String, password: String, deviceToken: String?) {
        (self.email, self.password, self.deviceToken) = (email, password, deviceToken)
    }

    public init(_ parameters: Parameters) throws {
        email = try parameters.string("email") ?? ""
        password = try parameters.string("password") ?? ""
        deviceToken = try parameters.string("device_token")
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("email", email)
        json.member("password", password)
        if let deviceToken { json.member("device_token", deviceToken) }
    }
}

/// What `AuthCall.joinByNickname` is asked: signing up by an app that knows no usernames.
public struct KeptSignUp: CallBody {
    public let signIn: KeptSignIn
    public let nickname: String
    /// Nil for a language that auth does not speak.
    public let language: Language?

    public init(_ signIn: KeptSignIn, nickname: String, language: Language?) {
        (self.signIn, self.nickname, self.language) = (signIn, nickname, language)
    }

    public init(_ parameters: Parameters) throws {
        signIn = try KeptSignIn(parameters)
        nickname = try parameters.string("nickname") ?? ""
        language = try parameters.string("locale").flatMap { Language(rawValue: $0) }
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("email", signIn.email)
        json.member("password", signIn.password)
        json.member("nickname", nickname)
        if let deviceToken = signIn.deviceToken { json.member("device_token", deviceToken) }
        if let language { json.member("locale", language.rawValue) }
    }
}

/// What `AuthCall.createKeptSessionByIssuer` is asked: signing in with a token of an issuer, or signing up.
public struct KeptIssuerSignIn: CallBody {
    /// As the operator called it.
    public let issuer: String
    public let token: String
    /// The random value that the app made; nil for none.
    public let nonce: String?
    public let nickname: String?
    public let deviceToken: String?
    /// What the issuer gave the app beside the token; nil for none.
    public let code: String?
    /// Nil for a language that auth does not speak.
    public let language: Language?

    public init(
        issuer: String,
        token: String,
        nonce: String?,
        nickname: String?,
        deviceToken: String?,
        code: String? = nil,
        language: Language?
    ) {
        (self.issuer, self.token, self.nonce) = (issuer, token, nonce)
        (self.nickname, self.deviceToken, self.code, self.language) = (nickname, deviceToken, code, language)
    }

    public init(_ parameters: Parameters) throws {
        issuer = try parameters.string("issuer") ?? ""
        token = try parameters.string("id_token") ?? ""
        nonce = try parameters.string("nonce")
        nickname = try parameters.string("nickname")
        deviceToken = try parameters.string("device_token")
        code = try parameters.string("authorization_code")
        language = try parameters.string("locale").flatMap { Language(rawValue: $0) }
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("issuer", issuer)
        json.member("id_token", token)
        if let nonce { json.member("nonce", nonce) }
        if let nickname { json.member("nickname", nickname) }
        if let deviceToken { json.member("device_token", deviceToken) }
        if let code { json.member("authorization_code", code) }
        if let language { json.member("locale", language.rawValue) }
    }
}

/// A session that has just begun.
public struct KeptSession: CallBody {
    public let accessToken: String
    public let refreshToken: String?
    public let sessionID: SessionID?
    public let account: Identity
    /// Whether the account was made just now.
    public let isNew: Bool

    public init(
        accessToken: String,
        refreshToken: String?,
        sessionID: SessionID,
        account: Identity,
        isNew: Bool = false
    ) {
        self.isNew = isNew
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.sessionID = sessionID
        self.account = account
    }

    public init(_ parameters: Parameters) throws {
        guard let access = try parameters.string("access_token"),
            let refresh = try parameters.string("refresh_token"), let account = try parameters.nested("account")
        else { throw Problem.badRequest("access_token") }
        accessToken = access
        refreshToken = refresh
        sessionID = try parameters.id("session_id")
        self.account = try Identity(account)
        isNew = try parameters.boolean("new") ?? false
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("access_token", accessToken)
        json.member("refresh_token", refreshToken)
        json.member("session_id", sessionID)
        json.member("account", account)
        if isNew { json.member("new", true) }
    }
}

/// What `AuthCall.refreshKeptSession` is asked.
public struct KeptRefresh: CallBody {
    /// Empty where none is sent.
    public let token: String

    public init(token: String) { self.token = token }

    public init(_ parameters: Parameters) throws { token = try parameters.string("refresh_token") ?? "" }

    public func writeMembers(to json: inout JSONWriter) { json.member("refresh_token", token) }
}

/// A session that goes on: a new access token, beside the same refresh token.
public struct KeptAccess: CallBody {
    public let token: String
    /// Of the access token; nil where it is not said.
    public let lifetime: Duration?

    public init(token: String, lifetime: Duration) { (self.token, self.lifetime) = (token, lifetime) }

    public init(_ parameters: Parameters) throws {
        guard let token = try parameters.string("access_token") else { throw Problem.badRequest("access_token") }
        self.token = token
        lifetime = try parameters.integer("expires_in").map { .seconds($0) }
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("access_token", token)
        if let lifetime { json.member("expires_in", lifetime.components.seconds) }
    }
}

/// What `AuthCall.showIdentity` is asked: who a session is of.
public struct IdentityQuestion: CallBody {
    public let sessionID: SessionID?

    public init(sessionID: SessionID) { self.sessionID = sessionID }

    public init(_ parameters: Parameters) throws { sessionID = try parameters.id("session_id") }

    public func writeMembers(to json: inout JSONWriter) { json.member("session_id", sessionID) }
}

/// Who somebody is, for themselves.
public struct Identity: CallBody {
    public let id: AccountID
    public let username: Username
    /// Nil where it is nobody's business.
    public let email: String?
    public let created: Timestamp

    public init(id: AccountID, username: Username, email: String?, created: Timestamp) {
        (self.id, self.username, self.email, self.created) = (id, username, email, created)
    }

    public init(_ parameters: Parameters) throws {
        guard let id: AccountID = try parameters.id("id"),
            let username = try parameters.string("username").flatMap({ Username($0) }),
            let created = try parameters.string("created_at").flatMap({ Timestamp(rfc3339: $0) })
        else { throw Problem.badRequest("account") }
        self.init(id: id, username: username, email: try parameters.string("email"), created: created)
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("username", username.text)
        json.member("email", email)
        json.member("created_at", created)
    }
}

/// What `AuthCall.checkEmail` is asked: whether an address is one and is free.
public struct EmailQuestion: CallBody {
    public let email: String

    public init(email: String) { self.email = email }

    public init(_ parameters: Parameters) throws { email = try parameters.string("email") ?? "" }

    public func writeMembers(to json: inout JSONWriter) { json.member("email", email) }
}

/// What `AuthCall.showDocuments` is answered: the texts in force that people agree to.
public struct PublishedTexts: CallBody, Equatable {
    public struct Published: ObjectView, Equatable {
        /// `rules`, `privacy` or `terms`.
        public let kind: String
        public let version: Int64
        public let published: Timestamp
        public let texts: [Language: String]

        public init(kind: String, version: Int64, published: Timestamp, texts: [Language: String]) {
            (self.kind, self.version, self.published, self.texts) = (kind, version, published, texts)
        }

        public func writeMembers(to json: inout JSONWriter) {
            json.member("kind", kind)
            json.member("version", version)
            json.member("published_at", published.seconds)
            json.object("texts") { json in
                for (language, text) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    json.dynamicName(language.rawValue)
                    json.string(text)
                }
            }
        }
    }

    public let documents: [Published]

    public init(documents: [Published]) { self.documents = documents }

    public init(_ parameters: Parameters) throws {
        documents = try (parameters.list("documents") ?? []).map { document in
            guard let kind = try document.string("kind"), let version = try document.integer("version"),
                let published = try document.integer("published_at"), let given = try document.nested("texts")
            else { throw Problem.badRequest("documents") }
            var texts: [Language: String] = [:]
            for language in Language.allCases { texts[language] = try given.string(language.rawValue) }
            let (milliseconds, isWide) = published.multipliedReportingOverflow(by: 1000)
            return Published(
                kind: kind,
                version: version,
                published: Timestamp(milliseconds: isWide ? 0 : milliseconds),
                texts: texts
            )
        }
    }

    public func writeMembers(to json: inout JSONWriter) { json.member("documents", documents) }
}
