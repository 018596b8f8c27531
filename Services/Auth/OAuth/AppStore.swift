// SPDX-License-Identifier: Apache-2.0
// The SQL of `apps`.

package import Domain
public import Postgres

/// Registered apps.
enum AppStore {
    static func insert(_ app: App, now: Timestamp, in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO apps
                (\(App.columns), created_at)
            VALUES
                (\(app.id), \(app.clientID), \(app.secretHash), \(app.name), \(app.website),
                \(app.scopes.description), \(app.redirectURIs), \(app.isFirstParty), \(now))
            """
        )
    }

    static func app(clientID: String, in database: some Querying) async throws -> App? {
        guard clientID.utf8.count <= 128, !clientID.utf8.contains(0) else { return nil }
        return try await database.query(
            """
            SELECT \(App.columns)
            FROM apps
            WHERE client_id = \(clientID)
            """
        ).one(as: App.init)
    }

    static func app(_ id: AppID, in database: some Querying) async throws -> App? {
        try await database.query(
            """
            SELECT \(App.columns)
            FROM apps
            WHERE id = \(id)
            """
        ).one(as: App.init)
    }

    /// Notes a use, at most once a day.
    static func touch(_ id: AppID, now: Timestamp, in transaction: some Transacting) {
        let stale = now + .seconds(-86_400)
        transaction.enqueue(
            """
            UPDATE apps
            SET last_used_at = \(now)
            WHERE id = \(id) AND (last_used_at IS NULL OR last_used_at < \(stale))
            """
        )
    }

    /// Forgets apps of somebody else's that serve nobody. One that is used at this moment has a new `last_used_at`, which
    /// the outer condition looks at again.
    static func purge(
        neverUsedBefore never: Timestamp,
        unusedBefore unused: Timestamp,
        in transaction: some Transacting
    ) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM apps
            WHERE id IN (
                (
                    SELECT a.id FROM apps a
                    WHERE a.last_used_at IS NULL AND NOT a.first_party AND a.created_at < \(never)
                        AND NOT EXISTS (SELECT FROM sessions s WHERE s.app_id = a.id)
                        AND NOT EXISTS (SELECT FROM authorization_codes c WHERE c.app_id = a.id)
                    LIMIT 1000
                )
                UNION ALL
                (
                    SELECT a.id FROM apps a
                    WHERE a.last_used_at < \(unused) AND NOT a.first_party
                        AND NOT EXISTS (SELECT FROM sessions s WHERE s.app_id = a.id)
                        AND NOT EXISTS (SELECT FROM authorization_codes c WHERE c.app_id = a.id)
                    LIMIT 1000
                )
            )
            AND NOT first_party
            AND (last_used_at < \(unused) OR (last_used_at IS NULL AND created_at < \(never)))
            """
        ).affected
    }
}

extension App {
    /// Of `apps`, in the order of the properties.
    static let columns: SQL = "id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party"
}

extension ScopeSet: PostgresDecodable {
    package init(cell: Cell) throws { self = ScopeSet(try String(cell: cell)) ?? ScopeSet([]) }
}
