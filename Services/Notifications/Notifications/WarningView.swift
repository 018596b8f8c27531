// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's AccountWarning (docs.joinmastodon.org/entities/AccountWarning).

import Domain
import Events
import Views

/// A decision as the person is notified of it whom it concerns.
struct WarningView: ObjectView {
    let decision: DecisionMade
    let account: AccountSnapshot
    let site: Site

    /// What Mastodon calls it.
    private var action: String {
        switch decision.action {
        case .warn, .lift: "none"
        case .sensitive: decision.thing == nil ? "sensitive" : "mark_statuses_as_sensitive"
        case .limit: "silence"
        case .remove: "delete_statuses"
        case .freeze: "disable"
        case .suspend: "suspend"
        }
    }

    func writeMembers(to json: inout JSONWriter) {
        let post = decision.thing.flatMap { $0.kind == .post ? $0.id : nil }
        json.member("id", decision.decisionID)
        json.member("action", action)
        json.member("text", decision.reason)
        json.member("status_ids", [post].compactMap(\.self))
        json.member("target_account", AccountView(account, site: site))
        json.null("appeal")
        json.member("created_at", decision.decidedAt)
        json.member("decision", decision.action.rawValue)
        json.member("thing", decision.thing.map(ThingView.init))
        json.member("until", decision.until)
        json.member("appeal_until", decision.appealUntil)
    }
}
