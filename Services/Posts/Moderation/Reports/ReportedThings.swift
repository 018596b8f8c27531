// SPDX-License-Identifier: Apache-2.0
// The queue posts.reports: what things are that somebody reported and that others keep.

import Domain
import Events
import Outbox
import Postgres

/// Keeps what a thing was when whoever keeps it was asked. What is not there, or not for the eyes of whoever reported it, was not
/// reported, and the same of somebody's own and of what is somebody else's than who is reported.
enum ReportedThings {
    static let queue = EventQueue(
        "posts.reports",
        prefetch: 16,
        [
            Reaction(to: ReportedThingTold<ThingKeepers.Chat>.self) { envelope, transaction in
                try await keep(envelope.data, in: transaction)
            },
            Reaction(to: ReportedThingTold<ThingKeepers.Media>.self) { envelope, transaction in
                try await keep(envelope.data, in: transaction)
            },
        ]
    )

    private static func keep<Owner>(_ told: ReportedThingTold<Owner>, in transaction: Transaction) async throws {
        guard var report = try await ReportStore.hold(told.reportID, in: transaction) else { return }
        guard let snapshot = told.snapshot, report.reporterID == nil || told.authorID != report.reporterID,
            report.targetID == nil || told.authorID == nil || told.authorID == report.targetID
        else {
            ReportStore.drop(told.thing, of: report.id, in: transaction)
            return ReportStore.deleteEmpty(report.id, in: transaction)
        }
        let thing = ReportedThing(thing: told.thing, accountID: told.authorID, snapshot: snapshot)
        try ReportStore.keep(thing, of: report.id, in: transaction)
        guard report.targetID == nil, let author = told.authorID else { return }
        ReportStore.setTarget(author, of: report.id, in: transaction)
        report.targetID = author
        let things = try await ReportStore.things(of: [report.id], in: transaction)
        try await FileReport.announce(report, things[report.id] ?? [], in: transaction)
    }
}
