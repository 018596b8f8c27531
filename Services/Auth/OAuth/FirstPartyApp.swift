// SPDX-License-Identifier: Apache-2.0
// `auth first-party-app NAME REDIRECT_URI…`: registering an app of one's own.

import Domain
import Logging
import Postgres
import Serving

/// Registers an app that keeps no secret, must use PKCE, and gets short access tokens with refresh tokens.
enum FirstPartyApp {
    struct Usage: Error, CustomStringConvertible {
        var description: String { "usage: auth first-party-app NAME REDIRECT_URI…" }
    }

    @Sendable static func create(_ config: Config, logger: Logger, arguments: [String]) async throws {
        let uris = arguments.dropFirst()
        guard let name = arguments.first?.trimmed, !name.isEmpty, !name.hasControls, !uris.isEmpty,
            uris.allSatisfy({ RedirectURI($0) != nil })
        else { throw Usage() }
        let client = try await OperatorCommand.run(config, logger: logger) { database, ids in
            let app = App(
                id: try ids.next(),
                clientID: Secret(bytes: Dependencies.systemRandomBytes(32)).text,
                secretHash: nil,
                name: name,
                website: nil,
                scopes: ScopeSet(["profile", "read", "write", "follow", "push"]),
                redirectURIs: Array(uris),
                isFirstParty: true
            )
            try await register(app, ids: ids, in: database, logger: logger)
            return app.clientID
        }
        print("client_id=\(client)")
    }

    static func register(_ app: App, ids: IDGenerator, in database: Database, logger: Logger) async throws {
        let audit = Audit(actor: "operator", database: database, ids: ids, now: Timestamp.now, logger: logger)
        try await database.transaction { transaction in
            try await AppStore.insert(app, now: Timestamp.now(), in: transaction)
            try audit.note(.appRegistered, .init(app: app.id, detail: app.name), in: transaction)
        }
    }
}
