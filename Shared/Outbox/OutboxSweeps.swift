// SPDX-License-Identifier: Apache-2.0
// What of the exchange's own tables has served.

import Domain
import Events
import Postgres

/// The sweeps of the tables that every service with events has.
enum OutboxSweeps {
    /// A duplicate comes within seconds; 30 days are for a broker that was away.
    static let inboxDays = 30
    static let attemptsDays = 30
    /// The messages themselves stay in the broker; an older one is listed without its reason.
    static let deadLettersDays = 90
    static let unneededDays = 7

    static func all(now: @escaping @Sendable () -> Timestamp = { .now() }) -> [Sweep] {
        [inbox(now), attempts(now), deadLetters(now), waiting(now), exportTasks(now)]
    }

    /// Ids of events rise with time, so that the old ones of each consumer stand together in the primary key. An event
    /// that was handled late, because it waited or was replayed, is kept as long after that as any other.
    private static func inbox(_ now: @escaping @Sendable () -> Timestamp) -> Sweep {
        Sweep("inbox") { database in
            let end = earlier(now(), inboxDays)
            return try await database.query(
                """
                WITH RECURSIVE consumers AS (
                    (SELECT consumer FROM inbox ORDER BY consumer LIMIT 1)
                    UNION ALL
                    SELECT (
                        SELECT next.consumer FROM inbox AS next
                        WHERE next.consumer > consumers.consumer
                        ORDER BY next.consumer LIMIT 1
                    )
                    FROM consumers WHERE consumers.consumer IS NOT NULL
                ), old AS MATERIALIZED (
                    SELECT each.consumer, each.event_id
                    FROM consumers
                    CROSS JOIN LATERAL (
                        SELECT inbox.consumer, inbox.event_id FROM inbox
                        WHERE inbox.consumer = consumers.consumer
                          AND inbox.event_id < CAST(\(EventID.first(at: end)) AS uuid)
                          AND inbox.claimed_at < \(end)
                        ORDER BY inbox.event_id
                        LIMIT 5000
                    ) AS each
                    LIMIT 5000
                )
                DELETE FROM inbox
                USING old
                WHERE inbox.consumer = old.consumer AND inbox.event_id = old.event_id
                """
            ).affected
        }
    }

    private static func attempts(_ now: @escaping @Sendable () -> Timestamp) -> Sweep {
        rows(of: "delivery_attempts", "delivery_attempts") {
            "last_at < \(earlier(now(), attemptsDays)) ORDER BY last_at"
        }
    }

    private static func deadLetters(_ now: @escaping @Sendable () -> Timestamp) -> Sweep {
        rows(of: "dead_letters", "dead_letters") { "died_at < \(earlier(now(), deadLettersDays)) ORDER BY died_at" }
    }

    /// What waits in vain: it was bound by a release that needed it, and this one says that nobody does.
    private static func waiting(_ now: @escaping @Sendable () -> Timestamp) -> Sweep {
        let types = Catalogue.unneeded.map { $0.type }
        return rows(of: "waiting_events", "waiting_events") {
            "type = ANY(\(types)) AND arrived_at < \(earlier(now(), unneededDays))"
        }
    }

    private static func exportTasks(_ now: @escaping @Sendable () -> Timestamp) -> Sweep {
        Sweep("export_tasks") { database in
            try await ExportTaskStore.forget(before: now() - Exporting.patience, in: database)
        }
    }

    /// Removes the rows that hold `condition`, 2,000 a step.
    private static func rows(
        of name: String,
        _ table: SQL,
        where condition: @escaping @Sendable () -> SQL
    ) -> Sweep {
        Sweep(name) { database in
            try await database.query(
                "DELETE FROM \(table) WHERE ctid = ANY(ARRAY(SELECT ctid FROM \(table) WHERE \(condition()) LIMIT 2000))"
            ).affected
        }
    }

    private static func earlier(_ moment: Timestamp, _ days: Int) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - Int64(days) * 86_400_000)
    }
}
