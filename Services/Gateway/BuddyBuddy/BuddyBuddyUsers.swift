// SPDX-License-Identifier: Apache-2.0
// Buddy Buddy's `/v1/users` and `/v1/auth`: joining, signing in, staying signed in, profiles.

import Calls
import Domain
import GatewayService
import NIOHTTP1
import Surface
import Views

enum BuddyBuddyUsers {
    /// {email, password, nickname, phone, deviceToken}: an account with a username made of the nickname.
    static func join(_ request: WorkRequest) async throws -> WorkAnswer {
        let fields = try request.fields()
        let nickname = try fields.text("nickname") ?? ""
        let email = try fields.text("email") ?? ""
        let password = try fields.text("password") ?? ""
        let device = try fields.text("deviceToken")
        let signIn = KeptSignIn(email: email, password: password, deviceToken: device)
        let signUp = KeptSignUp(signIn, nickname: nickname, language: request.language)
        let session: KeptSession = try await request.read(ServiceCall(.auth, AuthCall.joinByNickname, signUp))
        await call(session, nickname, request)
        await register(device, of: session, request)
        return .tell(BuddyBuddySelf(identity: session.account, nickname: nickname, session: session))
    }

    /// The account is there: a nickname that did not get through is no reason to say otherwise. Where it does, posts has made the
    /// profile by then, so that others find it.
    private static func call(_ session: KeptSession, _ nickname: String, _ request: WorkRequest) async {
        _ = try? await request.ask(
            ServiceCall(.PATCH, .posts, "/api/v1/accounts/update_credentials", as: .token(session.accessToken)) {
                $0.member("display_name", nickname)
            }
        )
    }

    /// {email, password, deviceToken}.
    static func signIn(_ request: WorkRequest) async throws -> WorkAnswer {
        let fields = try request.fields()
        let email = try fields.text("email") ?? ""
        let password = try fields.text("password") ?? ""
        let device = try fields.text("deviceToken")
        let signIn = KeptSignIn(email: email, password: password, deviceToken: device)
        let session: KeptSession = try await request.read(ServiceCall(.auth, AuthCall.createKeptSession, signIn))
        return try await welcome(session, device, request)
    }

    private static func welcome(
        _ session: KeptSession,
        _ device: String?,
        _ request: WorkRequest
    ) async throws -> WorkAnswer {
        let answer = try await request.ask(
            ServiceCall(.GET, .posts, "/api/v1/accounts/verify_credentials", as: .token(session.accessToken))
        )
        // Signing in does not depend on what posts says.
        let profile = try? answer.read(PersonBody.self)
        await register(device, of: session, request)
        return .tell(
            BuddyBuddySelf(
                identity: session.account,
                nickname: profile?.name,
                avatar: profile?.avatar,
                session: session
            )
        )
    }

    /// {idToken, nickname, deviceToken}, and `authorizationCode` of apps that send it.
    static func signInWithApple(_ request: WorkRequest) async throws -> WorkAnswer {
        try await signIn(request, with: "apple", token: ["idToken"])
    }

    /// {oauthToken, deviceToken}, in which only an ID token says for whom it is: an access token of Kakao may be any app's.
    static func signInWithKakao(_ request: WorkRequest) async throws -> WorkAnswer {
        try await signIn(request, with: "kakao", token: ["idToken", "oauthToken"])
    }

    private static func signIn(
        _ request: WorkRequest,
        with issuer: String,
        token names: [String]
    ) async throws -> WorkAnswer {
        let fields = try request.fields()
        let tokens = try names.compactMap { try fields.text($0) }.filter { !$0.isEmpty }
        guard let token = tokens.first else { throw BuddyBuddyFailure.badRequest("bad-request", field: names[0]) }
        let (nickname, device) = (try fields.text("nickname"), try fields.text("deviceToken"))
        let asked = KeptIssuerSignIn(
            issuer: issuer,
            token: token,
            nonce: try fields.text("nonce"),
            nickname: nickname,
            deviceToken: device,
            code: try fields.text("authorizationCode"),
            language: request.language
        )
        let session: KeptSession
        do {
            session = try await request.read(ServiceCall(.auth, AuthCall.createKeptSessionByIssuer, asked))
        } catch let failure as BuddyBuddyFailure where failure.status == 404 {
            throw BuddyBuddyFailure.badRequest("social-sign-in-not-available")
        }
        if session.isNew, let nickname, !nickname.isEmpty { await call(session, nickname, request) }
        return try await welcome(session, device, request)
    }

