// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/apps: registering an app.

import Domain
import Postgres
import Views
import Web

/// Registers an app and answers with its id and secret.
enum CreateApp {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let limits = dependencies.limits
        var faults: [(field: String, fault: ValidationFault)] = []

        let name = (try parameters.string("client_name") ?? "").onOneLine.trimmed
        if name.isEmpty { faults.append(("name", .blank)) }
        if name.count > limits.appName || name.utf8.count > limits.appName * 8 { faults.append(("name", .tooLong)) }
        if name.hasControls { faults.append(("name", .invalid)) }

        let uris = (try parameters.strings("redirect_uris") ?? []).flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .map(String.init)
        if uris.isEmpty { faults.append(("redirect_uri", .blank)) }
        if uris.count > limits.redirectURIs { faults.append(("redirect_uri", .tooLong)) }
        if uris.prefix(limits.redirectURIs).contains(where: { RedirectURI($0) == nil }) {
            faults.append(("redirect_uri", .invalid))
        }

        let asked = (try parameters.string("scopes") ?? "").trimmed
        let scopes = ScopeSet(asked.isEmpty ? "read" : asked)
        if scopes == nil { faults.append(("scopes", .invalid)) }

        let website = (try parameters.string("website") ?? "").trimmed
        if website.utf8.count > limits.uri { faults.append(("website", .tooLong)) }
        if !website.isEmpty, !isWebAddress(website) { faults.append(("website", .invalid)) }

        guard faults.isEmpty, let scopes else { throw ValidationFailure(faults: faults) }
        let secret = dependencies.secret()
        let app = App(
            id: try dependencies.ids.next(),
            clientID: dependencies.secret().text,
            secretHash: secret.hash,
            name: name,
            website: website.isEmpty ? nil : website,
            scopes: scopes,
            redirectURIs: uris,
            isFirstParty: false
        )
        let now = dependencies.now()
        let audit = Audit(request, dependencies)
        // Anybody can register apps, so those from one place on one day are one note.
        let bucket = "\(request.clientAddress) \(Audit.window(now, .seconds(86_400)))"
        try await dependencies.database.transaction { transaction in
            try await AppStore.insert(app, now: now, in: transaction)
            try audit.count(.appRegistered, .init(app: app.id, detail: app.name), bucket: bucket, in: transaction)
        }
        return .unstored(AppView(app: app, secret: secret.text, vapidKey: dependencies.vapidKey))
    }

    /// A link that may be shown under a post.
    private static func isWebAddress(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return false }
        // What stands before an @, and letters that look like others, would show another place than the one it leads to.
        let host = text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "@") }) else {
            return false
        }
        return !text.hasControls && !text.contains(where: { $0.isWhitespace || "\"<>\\".contains($0) })
    }
}

/// GET /api/v1/apps/verify_credentials: the app behind a token.
enum VerifyApp {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let principal = request.principal,
            let app = try await AppStore.app(principal.appID, in: dependencies.database)
        else { throw Problem.unauthorized }
        return .json(AppView(app: app, secret: nil, vapidKey: dependencies.vapidKey))
    }
}

/// The Mastodon API's Application, with a secret its CredentialApplication.
struct AppView: ObjectView {
    let app: App
    let secret: String?
    let vapidKey: String?

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", app.id)
        json.member("name", app.name)
        json.member("website", app.website)
        json.member("scopes", app.scopes.scopes.map(\.text))
        json.member("redirect_uri", app.redirectURIs.joined(separator: "\n"))
        json.member("redirect_uris", app.redirectURIs)
        // A client that sees it subscribes.
        if let vapidKey { json.member("vapid_key", vapidKey) }
        guard let secret else { return }
        json.member("client_id", app.clientID)
        json.member("client_secret", secret)
        json.member("client_secret_expires_at", 0)
    }
}
