// SPDX-License-Identifier: Apache-2.0
// Telling people of what concerns them: the entries of their lists, and what their devices and open connections hear.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit
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

    /// Whose preview it shows.
    fileprivate var link: String? {
        guard case .post(let post, _) = self else { return nil }
        return post.previewedLink
    }
}

/// A cause, with what its notifications show.
struct Telling: Sendable {
    let cause: Cause
    let actor: AccountSnapshot
    let matter: Matter
    /// Whether the cause is told again: it is put where it belongs, and nobody hears of it.
    let again: Bool
    /// Of the event that told of the cause.
    let trace: TraceContext?

    init(
        _ cause: Cause,
        by actor: AccountSnapshot,
        about matter: Matter,
        again: Bool = false,
        trace: TraceContext? = TraceContext.current
    ) {
        (self.cause, self.actor, self.matter, self.again, self.trace) = (cause, actor, matter, again, trace)
    }
}

/// Puts causes into the lists of those whom they concern, and tells their devices and the connections that they have open.
struct TellNotification: Sendable {
    let site: Site
    let deliveries: MakeDeliveries

    /// - Parameter tellings: in the order in which people hear of them. No two of one ground make the same entry, unless one of
    ///   them is told again.
    func callAsFunction(_ tellings: [Telling], in transaction: Transaction) async throws {
        let raised = try await raise(tellings.filter { !$0.again }, again: false, in: transaction)
        _ = try await raise(tellings.filter(\.again), again: true, in: transaction)
        // What is told again may have left the entry its id.
        let heard = tellings.filter { !$0.again }.flatMap { telling in
            telling.cause.entries.compactMap { raised[$0.id] }.filter { !$0.silenced }.map { ($0, telling) }
        }
        guard !heard.isEmpty else { return }
        deliveries(of: heard.map(\.0).filter(\.hasDevices).map(\.id), in: transaction)
        let cards = try await CardStore.cards(of: Set(heard.compactMap(\.1.matter.link)), in: transaction)
        for (raised, telling) in heard {
            let update = LiveUpdate(
                streams: [LiveUpdate.user(raised.account), LiveUpdate.userNotification(raised.account)],
                event: telling.matter.event,
                payload: view(raised, telling, telling.matter.link.flatMap { cards[$0] }).json()
            )
            let event = NotificationCreated(
                notificationID: raised.id,
                accountID: raised.account,
                type: telling.cause.kind.rawValue,
                update: update
            )
            try transaction.record(event, trace: telling.trace)
        }
    }

    /// - Returns: the entries that were made, by their ids.
    private func raise(
        _ tellings: [Telling],
        again: Bool,
        in transaction: Transaction
    ) async throws -> [NotificationID: RaisedNotification] {
        let causes = Dictionary(grouping: tellings.map(\.cause), by: \.ground)
        var raised: [NotificationID: RaisedNotification] = [:]
        for (ground, causes) in causes.sorted(by: { $0.key < $1.key }) {
            for entry in try await EntryStore.raise(causes, on: ground, again: again, in: transaction) {
                raised[entry.id] = entry
            }
        }
        return raised
    }

    private func view(_ raised: RaisedNotification, _ telling: Telling, _ card: CardSnapshot?) -> NotificationView {
        let (cause, actor) = (telling.cause, telling.actor)
        var status: StatusView?
        var project: ProjectBrief?
        var application: ApplicationSnapshot?
        var report: ReportView?
        var warning: WarningView?
        switch telling.matter {
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
