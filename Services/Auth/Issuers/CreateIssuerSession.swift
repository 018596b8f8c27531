// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/sessions/:id and …/account: signing in and up from an app of our own, with a token of an issuer.

import Domain
import HTTPTypes
import Logging
import Postgres
import Views
import Web

/// Answers a token of an issuer with a session, or, for somebody new, with what they finish signing up with.
enum CreateIssuerSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let issuer = try dependencies.issuers.named(request.pathParameters["id"])
        let parameters = try request.parameters()
        guard let text = try parameters.string("id_token") else { throw Problem.invalid("id_token", "blank") }
        let device = try CreateSession.deviceName(parameters, request, dependencies)
        let known = try parameters.string("device_token")
        let name = try parameters.string("name").flatMap { GivenName.plain($0) }
        let token = try await IDToken(text, of: issuer, nonce: try parameters.string("nonce"), dependencies)
        let code = try parameters.string("authorization_code")
        guard let app = try await AppStore.app(App.own, in: dependencies.database) else { throw Problem.notFound }
        let audit = Audit(request, dependencies)
        let now = dependencies.now()
        let arrival = try await SignInByIssuer.run(token, name: name, dependencies) { account, transaction in
            let due = try await Agreements.onSignIn(of: account, parameters, dependencies, in: transaction)
            var granted = try await Grant(app: app, account: account, scopes: app.scopes, device: device)
                .insert(dependencies, in: transaction)
            granted.due = due
            try audit.by(account).note(
                .signedIn,
                .init(account: account, session: granted.sessionID, app: app.id, detail: "\(issuer.name) \(device)"),
                in: transaction
            )
            if DeviceToken.mark(known, of: account, dependencies) == nil {
                try await transaction.send(.newDevice(name: device, at: now), to: account, at: now)
            }
            return granted
        }
        if let code { await RefreshTokenOfIssuer.keep(code, token, dependencies) }
        switch arrival {
        case .known(let account, var granted):
            granted.deviceToken = DeviceToken.make(for: account, keeping: known, dependencies)
            return granted.answer
        case .newcomer(let newcomer):
            var answer = Answer.unstored(try await NewcomerView(newcomer, dependencies))
            answer.status = .accepted
            return answer
        }
    }
}

/// Makes the account of a newcomer and begins a session.
enum FinishSignUp {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let issuer = try dependencies.issuers.named(request.pathParameters["id"])
        let parameters = try request.parameters()
        guard let token = try parameters.string("registration_token") else {
            throw Problem.invalid("registration_token", "blank")
        }
        let device = try CreateSession.deviceName(parameters, request, dependencies)
        let draft = try JoinByIssuer.draft(parameters, language: request.language)
        guard let id = NewcomerToken.id(of: token, dependencies) else { throw NewcomerGone() }
        guard let app = try await AppStore.app(App.own, in: dependencies.database) else { throw Problem.notFound }
        var (account, granted) = try await JoinByIssuer.run(id, draft, request, dependencies) { account, transaction in
            let granted = try await Grant(app: app, account: account.id, scopes: app.scopes, device: device)
                .insert(dependencies, in: transaction)
            try Audit(request, dependencies).by(account.id).note(
                .signedIn,
                .init(account: account.id, session: granted.sessionID, app: app.id, detail: "\(issuer.name) \(device)"),
                in: transaction
            )
            return (account, granted)
        }
        let known = try parameters.string("device_token")
        granted.deviceToken = DeviceToken.make(for: account.id, keeping: known, dependencies)
        return granted.answer.registering(account)
    }
}

/// What somebody new is told.
private struct NewcomerView: ObjectView {
    let token: String
    let lifetime: Duration
    let username: Username?
    let name: String?
    let email: String?
    let isEmailInUse: Bool

    init(_ newcomer: NewcomerStore.Newcomer, _ dependencies: Dependencies) async throws {
        token = NewcomerToken.make(for: newcomer.id, dependencies)
        lifetime = dependencies.limits.newcomer
        username = try await JoinByIssuer.suggestion(for: newcomer.name, dependencies)
        name = newcomer.name
        email = newcomer.email
        isEmailInUse =
            if let email = newcomer.email.flatMap({ EmailAddress($0) }) {
                try await AccountStore.taken(username: nil, email: email, in: dependencies.database).email
            } else { false }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("registration_token", token)
        json.member("expires_in", lifetime.components.seconds)
        json.member("username", username?.text)
        json.member("name", name)
        json.member("email", email)
        json.member("email_in_use", isEmailInUse)
    }
}

/// What is kept to be given back when somebody leaves the issuer.
enum RefreshTokenOfIssuer {
    /// Exchanges a code that an app brought. Nobody is kept out when that fails: there is nothing to give back then.
    static func keep(_ code: String, _ token: IDToken, _ dependencies: Dependencies) async {
        let issuer = token.issuer
        guard issuer.wantsRevocation else { return }
        do {
            let exchange = try await CodeExchange(code, of: issuer, client: token.client, dependencies)
            let sealed = try SealedToken(
                exchange,
                of: issuer,
                subject: token.subject,
                client: token.client,
                dependencies.issuers.seal
            )
            guard let sealed else { return }
            try await dependencies.database.transaction { transaction in
                for named in IdentityStore.Named.allCases {
                    try await IdentityStore.keep(
                        sealed,
                        of: named,
                        issuer: issuer.address,
                        subject: token.subject,
                        in: transaction
                    )
                }
            }
        } catch {
            dependencies.logger.warning(
                "a code of an issuer gave nothing",
                metadata: ["issuer": "\(issuer.name)", "error": "\(error)"]
            )
        }
    }
}
