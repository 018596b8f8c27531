// SPDX-License-Identifier: Apache-2.0
// The SQL on decisions, on what they took away, on appeals and on the log.

import Domain
import Events
import Postgres
import Serving

/// Which decisions somebody looks at. Who moderates does not see how others dealt with them.
enum DecisionList: Sendable {
    case all(seenBy: AccountID)
    case about(AccountID, seenBy: AccountID)
    case report(ReportID, seenBy: AccountID)
    case own(AccountID)

    /// Of `decisions d`.
    fileprivate var condition: SQL {
        switch self {
        case .all(let moderator): "d.account_id <> \(moderator)"
        case .about(let account, let moderator): "d.account_id = \(account) AND d.account_id <> \(moderator)"
        case .report(let report, let moderator): "d.report_id = \(report) AND d.account_id <> \(moderator)"
        case .own(let account): "d.account_id = \(account)"
        }
    }
}

/// What a moderator did.
enum ModerationDeed: String, ColumnWord {
    case claim, release, close, reopen, note, change, decide, lift, accept, reject
}

/// A row of the log.
struct LoggedDeed: Sendable {
    let id: Int64
    let moderatorID: AccountID?
    let deed: ModerationDeed
    var reportID: ReportID?
    var decisionID: DecisionID?
    var accountID: AccountID?
    let at: Timestamp
}

enum DecisionStore {
    private static let joins: SQL = """
        LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
        LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true
        """

    /// What holds of accounts themselves.
    static func isInForce(_ alias: SQL, at now: Timestamp) -> SQL {
        """
        \(alias).thing_id IS NULL AND \(alias).lifted_at IS NULL AND \(alias).action <> 'warn'
            AND (\(alias).until IS NULL OR \(alias).until > \(now))
        """
    }