    /// The refresh token stands in `RefreshToken`, `Refresh` or, of old versions of the app, in `Authorization`.
    static func refresh(_ request: WorkRequest) async throws -> WorkAnswer {
        let named = ["refreshtoken", "refresh", "authorization"].lazy.compactMap { name in
            request.headers.first(name: name).map(BuddyBuddyDialect.bare)
        }
        guard let token = named.first(where: { !$0.isEmpty }), Token.isPlausible(token) else {
            throw BuddyBuddyFailure.refreshOver
        }
        let access: KeptAccess = try await request.read(
            ServiceCall(.auth, AuthCall.refreshKeptSession, KeptRefresh(token: token))
        )
        return .tell(JSONWriter.object { $0.member("accessToken", access.token) })
    }

    /// {email}: whether nobody has it yet.
    static func validateEmail(_ request: WorkRequest) async throws -> WorkAnswer {
        let email = try request.fields().text("email") ?? ""
        try await request.perform(ServiceCall(.auth, AuthCall.checkEmail, EmailQuestion(email: email)))
        return .done
    }

    /// {deviceToken}: where the app is pushed to.
    static func deviceToken(_ request: WorkRequest) async throws -> WorkAnswer {
        let token = try request.fields().text("deviceToken") ?? ""
        guard !token.isEmpty else { throw BuddyBuddyFailure.badRequest("bad-request", field: "deviceToken") }
        let isRegistered = await register(token, as: .caller, request)
        return .tell(JSONWriter.object { $0.member("registered", isRegistered) })
    }

    /// Has the app pushed to that signs in. It is signed in whether it can be or not.
    private static func register(_ token: String?, of session: KeptSession, _ request: WorkRequest) async {
        guard let token, !token.isEmpty else { return }
        _ = await register(token, as: .token(session.accessToken), request)
    }

    /// Tokens of Apple's have 64 hexadecimal digits, those of Firebase never.
    ///
    /// - Returns: whether it is; the app goes on without push where it is refused, or nobody answers.
    private static func register(
        _ token: String,
        as identity: ServiceCall.Identity,
        _ request: WorkRequest
    ) async -> Bool {
        let isApple = token.utf8.count == 64 && token.allSatisfy(\.isHexDigit)
        let answer = try? await request.ask(
            ServiceCall(.POST, .notifications, DeviceEndpoint.registerDevice.path, as: identity) { json in
                json.member("platform", isApple ? "apple" : "firebase")
                json.member("token", token)
                if isApple { json.member("environment", request.appleEnvironment.rawValue) }
                json.member("language", request.language.rawValue)
            }
        )
        return answer?.isGood ?? false
    }

    static func signOut(_ request: WorkRequest) async throws -> WorkAnswer {
        guard let session = request.sessionID else { throw BuddyBuddyFailure.tokenOver }
        try await request.perform(ServiceCall(.DELETE, .auth, "/api/v1/sessions/\(session)"))
        return .done
    }

    static func me(_ request: WorkRequest) async throws -> WorkAnswer {
        try await identified(request, ServiceCall(.GET, .posts, "/api/v1/accounts/verify_credentials"))
    }

    /// {nickname, phone}; the telephone number is not kept.
    static func editMe(_ request: WorkRequest) async throws -> WorkAnswer {
        let nickname = try request.fields().text("nickname")
        return try await identified(
            request,
            ServiceCall(.PATCH, .posts, "/api/v1/accounts/update_credentials") { json in
                if let nickname { json.member("display_name", nickname) }
            }
        )
    }

    private static func identified(_ request: WorkRequest, _ asked: ServiceCall) async throws -> WorkAnswer {
        guard let session = request.sessionID else { throw BuddyBuddyFailure.tokenOver }
        let profile: PersonBody = try await request.read(asked)
        let identity: Identity = try await request.read(
            ServiceCall(.auth, AuthCall.showIdentity, IdentityQuestion(sessionID: session))
        )
        return .tell(BuddyBuddySelf(identity: identity, nickname: profile.name, avatar: profile.avatar))
    }

    /// Multipart {image}.
    static func editImage(_ request: WorkRequest) async throws -> WorkAnswer {
        guard let image = try request.fields().text("image"), !image.isEmpty else {
            throw BuddyBuddyFailure.badRequest("bad-request", field: "image")
        }
        return try await identified(
            request,
            ServiceCall(.PATCH, .posts, "/api/v1/accounts/update_credentials") { $0.member("avatar", image) }
        )
    }

    static func user(_ request: WorkRequest) async throws -> WorkAnswer {
        let id = try request.id(0)
        let profile: PersonBody = try await request.read(ServiceCall(.GET, .posts, "/api/v1/accounts/\(id)"))
        return .tell(BuddyBuddyUser(profile))
    }
}
