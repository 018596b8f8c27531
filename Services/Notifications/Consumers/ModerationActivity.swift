// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.moderation`: reports, for those who moderate, and decisions, for those whom they concern.

import Domain
import Events
import Outbox
import Postgres

/// Who moderates is known from what auth tells of roles; of those who had one before this queue was there it tells again when the
/// queue is rebuilt.
struct ModerationActivity: Sendable {
    let ids: IDGenerator
    let site: Site
    let retention: Retention
    let deliveries: MakeDeliveries

    static let name = "notifications.moderation"
    /// More are not told of a report.
    private static let mostModerators = 500

    var queue: EventQueue {
        EventQueue(
            ModerationActivity.name,
            prefetch: 16,
            prepare: { arrivals, transaction in
                try AccountStore.keep(arrivals.events.newestAccounts, in: transaction)
            },
            // Roles are kept as they are told, and nothing goes.
            rebuild: Rebuild(seen: { _ in [] }, withdrawals: []),
            [
                Reaction(to: RoleGiven.self) { event, transaction in
                    ModerationStore.keep(event.data, in: transaction)
                },
                retention.reaction(to: ReportFiled.self) { event, transaction in
                    try await filed(event.data, in: transaction)
                },
                retention.reaction(to: DecisionMade.self) { event, transaction in
                    try await decided(event.data, in: transaction)
                },
            ]
        )
    }

    /// Whom the report is about, or who filed it, hears nothing of it. One that nobody filed comes from whom it is about.
    private func filed(_ filed: ReportFiled, in transaction: Transaction) async throws {
        try ModerationStore.keep(filed, at: retention.now(), in: transaction)
        let actor = filed.reporter ?? filed.target
        LockStore.take(sharing: [actor.id.rawValue], in: transaction)
        let moderators = try await ModerationStore.moderators(most: ModerationActivity.mostModerators, in: transaction)
        let recipients = moderators.filter { $0 != actor.id && $0 != filed.target.id }
        guard !recipients.isEmpty, filed.report.createdAt > retention.horizon else { return }
        let entries = try recipients.map { (id: try ids.next(NotificationID.self), recipient: $0) }
        let cause = Cause.report(filed.report, by: actor.id, entries)
        try await tell([Telling(cause, by: actor, about: .report(filed))], in: transaction)
    }

    private func decided(_ decision: DecisionMade, in transaction: Transaction) async throws {
        guard let account = decision.account else { return }
        try ModerationStore.keep(decision, at: retention.now(), in: transaction)
        LockStore.take(sharing: [account.id.rawValue], in: transaction)
        guard decision.decidedAt > retention.horizon else { return }
        let cause = Cause.decision(decision, id: try ids.next())
        try await tell([Telling(cause, by: account, about: .decision(decision))], in: transaction)
    }

    private var tell: TellNotification { TellNotification(site: site, deliveries: deliveries) }
}