    static func insert(_ decision: DecisionRow, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO decisions (
                id, moderator_id, account_id, report_id, action, thing_kind, thing_id, reason, until, appeal_until,
                decided_at, version
            )
            VALUES (
                \(decision.id), \(decision.moderatorID), \(decision.accountID), \(decision.reportID),
                \(decision.action), \(decision.thing?.kind), \(decision.thing?.id), \(decision.reason),
                \(decision.until), \(decision.appealUntil), \(decision.decidedAt), \(decision.version)
            )
            """
        )
    }

    /// Keeps what a decision takes away.
    static func keep(
        _ snapshot: ThingSnapshot,
        of thing: Thing,
        for decision: DecisionID,
        until moment: Timestamp,
        in transaction: some Transacting
    ) throws {
        transaction.enqueue(
            """
            INSERT INTO evidence (decision_id, kind, thing_id, snapshot, kept_until)
            VALUES (\(decision), \(thing.kind), \(thing.id), \(try JSONB(snapshot: snapshot)), \(moment))
            """
        )
    }

    static func decision(_ id: DecisionID, in database: some Querying) async throws -> DecisionRow? {
        try await database.query(
            "SELECT \(DecisionRow.columns) FROM decisions d \(joins) WHERE d.id = \(id)"
        ).one { try $0.next() }
    }

    /// Keeps everybody else from changing a decision, and from appealing to it, until the transaction ends.
    static func lock(_ id: DecisionID, in transaction: some Transacting) {
        transaction.enqueue("SELECT 1 FROM decisions WHERE id = \(id) FOR UPDATE")
    }

    static func page(_ page: Page, of list: DecisionList, in database: some Querying) async throws -> [DecisionRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT d.* FROM decisions d WHERE \(list.condition) AND \(page.cut("d.id"))
            )
            SELECT \(DecisionRow.columns) FROM page d \(joins) ORDER BY d.id DESC
            """
        ).all { try $0.next() }
    }

    /// Those of an account itself that hold and did the same.
    static func holding(
        _ action: DecisionAction,
        of account: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> [DecisionID] {
        try await transaction.query(
            """
            SELECT d.id FROM decisions d
            WHERE d.account_id = \(account) AND d.action = \(action) AND \(isInForce("d", at: now))
            ORDER BY d.id
            """
        ).all { try $0.next() }
    }

    /// Makes a decision hold no more; the caller holds its lock.
    static func lift(_ id: DecisionID, at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            "UPDATE decisions SET lifted_at = \(now), version = version + 1 WHERE id = \(id) AND lifted_at IS NULL"
        )
    }

    // MARK: Appeals

    /// - Returns: false when there is one.
    static func appeal(
        to decision: DecisionID,
        by account: AccountID,
        _ text: String,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO appeals (decision_id, account_id, text, state, created_at)
            VALUES (\(decision), \(account), \(text), \(AppealState.open), \(now))
            ON CONFLICT (decision_id) DO NOTHING
            """
        ).affected == 1
    }

    static func decide(
        _ decision: DecisionID,
        _ state: AppealState,
        by moderator: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE appeals SET state = \(state), moderator_id = \(moderator), decided_at = \(now)
            WHERE decision_id = \(decision)
            """
        )
    }

    /// Decisions about others whose appeals wait, the newest decision first.
    static func appeals(
        _ page: Page,
        seenBy moderator: AccountID,
        in database: some Querying
    ) async throws -> [DecisionRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT o.decision_id
                FROM appeals o
                WHERE o.state = 'open' AND o.account_id <> \(moderator) AND \(page.cut("o.decision_id"))
            )
            SELECT \(DecisionRow.columns)
            FROM page
            CROSS JOIN LATERAL (SELECT d.* FROM decisions d WHERE d.id = page.decision_id OFFSET 0) d
            \(joins)
            ORDER BY d.id DESC
            """
        ).all { try $0.next() }
    }

    // MARK: The log

    static func log(_ deed: LoggedDeed, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO moderation_log (id, moderator_id, deed, report_id, decision_id, account_id, at)
            VALUES (
                \(deed.id), \(deed.moderatorID), \(deed.deed), \(deed.reportID), \(deed.decisionID), \(deed.accountID),
                \(deed.at)
            )
            """
        )
    }

    /// - Parameters:
    ///   - account: nil for all that was done.
    ///   - moderator: who looks, and does not see what others did about them.
    static func log(
        _ page: Page,
        about account: AccountID?,
        seenBy moderator: AccountID,
        in database: some Querying
    ) async throws -> [LoggedDeed] {
        let isAbout: SQL = account.map { "l.account_id = \($0)" } ?? "true"
        let isOthers: SQL = "l.account_id IS DISTINCT FROM \(moderator) OR l.moderator_id = \(moderator)"
        return try await database.query(
            """
            SELECT * FROM (
                SELECT l.id, l.moderator_id, l.deed, l.report_id, l.decision_id, l.account_id, l.at
                FROM moderation_log l
                WHERE \(isAbout) AND (\(isOthers)) AND \(page.cut("l.id"))
            ) page
            ORDER BY id DESC
            """
        ).all(as: LoggedDeed.init)
    }

    // MARK: Time

    /// What decisions took away, once nobody can appeal to them any more.
    static let agedEvidence = AgedRows(of: "evidence", by: "decision_id", since: "kept_until")

    /// Some decisions that were made before a moment and hold no more.
    static func forgettable(
        before moment: Timestamp,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> [DecisionID] {
        try await transaction.query(
            """
            SELECT d.id
            FROM decisions d
            WHERE d.decided_at < \(moment) AND NOT (\(isInForce("d", at: now)))
                AND NOT EXISTS (SELECT FROM evidence e WHERE e.decision_id = d.id)
                AND NOT EXISTS (SELECT FROM appeals q WHERE q.decision_id = d.id AND q.state = 'open')
            ORDER BY d.decided_at
            LIMIT 200
            FOR UPDATE SKIP LOCKED
            """
        ).all { try $0.next() }
    }

    /// Deletes decisions with the appeals to them.
    ///
    /// - Returns: how many.
    static func forget(_ ids: [DecisionID], in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            WITH answered AS (
                DELETE FROM appeals WHERE decision_id = ANY (\(ids))
            )
            DELETE FROM decisions WHERE id = ANY (\(ids))
            """
        ).affected
    }

    static let agedLog = AgedRows(of: "moderation_log", by: "id", since: "at")
}
