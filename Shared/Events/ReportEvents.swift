// SPDX-License-Identifier: Apache-2.0
// What is told around reports: by posts, which keeps them, and by those who have what was reported.

package import Domain

/// What a thing was when it was reported or removed.
package struct ThingSnapshot: Codable, Hashable, Sendable {
    /// Of a project, a playground, a GIF or the book of a record.
    package let title: String?
    package let text: String
    /// The warning in front of a post.
    package let warning: String?
    /// The ids of its files.
    package let mediaIDs: [MediaID]
    /// The channel or the playground that it is in.
    package let placeID: String?
    package let createdAt: Timestamp

    package init(
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
package struct ThingReported: Event {
    package static let name = "posts.ThingReported"

    package let reportID: ReportID
    /// Nil for this place itself, which sees everything.
    package let reporterID: AccountID?
    package let things: [Thing]

    package var subject: String { reportID.description }
    package var subjectVersion: Int64 { 1 }

    package init(reportID: ReportID, reporterID: AccountID?, things: [Thing]) {
        self.reportID = reportID
        self.reporterID = reporterID
        self.things = things
    }

    enum CodingKeys: String, SnakeCased { case things, reportID, reporterID }
}

/// What a reported thing is.
package struct ReportedThingTold<Owner: EventName>: Event {
    package static var name: String { Owner.name }

    package let reportID: ReportID
    package let thing: Thing
    /// Whose it is; nil for nobody's.
    package let authorID: AccountID?
    /// Nil for what is not there, or not for the eyes of whoever reported it.
    package let snapshot: ThingSnapshot?

    package var subject: String { "\(reportID)-\(thing.kind.rawValue)-\(thing.id)" }
    package var subjectVersion: Int64 { 1 }

    package init(reportID: ReportID, thing: Thing, authorID: AccountID? = nil, snapshot: ThingSnapshot? = nil) {
        self.reportID = reportID
        self.thing = thing
        self.authorID = authorID
        self.snapshot = snapshot
    }

    enum CodingKeys: String, SnakeCased { case thing, snapshot, reportID, authorID }
}

/// Who keeps what can be reported besides posts.
package enum ThingKeepers {
    package enum Chat: EventName { package static let name = "chat.ReportedThingTold" }
    package enum Media: EventName { package static let name = "media.ReportedThingTold" }
}

/// A report as moderators are told of it.
package struct ReportSnapshot: Codable, Hashable, Sendable {
    package let id: ReportID
    /// `spam`, `legal`, `violation` or `other`.
    package let category: String
    package let comment: String
    package let postIDs: [PostID]
    package let ruleIDs: [String]
    package let createdAt: Timestamp

    package init(
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
package struct ReportFiled: ShowingAccounts {
    package static let name = "posts.ReportFiled"

    package let report: ReportSnapshot
    /// Nil for this place itself.
    package let reporter: AccountSnapshot?
    package let target: AccountSnapshot

    package var accounts: [AccountSnapshot] { [reporter, target].compactMap(\.self) }
    package var subject: String { report.id.description }
    package var subjectVersion: Int64 { 1 }

    package init(report: ReportSnapshot, reporter: AccountSnapshot?, target: AccountSnapshot) {
        self.report = report
        self.reporter = reporter
        self.target = target
    }
}

/// Somebody objects to a decision about them.
package struct AppealMade: Event {
    package static let name = "posts.AppealMade"

    package let decisionID: DecisionID
    package let accountID: AccountID
    package let madeAt: Timestamp

    package var subject: String { decisionID.description }
    package var subjectVersion: Int64 { 1 }

    package init(decisionID: DecisionID, accountID: AccountID, madeAt: Timestamp) {
        self.decisionID = decisionID
        self.accountID = accountID
        self.madeAt = madeAt
    }

    enum CodingKeys: String, SnakeCased { case decisionID, accountID, madeAt }
}

/// A moderator decided about an appeal; of one that was accepted `DecisionMade` tells too that the decision holds no more.
package struct AppealDecided: Event {
    package static let name = "posts.AppealDecided"

    package let decisionID: DecisionID
    package let accountID: AccountID
    package let isAccepted: Bool
    package let decidedAt: Timestamp

    package var subject: String { decisionID.description }
    package var subjectVersion: Int64 { 2 }

    package init(decisionID: DecisionID, accountID: AccountID, isAccepted: Bool, decidedAt: Timestamp) {
        self.decisionID = decisionID
        self.accountID = accountID
        self.isAccepted = isAccepted
        self.decidedAt = decidedAt
    }

    enum CodingKeys: String, SnakeCased { case isAccepted, decisionID, accountID, decidedAt }
}
