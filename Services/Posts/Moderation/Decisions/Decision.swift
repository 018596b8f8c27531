// SPDX-License-Identifier: Apache-2.0
// What a moderator decided, and what may be decided.

import Domain
import Events
import Postgres
import Serving
import Views
import Web

extension DecisionAction {
    /// What it puts into force on an account.
    var restriction: Restriction? {
        switch self {
        case .sensitive: .sensitive
        case .limit: .limited
        case .freeze: .frozen
        case .suspend: .suspended
        case .warn, .remove, .lift: nil
        }
    }

    /// By the `type` of Mastodon's `POST /api/v1/admin/accounts/:id/action`; nil for others.
    init?(mastodon type: String) {
        switch type {
        case "none": self = .warn
        case "sensitive": self = .sensitive
        case "disable": self = .freeze
        case "silence": self = .limit
        case "suspend": self = .suspend
        default: return nil
        }
    }
}

/// What is to be decided, known to make sense.
struct DecisionDraft: Sendable {
    let action: DecisionAction
    /// Whom it concerns; nil where the things say so.
    let account: AccountID?
    /// None for the account itself.
    var things: [Thing] = []
    var reportID: ReportID?
    var reason = ""
    var until: Timestamp?
}

extension DecisionDraft {
    /// `action`, `account_id`, `things[]` of `kind` and `id`, `report_id`, `reason`, `until`.
    init(_ parameters: Parameters, limits: ModerationLimits, now: Timestamp) throws {
        guard let action: DecisionAction = try parameters.word("action") else {
            throw Problem.invalid("action", "blank")
        }
        guard action != .lift else { throw Problem.invalid("action", "inclusion") }
        let members = try parameters.list("things") ?? []
        guard members.count <= limits.decided else { throw Problem.invalid("things", "too_many") }
        var things: [Thing] = []
        for member in members {
            guard let kind: ThingKind = try member.word("kind"), let id: ReportID = try member.id("id") else {
                throw Problem.invalid("things", "invalid")
            }
            let thing = Thing(kind: kind, id: id.description)
            if !things.contains(thing) { things.append(thing) }
        }
        let until = try parameters.moment("until")
        if let until {
            guard until > now, until < now + limits.longest else { throw Problem.invalid("until", "invalid") }
            // What is removed is gone, and a warning is said.
            guard things.isEmpty, action.restriction != nil else { throw Problem.invalid("until", "present") }
        }
        let isAllowed =
            switch action {
            case .remove: !things.isEmpty && !things.contains { $0.kind == .account }
            // Only posts can be.
            case .sensitive: things.allSatisfy { $0.kind == .post }
            case .warn: !things.contains { $0.kind == .account }
            case .limit, .freeze, .suspend: things.isEmpty
            case .lift: false
            }
        guard isAllowed else { throw Problem.invalid("things", "invalid") }
        self.init(
            action: action,
            account: try parameters.id("account_id"),
            things: things,
            reportID: try parameters.id("report_id"),
            reason: try parameters.prose("reason", limit: limits.reason) ?? "",
            until: until
        )
        guard account != nil || !things.isEmpty else { throw Problem.invalid("account_id", "blank") }
    }
}

enum AppealState: String, ColumnWord {
    case open, accepted, rejected
}

/// What somebody says to a decision about them.
struct Appeal: Joined {
    let text: String
    let state: AppealState
    let createdAt: Timestamp
    let moderatorID: AccountID?
    let decidedAt: Timestamp?

    static let list = ColumnList("q", "text, state, created_at, moderator_id, decided_at")
}

extension Appeal {
    init(columns: inout Columns) throws { self = try columns.read(Appeal.init) }
}

/// A row of `decisions`, with the appeal to it and what it took away.
struct DecisionRow: Columned {
    let id: DecisionID
    let moderatorID: AccountID?
    let accountID: AccountID
    let reportID: ReportID?
    let action: DecisionAction
    let thing: Thing?
    let reason: String
    let until: Timestamp?
    let appealUntil: Timestamp
    let decidedAt: Timestamp
    var liftedAt: Timestamp?
    var version: Int64
    let appeal: Appeal?
    let evidence: ThingSnapshot?

    /// Of `decisions d`, `appeals q` and `evidence e`.
    static let columns: SQL = """
        d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
        d.appeal_until, d.decided_at, d.lifted_at, d.version, \(Appeal.columns), e.snapshot
        """

    /// Whether it still holds.
    func holds(at now: Timestamp) -> Bool { liftedAt == nil && (until ?? .endOfTime) > now }

    /// What is told of it now.
    ///
    /// - Parameter account: whom it concerns.
    func event(_ account: AccountSnapshot?) -> DecisionMade {
        DecisionMade(
            decisionID: id,
            accountID: accountID,
            action: liftedAt == nil ? action : .lift,
            thing: thing,
            reason: liftedAt == nil ? reason : "",
            until: liftedAt == nil ? until : nil,
            appealUntil: liftedAt == nil ? appealUntil : nil,
            decidedAt: liftedAt ?? decidedAt,
            subjectVersion: version,
            account: account
        )
    }
}

extension DecisionRow {
    init(columns: inout Columns) throws {
        id = try columns.next()
        moderatorID = try columns.next()
        accountID = try columns.next()
        reportID = try columns.next()
        action = try columns.next()
        let kind: ThingKind? = try columns.next()
        let thingID: String? = try columns.next()
        thing = kind.flatMap { kind in thingID.map { Thing(kind: kind, id: $0) } }
        reason = try columns.next()
        until = try columns.next()
        appealUntil = try columns.next()
        decidedAt = try columns.next()
        liftedAt = try columns.next()
        version = try columns.next()
        appeal = try columns.next()
        evidence = try columns.next()
    }
}

extension Timestamp {
    /// After every moment that a decision names.
    fileprivate static let endOfTime = Timestamp(milliseconds: .max)
}
