// SPDX-License-Identifier: Apache-2.0
// The SQL of what people want to be told by push.

import Domain
import Postgres
import Serving

extension PushWishes {
    fileprivate static let columns: SQL = "scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone"

    /// Nil for a scope of a later release.
    fileprivate init?(columns: inout Columns) throws {
        let (name, id): (String, Int64) = (try columns.next(), try columns.next())
        kinds = try columns.next(JSONB.self).snapshot()
        preview = try columns.next()
        let (start, end): (Int?, Int?) = (try columns.next(), try columns.next())
        timeZone = try columns.next()
        if let start, let end { quiet = QuietHours(start: start, end: end) }
        guard let scope = Scope(name: name, id: id) else { return nil }
        self.scope = scope
    }
}

enum PreferenceStore {
    /// What is said for the account, and what an app may see of the rest.
    static func wishes(within scope: DeviceScope, in database: some Querying) async throws -> [PushWishes] {
        try await database.query(
            """
            SELECT \(PushWishes.columns) FROM push_preferences
            WHERE account_id = \(scope.account) AND (scope = 'account' OR \(isChangeable(within: scope)))
            ORDER BY scope, scope_id
            """
        ).all(PushWishes.init(columns:)).compactMap(\.self)
    }

    /// Which of an account's `push_preferences` an app may change.
    private static func isChangeable(within scope: DeviceScope) -> SQL {
        guard let app = scope.app else { return "true" }
        return """
            CASE scope
                WHEN 'app' THEN scope_id = \(app)
                WHEN 'device' THEN EXISTS (SELECT FROM devices d WHERE d.id = scope_id AND \(scope.covers("d")))
                ELSE false
            END
            """
    }

    static func clear(_ scope: DeviceScope, in transaction: some Transacting) {
        transaction.enqueue(
            "DELETE FROM push_preferences WHERE account_id = \(scope.account) AND \(isChangeable(within: scope))"
        )
    }

    /// Keeps what is said, of devices only those that the app may look after.
    static func keep(_ wishes: [PushWishes], within scope: DeviceScope, in transaction: some Transacting) throws {
        let kinds = try wishes.map { String(decoding: try JSONB(snapshot: $0.kinds).json, as: UTF8.self) }
        transaction.enqueue(
            """
            INSERT INTO push_preferences (account_id, scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
            SELECT \(scope.account), w.scope, w.scope_id, CAST(w.kinds AS jsonb), nullif(w.preview, ''),
                nullif(w.quiet_from, -1), nullif(w.quiet_to, -1), nullif(w.time_zone, '')
            FROM unnest(
                \(wishes.map(\.scope.name)), \(wishes.map(\.scope.id)), \(kinds),
                \(wishes.map { $0.preview?.rawValue ?? "" }), \(wishes.map { Int32($0.quiet?.start ?? -1) }),
                \(wishes.map { Int32($0.quiet?.end ?? -1) }), \(wishes.map { $0.timeZone ?? "" })
            ) AS w (scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
            WHERE w.scope <> 'device'
                OR EXISTS (SELECT FROM devices d WHERE d.id = w.scope_id AND \(scope.covers("d")))
            """
        )
    }

    /// Whether the database knows a time zone by this name.
    static func knows(zone: String, in database: some Querying) async throws -> Bool {
        try await database.query("SELECT count(*) FROM pg_timezone_names WHERE name = \(zone)").number() > 0
    }
}
