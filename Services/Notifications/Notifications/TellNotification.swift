// SPDX-License-Identifier: Apache-2.0
// Telling people of what concerns them: the entries of their lists, and what their devices and open connections hear.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Views

/// What a notification shows besides who caused it.
enum Matter: Sendable {
    case account
    case post(PostSnapshot, by: AccountSnapshot)
    case project(ProjectBrief, ApplicationSnapshot?)
    case report(ReportFiled)
    case decision(DecisionMade)

    /// What the live message is called. Projects have one of their own, as Mastodon's apps do not know them.
    fileprivate var event: String {
        switch self {
        case .account, .post, .report, .decision: "notification"
        case .project: "notification.project"
        }
    }
}

/// Puts a cause into the lists of those whom it concerns, and tells their devices and the connections that they have open.
struct TellNotification: Sendable {
    let site: Site
    let deliveries: MakeDeliveries

    /// - Parameter again: whether the cause is told again: it is put where it belongs, and nobody hears of it.
    func callAsFunction(
        _ cause: Cause,
        by actor: AccountSnapshot,
        about matter: Matter,
        again: Bool = false,
        in transaction: Transaction
    ) async throws {
        let raised = try await EntryStore.raise(cause, again: again, in: transaction)
        let heard = again ? [] : raised.filter { !$0.silenced }
        guard !heard.isEmpty else { return }
        deliveries(of: heard.map(\.id), in: transaction)
        var card: CardSnapshot?
        if case .post(let post, _) = matter { card = try await CardStore.card(of: post, in: transaction) }
        for raised in heard {
            let update = LiveUpdate(
                streams: [LiveUpdate.user(raised.account), LiveUpdate.userNotification(raised.account)],
                event: matter.event,
                payload: view(raised, cause, by: actor, about: matter, card).json()
            )
            try transaction.record(
                NotificationCreated(
                    notificationID: raised.id,
                    accountID: raised.account,
                    type: cause.kind.rawValue,
                    update: update
                )
            )
        }
    }

    private func view(
        _ raised: RaisedNotification,
        _ cause: Cause,
        by actor: AccountSnapshot,
        about matter: Matter,
        _ card: CardSnapshot?
    ) -> NotificationView {
        var status: StatusView?
        var project: ProjectBrief?
        var application: ApplicationSnapshot?
        var report: ReportView?
        var warning: WarningView?
        switch matter {
        case .account: break
        case .post(let post, let author):
            status = StatusView(post, author: author, card: card, viewer: raised.viewer, site: site)
        case .project(let brief, let applied): (project, application) = (brief, applied)
        case .report(let filed): report = ReportView(filed.report, target: filed.target, site: site)
        case .decision(let decision): warning = WarningView(decision: decision, account: actor, site: site)
        }
        return NotificationView(
            id: raised.id,
            type: cause.kind.rawValue,
            createdAt: cause.moment,
            account: AccountView(actor, site: site),
            status: status,
            project: project,
            application: application,
            report: report,
            warning: warning
        )
    }
}
