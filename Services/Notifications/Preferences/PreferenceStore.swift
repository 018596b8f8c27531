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
    static func wishes(of account: AccountID, in database: some Querying) async throws -> [PushWishes] {
        try await database.query(
            """
            SELECT \(PushWishes.columns) FROM push_preferences
            WHERE account_id = \(account)
            ORDER BY scope, scope_id
            """
        ).all(PushWishes.init(columns:)).compactMap(\.self)
    }

    static func clear(_ account: AccountID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM push_preferences WHERE account_id = \(account)")
    }

    /// Keeps what is said, of devices only those that the account has.
    static func keep(_ wishes: [PushWishes], of account: AccountID, in transaction: some Transacting) throws {
        let kinds = try wishes.map { String(decoding: try JSONB(snapshot: $0.kinds).json, as: UTF8.self) }
        transaction.enqueue(
            """
            INSERT INTO push_preferences (account_id, scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
            SELECT \(account), w.scope, w.scope_id, CAST(w.kinds AS jsonb), nullif(w.preview, ''),
                nullif(w.quiet_from, -1), nullif(w.quiet_to, -1), nullif(w.time_zone, '')
            FROM unnest(
                \(wishes.map(\.scope.name)), \(wishes.map(\.scope.id)), \(kinds),
                \(wishes.map { $0.preview?.rawValue ?? "" }), \(wishes.map { Int32($0.quiet?.start ?? -1) }),
                \(wishes.map { Int32($0.quiet?.end ?? -1) }), \(wishes.map { $0.timeZone ?? "" })
            ) AS w (scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
            WHERE w.scope <> 'device'
                OR EXISTS (SELECT FROM devices d WHERE d.id = w.scope_id AND d.account_id = \(account))
            """
        )
    }

    /// Whether the database knows a time zone by this name.
    static func knows(zone: String, in database: some Querying) async throws -> Bool {
        try await database.query("SELECT count(*) FROM pg_timezone_names WHERE name = \(zone)").number() > 0
    }
}
