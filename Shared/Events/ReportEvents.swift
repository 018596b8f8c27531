// SPDX-License-Identifier: Apache-2.0
// What is told around reports: by posts, which keeps them, and by those who have what was reported.

public import Domain

/// What a thing was when it was reported or removed.
public struct ThingSnapshot: Codable, Hashable, Sendable {
    /// Of a project, a playground, a GIF or the book of a record.
    public let title: String?
    public let text: String
    /// The warning in front of a post.
    public let warning: String?
    /// The ids of its files.
    public let mediaIDs: [MediaID]
    /// The channel or the playground that it is in.
    public let placeID: String?
    public let createdAt: Timestamp

    public init(
        title: String? = nil,
        text: String = "",
        warning: String? = nil,
        mediaIDs: [MediaID] = [],
        placeID: String? = nil,
        createdAt: Timestamp
    ) {
        self.title = title
        self.text = text
        self.warning = warning
        self.mediaIDs = mediaIDs
        self.placeID = placeID
        self.createdAt = createdAt
    }

    enum CodingKeys: String, SnakeCased { case title, text, warning, mediaIDs, placeID, createdAt }
}

/// Somebody, or this place itself, reported things that others keep: they say what those are, and whose.
public struct ThingReported: Event {
    public static let name = "posts.ThingReported"

    public let reportID: ReportID
    /// Nil for this place itself, which sees everything.
    public let reporterID: AccountID?
    public let things: [Thing]

    public var subject: String { reportID.description }
    public var subjectVersion: Int64 { 1 }

    public init(reportID: ReportID, reporterID: AccountID?, things: [Thing]) {
        self.reportID = reportID
        self.reporterID = reporterID
        self.things = things
    }

    enum CodingKeys: String, SnakeCased { case things, reportID, reporterID }
}

/// What a reported thing is.
public struct ReportedThingTold<Owner: EventName>: Event {
    public static var name: String { Owner.name }

    public let reportID: ReportID
    public let thing: Thing
    /// Whose it is; nil for nobody's.
    public let authorID: AccountID?
    /// Nil for what is not there, or not for the eyes of whoever reported it.
    public let snapshot: ThingSnapshot?

    public var subject: String { "\(reportID)-\(thing.kind.rawValue)-\(thing.id)" }
    public var subjectVersion: Int64 { 1 }

    public init(reportID: ReportID, thing: Thing, authorID: AccountID? = nil, snapshot: ThingSnapshot? = nil) {
        self.reportID = reportID
        self.thing = thing
        self.authorID = authorID
        self.snapshot = snapshot
    }

    enum CodingKeys: String, SnakeCased { case thing, snapshot, reportID, authorID }
}

/// Who keeps what can be reported besides posts.
public enum ThingKeepers {
    public enum Chat: EventName { public static let name = "chat.ReportedThingTold" }
    public enum Media: EventName { public static let name = "media.ReportedThingTold" }
}

/// A report as moderators are told of it.
public struct ReportSnapshot: Codable, Hashable, Sendable {
    public let id: ReportID
    /// `spam`, `legal`, `violation` or `other`.
    public let category: String
    public let comment: String
    public let postIDs: [PostID]
    public let ruleIDs: [String]
    public let createdAt: Timestamp

    public init(
        id: ReportID,
        category: String,
        comment: String,
        postIDs: [PostID],
        ruleIDs: [String],
        createdAt: Timestamp
    ) {
        self.id = id
        self.category = category
        self.comment = comment
        self.postIDs = postIDs
        self.ruleIDs = ruleIDs
        self.createdAt = createdAt
    }

    enum CodingKeys: String, SnakeCased { case id, category, comment, postIDs, ruleIDs, createdAt }
}

/// Somebody, or this place itself, reported an account, or something of it.
public struct ReportFiled: ShowingAccounts {
    public static let name = "posts.ReportFiled"

    public let report: ReportSnapshot
    /// Nil for this place itself.
    public let reporter: AccountSnapshot?
    public let target: AccountSnapshot

    public var accounts: [AccountSnapshot] { [reporter, target].compactMap(\.self) }
    public var subject: String { report.id.description }
    public var subjectVersion: Int64 { 1 }

    public init(report: ReportSnapshot, reporter: AccountSnapshot?, target: AccountSnapshot) {
        self.report = report
        self.reporter = reporter
        self.target = target
    }
}

/// Somebody objects to a decision about them.
public struct AppealMade: Event {
    public static let name = "posts.AppealMade"

    public let decisionID: DecisionID
    public let accountID: AccountID
    public let madeAt: Timestamp

    public var subject: String { decisionID.description }
    public var subjectVersion: Int64 { 1 }

    public init(decisionID: DecisionID, accountID: AccountID, madeAt: Timestamp) {
        self.decisionID = decisionID
        self.accountID = accountID
        self.madeAt = madeAt
    }

    enum CodingKeys: String, SnakeCased { case decisionID, accountID, madeAt }
}

/// A moderator decided about an appeal; of one that was accepted `DecisionMade` tells too that the decision holds no more.
public struct AppealDecided: Event {
    public static let name = "posts.AppealDecided"

    public let decisionID: DecisionID
    public let accountID: AccountID
    public let isAccepted: Bool
    public let decidedAt: Timestamp

    public var subject: String { decisionID.description }
    public var subjectVersion: Int64 { 2 }

    public init(decisionID: DecisionID, accountID: AccountID, isAccepted: Bool, decidedAt: Timestamp) {
        self.decisionID = decisionID
        self.accountID = accountID
        self.isAccepted = isAccepted
        self.decidedAt = decidedAt
    }

    enum CodingKeys: String, SnakeCased { case isAccepted, decisionID, accountID, decidedAt }
}
