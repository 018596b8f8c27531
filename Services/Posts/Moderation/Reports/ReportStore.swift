// SPDX-License-Identifier: Apache-2.0
// The SQL on reports, on what was reported, and on what moderators wrote of it.

import Domain
import Events
import Postgres
import Serving

extension ReportFilter {
    /// Of `reports p`.
    fileprivate var condition: SQL {
        var condition: SQL = isClosed ? "p.closed_at IS NOT NULL" : "p.closed_at IS NULL"
        if let reporter { condition = "\(condition) AND p.reporter_id = \(reporter)" }
        if let target { condition = "\(condition) AND p.target_id = \(target)" }
        if let assigned { condition = "\(condition) AND p.assigned_id = \(assigned)" }
        if isFree { condition = "\(condition) AND p.assigned_id IS NULL" }
        if let moderator {
            condition = """
                \(condition) AND p.target_id IS DISTINCT FROM \(moderator)
                AND NOT EXISTS (
                    SELECT FROM report_things t WHERE t.report_id = p.id AND t.account_id = \(moderator) OFFSET 0
                )
                """
        }
        return condition
    }
}

/// What a moderator wrote of a report to others.
struct ReportNote: Sendable {
    let id: ReportNoteID
    let accountID: AccountID
    let text: String
    let createdAt: Timestamp
}

