// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/sessions: signing in from an app of our own.

import Domain
import Postgres
import Web

/// Answers a name and a password with a short access token and a refresh token.
enum CreateSession {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        guard let login = try parameters.string("username") ?? parameters.string("email") else {
            throw Problem.invalid("username", "blank")
        }
        guard let password = try parameters.string("password") else { throw Problem.invalid("password", "blank") }
        let device = try deviceName(parameters, request, dependencies)
        let known = try parameters.string("device_token")
        let account = try await VerifyPassword.run(
            login: login,
            password: password,
            request,
            device: { DeviceToken.mark(known, of: $0, dependencies) },
            dependencies
        )
        try await EmailUnconfirmed.refuse(account.id, dependencies)
        guard let app = try await AppStore.app(App.own, in: dependencies.database) else { throw Problem.notFound }
        let isNew = DeviceToken.mark(known, of: account.id, dependencies) == nil
        let now = dependencies.now()
        let audit = Audit(request, dependencies).by(account.id)
        var token = try await dependencies.database.transaction { transaction in
            let due = try await Agreements.onSignIn(of: account.id, parameters, dependencies, in: transaction)
            var token = try await Grant(app: app, account: account.id, scopes: app.scopes, device: device)
                .insert(dependencies, in: transaction)
            token.due = due
            try audit.note(
                .signedIn,
                .init(account: account.id, session: token.sessionID, app: app.id, detail: device),
                in: transaction
            )
            if isNew { try await transaction.send(.newDevice(name: device, at: now), to: account.id, at: now) }
            return token
        }
        token.deviceToken = DeviceToken.make(for: account.id, keeping: known, dependencies)
        return token.answer
    }

    /// What the list of sessions calls it: as its app says, or what its headers tell.
    static func deviceName(
        _ parameters: Parameters,
        _ request: Request,
        _ dependencies: Dependencies
    ) throws -> String {
        let device = (try parameters.string("device_name") ?? request.browserName).trimmed
        guard device.count <= dependencies.limits.device, device.utf8.count <= dependencies.limits.device * 8 else {
            throw Problem.invalid("device_name", "too_long")
        }
        guard !device.hasControls else { throw Problem.invalid("device_name", "invalid") }
        return device
    }
}
