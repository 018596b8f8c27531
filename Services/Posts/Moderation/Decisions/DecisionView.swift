// SPDX-License-Identifier: Apache-2.0
// Decisions as moderators see them, and as those see them whom they concern.

import Domain
import Events
import Views
import Web

/// A decision as moderators see it.
struct DecisionView: ObjectView {
    let decision: DecisionRow
    let account: AccountSnapshot?
    let moderator: AccountSnapshot?
    let now: Timestamp
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        OwnDecisionView(decision: decision, now: now).writeMembers(to: &json)
        json.member("account", account.map { AccountView($0, site: site) })
        json.member("moderator", moderator.map { AccountView($0, site: site) })
        json.member("report_id", decision.reportID)
    }

    static func views(_ decisions: [DecisionRow], _ dependencies: Dependencies) async throws -> [DecisionView] {
        let ids = Set(decisions.flatMap { [$0.accountID, $0.moderatorID].compactMap(\.self) }).sorted()
        let accounts = try await AccountStore.accounts(ids, in: dependencies.database)
        let byID = Dictionary(accounts.map { ($0.id, $0) }) { first, _ in first }
        return decisions.map { decision in
            DecisionView(
                decision: decision,
                account: byID[decision.accountID],
                moderator: decision.moderatorID.flatMap { byID[$0] },
                now: dependencies.now(),
                site: dependencies.site
            )
        }
    }

    static func answer(_ decisions: [DecisionRow], _ dependencies: Dependencies) async throws -> Answer {
        .json(array: try await views(decisions, dependencies))
    }

    static func answer(_ decision: DecisionRow, _ dependencies: Dependencies) async throws -> Answer {
        .json(try await views([decision], dependencies).first.found())
    }
}

/// A decision as the person sees it whom it concerns: not who decided, nor who reported.
struct OwnDecisionView: ObjectView {
    let decision: DecisionRow
    let now: Timestamp

    private var mayAppeal: Bool { decision.appeal == nil && decision.liftedAt == nil && decision.appealUntil > now }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", decision.id)
        json.member("action", decision.action.rawValue)
        json.member("thing", decision.thing.map(ThingView.init))
        json.member("snapshot", decision.evidence.map(ThingSnapshotView.init))
        json.member("reason", decision.reason)
        json.member("decided_at", decision.decidedAt)
        json.member("until", decision.until)
        json.member("lifted_at", decision.liftedAt)
        json.member("in_force", decision.action.restriction != nil && decision.holds(at: now))
        json.member("may_appeal", mayAppeal)
        json.member("appeal_until", decision.appealUntil)
        if let appeal = decision.appeal {
            json.object("appeal") { json in
                json.member("text", appeal.text)
                json.member("state", appeal.state.rawValue)
                json.member("created_at", appeal.createdAt)
                json.member("decided_at", appeal.decidedAt)
            }
        } else {
            json.null("appeal")
        }
    }
}
