// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Report (docs.joinmastodon.org/entities/Report).

package import Domain
package import Events

/// A report as whoever filed it sees it, and as notifications of moderators show it.
package struct ReportView: ObjectView {
    package let report: ReportSnapshot
    /// What was reported, of which Mastodon knows posts alone; nil where that is not known.
    package let things: [Thing]?
    /// Nil as long as it is not known whose the things are.
    package let target: AccountSnapshot?
    package let closedAt: Timestamp?
    package let site: Site

    package init(
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

    package func writeMembers(to json: inout JSONWriter) {
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
package struct ThingView: ObjectView {
    package let thing: Thing

    package init(_ thing: Thing) { self.thing = thing }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("kind", thing.kind.rawValue)
        json.member("id", thing.id)
    }
}

/// What a thing was.
package struct ThingSnapshotView: ObjectView {
    package let snapshot: ThingSnapshot

    package init(_ snapshot: ThingSnapshot) { self.snapshot = snapshot }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("title", snapshot.title)
        json.member("text", snapshot.text)
        json.member("warning", snapshot.warning)
        json.member("media_ids", snapshot.mediaIDs.map(\.description))
        json.member("place_id", snapshot.placeID)
        json.member("created_at", snapshot.createdAt)
    }
}
