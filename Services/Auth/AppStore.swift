// SPDX-License-Identifier: Apache-2.0
// The SQL of `apps`.

import Domain
import Postgres

/// Registered apps.
enum AppStore {
    static func insert(_ app: App, now: Timestamp, in database: Database) async throws {
        _ = try await database.query(
            """
            INSERT INTO apps
                (id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party, created_at)
            VALUES
                (\(app.id), \(app.clientID), \(app.secretHash), \(app.name), \(app.website),
                \(app.scopes.description), \(app.redirectURIs), \(app.isFirstParty), \(now))
            """
        )
    }

    static func app(clientID: String, in database: Database) async throws -> App? {
        guard clientID.utf8.count <= 128, !clientID.utf8.contains(0) else { return nil }
        return try await database.query(
            """
            SELECT id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party
            FROM apps
            WHERE client_id = \(clientID)
            """
        ).first.map(app)
    }

    static func app(_ id: AppID, in database: Database) async throws -> App? {
        try await database.query(
            """
            SELECT id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party
            FROM apps
            WHERE id = \(id)
            """
        ).first.map(app)
    }

    private static func app(_ row: Row) throws -> App {
        var columns = row.columns
        return App(
            id: try columns.next(),
            clientID: try columns.next(),
            secretHash: try columns.next(),
            name: try columns.next(),
            website: try columns.next(),
            scopes: ScopeSet(try columns.next(String.self)) ?? ScopeSet([]),
            redirectURIs: try columns.next(),
            isFirstParty: try columns.next()
        )
    }
}