enum ReportStore {
    /// How many somebody filed since a moment.
    static func filed(by reporter: AccountID, since moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            SELECT count(*) FROM reports WHERE reporter_id = \(reporter) AND id >= \(ReportID.first(at: moment))
            """
        ).number()
    }

    static func insert(_ report: ReportRow, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO reports (id, reporter_id, target_id, category, comment, rule_ids, created_at, updated_at)
            VALUES (
                \(report.id), \(report.reporterID), \(report.targetID), \(report.category), \(report.comment),
                \(report.ruleIDs), \(report.createdAt), \(report.updatedAt)
            )
            """
        )
    }

    static func insert(_ thing: ReportedThing, of report: ReportID, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO report_things (report_id, kind, thing_id, account_id, snapshot)
            VALUES (
                \(report), \(thing.thing.kind), \(thing.thing.id), \(thing.accountID),
                \(try thing.snapshot.map { try JSONB(snapshot: $0) })
            )
            """
        )
    }

    /// Lets no other transaction file a report of this place itself of a thing until this one ends.
    static func lock(_ thing: Thing, in transaction: some Transacting) {
        transaction.enqueue(
            """
            SELECT pg_advisory_xact_lock(hashtextextended('flag ' || \(thing.kind) || ' ' || \(thing.id), 0))
            """
        )
    }

    /// The open report of a thing that this place itself filed.
    static func openFlag(of thing: Thing, in transaction: some Transacting) async throws -> ReportID? {
        try await transaction.query(
            """
            SELECT p.id
            FROM report_things t
            JOIN reports p ON p.id = t.report_id AND p.reporter_id IS NULL AND p.closed_at IS NULL
            WHERE t.kind = \(thing.kind) AND t.thing_id = \(thing.id)
            LIMIT 1
            """
        ).one { try $0.next() }
    }

    static func report(_ id: ReportID, in database: some Querying) async throws -> ReportRow? {
        try await database.query("SELECT \(ReportRow.columns) FROM reports p WHERE p.id = \(id)").one {
            try $0.next()
        }
    }

    /// The same, which nobody else changes until the transaction ends.
    static func hold(_ id: ReportID, in transaction: some Transacting) async throws -> ReportRow? {
        try await transaction.query("SELECT \(ReportRow.columns) FROM reports p WHERE p.id = \(id) FOR UPDATE").one {
            try $0.next()
        }
    }

    static func page(_ page: Page, _ filter: ReportFilter, in database: some Querying) async throws -> [ReportRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT p.* FROM reports p WHERE \(filter.condition) AND \(page.cut("p.id"))
            )
            SELECT \(ReportRow.columns) FROM page p ORDER BY p.id DESC
            """
        ).all { try $0.next() }
    }

    /// What was reported, by the reports.
    static func things(of ids: [ReportID], in database: some Querying) async throws -> [ReportID: [ReportedThing]] {
        let rows: [(ReportID, ReportedThing)] = try await database.query(
            """
            SELECT report_id, kind, thing_id, account_id, snapshot
            FROM report_things
            WHERE report_id = ANY (\(ids))
            ORDER BY report_id, kind, thing_id
            """
        ).all { columns in
            let report: ReportID = try columns.next()
            let thing = Thing(kind: try columns.next(), id: try columns.next())
            return (report, ReportedThing(thing: thing, accountID: try columns.next(), snapshot: try columns.next()))
        }
        return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
    }

    /// Keeps what a thing is; nothing where it was known.
    static func keep(_ thing: ReportedThing, of report: ReportID, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            UPDATE report_things
            SET account_id = \(thing.accountID), snapshot = \(try thing.snapshot.map { try JSONB(snapshot: $0) })
            WHERE report_id = \(report) AND kind = \(thing.thing.kind) AND thing_id = \(thing.thing.id)
                AND snapshot IS NULL
            """
        )
    }

    /// Takes what could not be reported out of a report, unless it is known by now.
    static func drop(_ thing: Thing, of report: ReportID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM report_things
            WHERE report_id = \(report) AND kind = \(thing.kind) AND thing_id = \(thing.id) AND snapshot IS NULL
            """
        )
    }

    static func setTarget(_ target: AccountID, of report: ReportID, in transaction: some Transacting) {
        transaction.enqueue("UPDATE reports SET target_id = \(target) WHERE id = \(report)")
    }

    /// Deletes a report that reports nobody and nothing; the caller holds it.
    static func deleteEmpty(_ id: ReportID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            DELETE FROM reports
            WHERE id = \(id) AND target_id IS NULL
                AND NOT EXISTS (SELECT FROM report_things t WHERE t.report_id = \(id))
            """
        )
    }

    /// - Parameter moderator: nil for nobody.
    static func assign(_ id: ReportID, to moderator: AccountID?, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue("UPDATE reports SET assigned_id = \(moderator), updated_at = \(now) WHERE id = \(id)")
    }

    /// - Parameter moderator: nil to open it again.
    static func close(_ id: ReportID, by moderator: AccountID?, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE reports
            SET closed_id = \(moderator), closed_at = CASE WHEN \(moderator) IS NULL THEN NULL ELSE \(now) END,
                updated_at = \(now)
            WHERE id = \(id)
            """
        )
    }

    static func change(
        _ id: ReportID,
        category: ReportCategory,
        ruleIDs: [String],
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE reports SET category = \(category), rule_ids = \(ruleIDs), updated_at = \(now) WHERE id = \(id)
            """
        )
    }

    // MARK: Notes

    static func insert(_ note: ReportNote, of report: ReportID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO report_notes (id, report_id, account_id, text, created_at)
            VALUES (\(note.id), \(report), \(note.accountID), \(note.text), \(note.createdAt))
            """
        )
    }

    /// Oldest first.
    static func notes(of report: ReportID, in database: some Querying) async throws -> [ReportNote] {
        try await database.query(
            "SELECT id, account_id, text, created_at FROM report_notes WHERE report_id = \(report) ORDER BY id"
        ).all(as: ReportNote.init)
    }

    // MARK: Time

    /// How many open reports were filed before a moment.
    static func waiting(since moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            "SELECT count(*) FROM reports WHERE closed_at IS NULL AND id < \(ReportID.first(at: moment))"
        ).number()
    }

    /// Some reports that were closed before a moment.
    static func forgettable(before moment: Timestamp, in transaction: some Transacting) async throws -> [ReportID] {
        try await transaction.query(
            """
            SELECT id FROM reports WHERE closed_at < \(moment) ORDER BY closed_at LIMIT 200 FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Deletes reports with all that hangs on them.
    ///
    /// - Returns: how many.
    static func forget(_ ids: [ReportID], in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH things AS (
                DELETE FROM report_things WHERE report_id = ANY (\(ids))
            ), notes AS (
                DELETE FROM report_notes WHERE report_id = ANY (\(ids))
            )
            DELETE FROM reports WHERE id = ANY (\(ids))
            """
        ).affected
    }
}
