// SPDX-License-Identifier: Apache-2.0
// Events of apps by days.

import Domain
import Postgres

/// How often something was told on a day.
struct DayOfUsage: Equatable, Sendable {
    let name: String
    let platform: String
    let version: String
    let events: Int64

    static let columns: SQL = "u.name, u.platform, u.version, u.events"
}

/// How often something was told on a day, whatever the version.
struct PlatformUsage: Hashable, Sendable {
    let name: String
    let platform: String
    let events: Int64
}

enum UsageStore {
    /// What names and versions are counted as that are beyond their number.
    static let other = "other"
    /// How many names and versions are counted by themselves.
    static let names = 200
    static let versions = 50

    /// Waits until nobody else adds, so that no two processes give the last place to different names.
    static func take(in transaction: some Transacting) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(hashtext('search.usage'))")
    }

    /// Adds what was told on a day. A name or a version that is new is counted by itself as long as there is room.
    ///
    /// - Parameter day: `YYYY-MM-DD`.
    static func add(_ counts: [UsageKey: Int], on day: String, in transaction: some Transacting) {
        let counts = counts.map { (key: $0.key, count: $0.value) }
        transaction.enqueue(
            """
            WITH told AS (
                SELECT t.name, t.platform, t.version, t.events FROM unnest(
                    \(counts.map(\.key.name)), \(counts.map(\.key.platform.rawValue)), \(counts.map(\.key.version)),
                    \(counts.map(\.count))
                ) AS t (name, platform, version, events)
            ), words AS (
                SELECT 1 AS kind, t.name AS word, \(names) AS room FROM told t
                UNION
                SELECT 2, t.version, \(versions) FROM told t WHERE t.version <> ''
            ), known AS (
                SELECT w.kind, w.word FROM words n JOIN usage_words w ON w.kind = n.kind AND w.word = n.word
            ), again AS (
                UPDATE usage_words w SET told_on = CAST(\(day) AS date) FROM known k
                WHERE w.kind = k.kind AND w.word = k.word AND w.told_on < CAST(\(day) AS date)
            ), new AS (
                INSERT INTO usage_words (kind, word, told_on)
                SELECT n.kind, n.word, CAST(\(day) AS date)
                FROM (
                    SELECT n.kind, n.word, n.room, row_number() OVER (PARTITION BY n.kind ORDER BY n.word) AS place
                    FROM words n
                    WHERE NOT EXISTS (SELECT FROM known k WHERE k.kind = n.kind AND k.word = n.word)
                ) n
                WHERE n.place <= n.room - (SELECT count(*) FROM usage_words w WHERE w.kind = n.kind)
                ORDER BY n.kind, n.word
                RETURNING kind, word
            ), counted AS (
                SELECT k.kind, k.word FROM known k UNION ALL SELECT n.kind, n.word FROM new n
            )
            INSERT INTO usage AS u (day, name, platform, version, events)
            SELECT CAST(\(day) AS date), coalesce(n.word, \(other)), t.platform,
                CASE WHEN t.version = '' THEN '' ELSE coalesce(v.word, \(other)) END, CAST(sum(t.events) AS bigint)
            FROM told t
            LEFT JOIN counted n ON n.kind = 1 AND n.word = t.name
            LEFT JOIN counted v ON v.kind = 2 AND v.word = t.version
            GROUP BY 2, 3, 4
            ORDER BY 2, 3, 4
            ON CONFLICT (day, name, platform, version) DO UPDATE SET events = u.events + excluded.events
            """
        )
    }

    /// What was told on a day, in the order of names.
    static func usage(on day: String, in database: some Querying) async throws -> [DayOfUsage] {
        try await database.query(
            """
            SELECT \(DayOfUsage.columns)
            FROM usage u
            WHERE u.day = CAST(\(day) AS date)
            ORDER BY u.name, u.platform, u.version
            """
        ).all(as: DayOfUsage.init)
    }

    /// The same whatever the version, the most frequent first.
    static func platforms(on day: String, in database: some Querying) async throws -> [PlatformUsage] {
        try await database.query(
            """
            SELECT u.name, u.platform, CAST(sum(u.events) AS bigint) AS events
            FROM usage u
            WHERE u.day = CAST(\(day) AS date)
            GROUP BY u.name, u.platform
            ORDER BY events DESC, u.name, u.platform
            """
        ).all { PlatformUsage(name: try $0.next(), platform: try $0.next(), events: try $0.next()) }
    }

    /// Removes some of days before another.
    static func forget(before day: String, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(
                of: "usage",
                by: "day, name, platform, version",
                where: "day < CAST(\(day) AS date)",
                inOrderOf: "day"
            )
        ).affected
    }

    /// Makes room of names and versions that nobody told since a day.
    static func forgetWords(before day: String, in database: some Querying) async throws -> Int {
        try await database.query("DELETE FROM usage_words WHERE told_on < CAST(\(day) AS date)").affected
    }
}
