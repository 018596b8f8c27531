// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.projects`: turns what happens around projects into notifications.

import Domain
import Events
import Outbox
import Postgres
import Views

/// Reacts to what posts tells of projects and applications.
///
/// As with posts, the tables end the same whatever the order in which events come, and however often: what became of an
/// application takes the place of what was told of it before, and nothing is told of a project that is gone.
struct ProjectActivity: Sendable {
    let ids: IDGenerator
    let site: Site
    let retention: Retention
    let deliveries: MakeDeliveries

    static let name = "notifications.projects"

    var queue: EventQueue {
        EventQueue(
            ProjectActivity.name,
            prepare: { arrivals, transaction in
                try AccountStore.keep(arrivals.events.newestAccounts, in: transaction)
            },
            [
                became(.projectApplication, ApplicationReceived.self),
                became(.projectAccepted, ApplicationAccepted.self),
                became(.projectDeclined, ApplicationDeclined.self),
                became(.projectWithdrawn, ApplicationWithdrawn.self),
                retention.reaction(to: ProjectAnnounced.self) { event, transaction in
                    try await announced(event.data, at: event.time, in: transaction)
                },
                Reaction(to: ProjectMentionsChanged.self) { event, transaction in
                    try await named(event.data, at: event.time, in: transaction)
                },
                Reaction(to: ProjectDeleted.self) { event, transaction in
                    let (id, version) = (event.data.projectID, event.data.subjectVersion)
                    ProjectStore.bury(id, version: version, at: event.time, in: transaction)
                    EntryStore.withdraw(.projectDeleted(id), in: transaction)
                },
            ]
        )
    }

    /// What became of an application, for whom it concerns.
    private func became<Fact: TellingApplication>(_ kind: NotificationKind, _: Fact.Type) -> Reaction {
        retention.reaction(to: Fact.self) { event, transaction in
            let (data, now) = (event.data, retention.now())
            LockStore.take(sharing: [data.actor.id.rawValue], in: transaction)
            try ProjectStore.keep(data.project, at: now, in: transaction)
            try ProjectStore.keep(data.application, at: now, in: transaction)
            EntryStore.withdraw(.superseded(data.application), in: transaction)
            guard data.recipientID != data.actor.id else { return }
            let cause = Cause.application(
                kind,
                data.application,
                by: data.actor.id,
                for: data.recipientID,
                at: event.time,
                try ids.next()
            )
            let matter = Matter.project(data.project, data.application)
            try await tell([Telling(cause, by: data.actor, about: matter)], in: transaction)
        }
    }

    /// A project of which some people are to hear. A kind of a later release is left to it.
    private func announced(_ event: ProjectAnnounced, at moment: Timestamp, in transaction: Transaction) async throws {
        guard let kind = NotificationKind(rawValue: event.type), kind == .projectUpdate || kind == .projectDeadline
        else { return }
        LockStore.take(sharing: [event.leader.id.rawValue], in: transaction)
        try ProjectStore.keep(event.project, at: retention.now(), in: transaction)
        let entries = try Set(event.recipients).sorted().map { (id: try ids.next(NotificationID.self), recipient: $0) }
        guard !entries.isEmpty else { return }
        let cause = Cause.project(kind, event.project, at: moment, entries)
        try await tell([Telling(cause, by: event.leader, about: .project(event.project, nil))], in: transaction)
    }

    /// A project that names people, or some no longer. Of each of them the newest word counts, so that nobody hears of one twice.
    private func named(_ event: ProjectMentionsChanged, at moment: Timestamp, in transaction: Transaction) async throws
    {
        let project = event.project
        let (named, unnamed) = (Set(event.named).subtracting([event.leader.id]).sorted(), Set(event.unnamed).sorted())
        LockStore.take(sharing: [event.leader.id.rawValue], in: transaction)
        ProjectMentionStore.keep(named, areNamed: true, by: project, at: moment, in: transaction)
        ProjectMentionStore.keep(unnamed, areNamed: false, by: project, at: moment, in: transaction)
        EntryStore.withdraw(.mentioned(project.id, named + unnamed, before: project.version), in: transaction)
        guard !named.isEmpty, moment > retention.horizon else { return }
        try ProjectStore.keep(project, at: retention.now(), in: transaction)
        let entries = try named.map { (id: try ids.next(NotificationID.self), recipient: $0) }
        let cause = Cause.project(.projectMention, project, at: moment, entries)
        try await tell([Telling(cause, by: event.leader, about: .project(project, nil))], in: transaction)
    }

    private var tell: TellNotification { TellNotification(site: site, deliveries: deliveries) }
}
