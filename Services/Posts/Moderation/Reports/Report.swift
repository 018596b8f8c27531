// SPDX-License-Identifier: Apache-2.0
// A report, and what it may say.

import Domain
import Events
public import Postgres
public import Serving
import Views
import Web

extension Role: ColumnWord {}
extension ThingKind: ColumnWord {}
extension DecisionAction: ColumnWord {}
extension ThingSnapshot: ColumnJSON {}

extension ThingKind {
    /// Whether posts itself keeps such things.
    var isOurs: Bool { self == .post || self == .project || self == .record || self == .account }

    /// The parameter that names some of them.
    var parameter: String? {
        switch self {
        case .account: nil
        case .post: "status_ids"
        case .project: "project_ids"
        case .record: "record_ids"
        case .message: "message_ids"
        case .playground: "playground_ids"
        case .gif: "gif_ids"
        }
    }
}

/// What kind of report it is (docs.joinmastodon.org/entities/Report).
enum ReportCategory: String, CaseIterable, ColumnWord {
    case spam, legal, violation, other
}

/// How much there may be of reports, of decisions and of appeals.
struct ModerationLimits: Sendable {
    /// Characters.
    var comment = 1000
    var note = 2000
    var reason = 2000
    var appeal = 2000
    /// Things of one report.
    var things = 40
    var rules = 20
    /// Reports of one person in 24 hours.
    var daily = 50
    /// Notes of one report.
    var notes = 100
    /// Things that are decided about at once.
    var decided = 40
    /// How long somebody may appeal.
    var appealTime = Duration.seconds(20 * 24 * 3600)
    /// How long a decision about an appeal may take until what was removed is gone all the same.
    var evidence = Duration.seconds(60 * 24 * 3600)
    /// How long reports that are closed, decisions that hold no more and the log are kept.
    var kept = Duration.seconds(400 * 24 * 3600)
    /// A decision holds no longer than that, unless it holds for good.
    var longest = Duration.seconds(3660 * 24 * 3600)
}

/// What somebody reports, known to be allowed.
struct ReportDraft: Sendable {
    let target: AccountID?
    let category: ReportCategory
    let comment: String
    let ruleIDs: [String]
    let things: [Thing]

    /// Throws unless it names somebody or something. `forward` is ignored: there is no other server to forward to.
    init(_ parameters: Parameters, limits: ModerationLimits) throws {
        target = try parameters.id("account_id")
        comment = try parameters.prose("comment", limit: limits.comment) ?? ""
        ruleIDs = try ReportDraft.ruleIDs(parameters, limits: limits) ?? []
        category = try parameters.word("category") ?? (ruleIDs.isEmpty ? .other : .violation)
        var things: [Thing] = []
        for kind in ThingKind.allCases {
            guard let name = kind.parameter, let ids: [ID<Kind.Report>] = try parameters.ids(name) else { continue }
            things += Set(ids).sorted().map { Thing(kind: kind, id: $0.description) }
        }
        guard things.count <= limits.things else { throw Problem.invalid("status_ids", "too_many") }
        guard target != nil || !things.isEmpty else { throw Problem.invalid("account_id", "blank") }
        self.things = things
    }

    /// Each once; nil where none are named.
    static func ruleIDs(_ parameters: Parameters, limits: ModerationLimits) throws -> [String]? {
        guard let ids: [ID<Kind.Report>] = try parameters.ids("rule_ids") else { return nil }
        guard ids.count <= limits.rules else { throw Problem.invalid("rule_ids", "too_many") }
        return Set(ids).sorted().map(\.description)
    }
}

/// A row of `reports`.
struct ReportRow: Columned {
    let id: ReportID
    /// Nil where this place itself reports.
    let reporterID: AccountID?
    /// Nil until it is known whose the things are, and of what is nobody's.
    var targetID: AccountID?
    let category: ReportCategory
    let comment: String
    let ruleIDs: [String]
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let assignedID: AccountID?
    let closedID: AccountID?
    let closedAt: Timestamp?

    static let columns: SQL = """
        p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
        p.closed_id, p.closed_at
        """

    func snapshot(_ things: [ReportedThing]) -> ReportSnapshot {
        ReportSnapshot(
            id: id,
            category: category.rawValue,
            comment: comment,
            postIDs: things.compactMap { $0.thing.kind == .post ? PostID($0.thing.id) : nil },
            ruleIDs: ruleIDs,
            createdAt: createdAt
        )
    }
}

extension ReportRow {
    init(columns: inout Columns) throws {
        self = try columns.read(Self.init)
    }

    /// Whether it reports somebody, or something of theirs.
    func isAbout(_ account: AccountID, _ things: [ReportedThing]) -> Bool {
        targetID == account || things.contains { $0.accountID == account }
    }
}

/// What was reported, as it was then.
struct ReportedThing: Sendable {
    let thing: Thing
    /// Whose it is; nil for nobody's, and until that is known.
    let accountID: AccountID?
    /// Nil until whoever keeps the thing has said what it is.
    let snapshot: ThingSnapshot?
}

/// Which reports a moderator looks at.
struct ReportFilter: Sendable {
    var isClosed = false
    var reporter: AccountID?
    var target: AccountID?
    /// The moderator who sees to it.
    var assigned: AccountID?
    /// Whether only those are wanted to which nobody sees.
    var isFree = false
    /// The moderator who asks: reports about themselves are for the others.
    var moderator: AccountID?
}
