// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's `/v1/users` and `/v1/auth`: joining, signing in, staying signed in, profiles.

import Domain
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyUsers {
    /// {email, password, nickname, phone, deviceToken}: an account with a username made of the nickname.
    static func join(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let fields = try request.fields()
        let nickname = try BuddyBuddyRequest.text("nickname", in: fields) ?? ""
        let email = try BuddyBuddyRequest.text("email", in: fields) ?? ""
        let password = try BuddyBuddyRequest.text("password", in: fields) ?? ""
        let call = ServiceCall.send(.POST, .auth, AuthCall.joinByNickname.path, as: .gateway) { json in
            json.member("email", email)
            json.member("password", password)
            json.member("nickname", nickname)
            json.member("locale", Language(acceptLanguage: request.headers.first(name: "accept-language")).rawValue)
        }
        return .read(call, SessionBody.self) { (session) throws(BuddyBuddyFailure) in
            let naming = ServiceCall.send(
                .PATCH,
                .posts,
                "/api/v1/accounts/update_credentials",
                as: .token(session.accessToken)
            ) { $0.member("display_name", nickname) }
            // The account is there: a nickname that did not get through is no reason to say otherwise.
            return .ask(naming) { (_) throws(BuddyBuddyFailure) in
                .tell(BuddyBuddySelf(identity: session.account, nickname: nickname, session: session))
            }
        }
    }

    /// {email, password, deviceToken}.
    static func signIn(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let fields = try request.fields()
        let email = try BuddyBuddyRequest.text("email", in: fields) ?? ""
        let password = try BuddyBuddyRequest.text("password", in: fields) ?? ""
        let call = ServiceCall.send(.POST, .auth, AuthCall.createKeptSession.path, as: .gateway) { json in
            json.member("email", email)
            json.member("password", password)
        }
        return .read(call, SessionBody.self) { (session) throws(BuddyBuddyFailure) in
            let profile = ServiceCall(
                service: .posts,
                method: .GET,
                path: "/api/v1/accounts/verify_credentials",
                identity: .token(session.accessToken)
            )
            // Signing in does not depend on posts.
            return .ask(profile) { (answer) throws(BuddyBuddyFailure) in
                let profile = try? answer.read(ProfileBody.self)
                return .tell(
                    BuddyBuddySelf(
                        identity: session.account,
                        nickname: profile?.person.name,
                        avatar: profile?.avatar,
                        session: session
                    )
                )
            }
        }
    }

    /// Signing in with Apple or Kakao waits for OpenID Connect.
    static func signInElsewhere(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        throw .badRequest(
            "social-sign-in-not-available",
            message: "Signing in with Apple or Kakao is not possible on this server yet."
        )
    }

    /// The refresh token stands in `RefreshToken`, `Refresh` or, of old versions of the app, in `Authorization`.
    static func refresh(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let named = ["refreshtoken", "refresh", "authorization"].lazy.compactMap { name in
            request.headers.first(name: name).map(Token.bare)
        }
        guard let token = named.first(where: { !$0.isEmpty }), Token.isPlausible(token) else { throw .refreshOver }
        let call = ServiceCall.send(.POST, .auth, AuthCall.refreshKeptSession.path, as: .gateway) { json in
            json.member("refresh_token", token)
        }
        return .read(call, AccessBody.self) { (session) throws(BuddyBuddyFailure) in
            var json = JSONWriter()
            json.object { $0.member("accessToken", session.accessToken) }
            return .tell(json.bytes)
        }
    }

    /// {email}: whether nobody has it yet.
    static func validateEmail(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let email = try BuddyBuddyRequest.text("email", in: request.fields()) ?? ""
        let call = ServiceCall.send(.POST, .auth, AuthCall.checkEmail.path, as: .gateway) { $0.member("email", email) }
        return .perform(call) { () throws(BuddyBuddyFailure) in .done }
    }

    /// Accepted so that the app goes on, and kept nowhere before there is push.
    static func deviceToken(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        var json = JSONWriter()
        json.object { $0.member("registered", false) }
        return .tell(json.bytes)
    }

    static func signOut(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        guard let session = request.principal?.sessionID else { throw .tokenOver }
        return .perform(
            ServiceCall(service: .auth, method: .DELETE, path: "/api/v1/sessions/\(session)")
        ) { () throws(BuddyBuddyFailure) in .done }
    }

    static func me(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        try identified(request, ServiceCall.get(.posts, "/api/v1/accounts/verify_credentials"))
    }

    /// {nickname, phone}; the telephone number is not kept.
    static func editMe(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let nickname = try BuddyBuddyRequest.text("nickname", in: request.fields())
        return try identified(
            request,
            .send(.PATCH, .posts, "/api/v1/accounts/update_credentials") { json in
                if let nickname { json.member("display_name", nickname) }
            }
        )
    }

    private static func identified(
        _ request: BuddyBuddyRequest,
        _ profile: ServiceCall
    ) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        guard let session = request.principal?.sessionID else { throw .tokenOver }
        let identity = ServiceCall.send(.POST, .auth, AuthCall.showIdentity.path, as: .gateway) { json in
            json.member("session_id", session)
        }
        return .read(profile, ProfileBody.self) { (profile) throws(BuddyBuddyFailure) in
            .read(identity, IdentityBody.self) { (identity) throws(BuddyBuddyFailure) in
                .tell(BuddyBuddySelf(identity: identity, nickname: profile.person.name, avatar: profile.avatar))
            }
        }
    }

    static func editImage(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep { throw .uploads }

    static func user(_ request: BuddyBuddyRequest) throws(BuddyBuddyFailure) -> BuddyBuddyStep {
        let id = try request.id(0)
        return .read(.get(.posts, "/api/v1/accounts/\(id)"), ProfileBody.self) { (profile) throws(BuddyBuddyFailure) in
            .tell(BuddyBuddyUser(profile.person))
        }
    }
}
