// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Report (docs.joinmastodon.org/entities/Report).

public import Domain
public import Events

/// A report as whoever filed it sees it, and as notifications of moderators show it.
public struct ReportView: ObjectView {
    public let report: ReportSnapshot
    /// What was reported, of which Mastodon knows posts alone; nil where that is not known.
    public let things: [Thing]?
    /// Nil as long as it is not known whose the things are.
    public let target: AccountSnapshot?
    public let closedAt: Timestamp?
    public let site: Site

    public init(
        _ report: ReportSnapshot,
        things: [Thing]? = nil,
        target: AccountSnapshot?,
        closedAt: Timestamp? = nil,
        site: Site
    ) {
        self.report = report
        self.things = things
        self.target = target
        self.closedAt = closedAt
        self.site = site
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", report.id)
        json.member("action_taken", closedAt != nil)
        json.member("action_taken_at", closedAt)
        json.member("category", report.category)
        json.member("comment", report.comment)
        json.member("forwarded", false)
        json.member("created_at", report.createdAt)
        json.member("status_ids", report.postIDs.map(\.description))
        json.member("rule_ids", report.ruleIDs)
        json.member("target_account", target.map { AccountView($0, site: site) })
        if let things { json.member("things", things.map(ThingView.init)) }
    }
}

/// Which thing it is.
public struct ThingView: ObjectView {
    public let thing: Thing

    public init(_ thing: Thing) { self.thing = thing }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("kind", thing.kind.rawValue)
        json.member("id", thing.id)
    }
}

/// What a thing was.
public struct ThingSnapshotView: ObjectView {
    public let snapshot: ThingSnapshot

    public init(_ snapshot: ThingSnapshot) { self.snapshot = snapshot }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("title", snapshot.title)
        json.member("text", snapshot.text)
        json.member("warning", snapshot.warning)
        json.member("media_ids", snapshot.mediaIDs.map(\.description))
        json.member("place_id", snapshot.placeID)
        json.member("created_at", snapshot.createdAt)
    }
}
