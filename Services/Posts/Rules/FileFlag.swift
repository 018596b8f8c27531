// SPDX-License-Identifier: Apache-2.0
// The queue posts.flags, and what is flagged here: what was written has a word of which whoever runs the place wants to hear.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// Files a report that this place itself makes: nobody reported it. A thing has one such report that is open.
enum FileFlag {
    /// What chat finds. Until it has said what the thing is, moderators see its id alone.
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "posts.flags",
            [
                Reaction(to: ThingFlagged.self) { envelope, transaction in
                    let thing = ReportedThing(thing: envelope.data.thing, accountID: nil, snapshot: nil)
                    try await file(thing, envelope.data.termID, dependencies, transaction)
                }
            ]
        )
    }

    /// Flags something of posts' own as it is from now on.
    ///
    /// - Parameter term: the word that was found; nil for none.
    static func run(
        _ term: BlockedTermID?,
        on kept: KeptThing,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        guard let term else { return }
        let thing = ReportedThing(thing: kept.thing, accountID: kept.accountID, snapshot: kept.snapshot)
        try await file(thing, term, dependencies, transaction)
    }

    private static func file(
        _ thing: ReportedThing,
        _ term: BlockedTermID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        ReportStore.lock(thing.thing, in: transaction)
        guard try await ReportStore.openFlag(of: thing.thing, in: transaction) == nil else { return }
        let (id, now): (ReportID, Timestamp) = (try dependencies.ids.next(), dependencies.now())
        let word = try await BlockListStore.text(of: term, in: transaction)
        let report = ReportRow(
            id: id,
            reporterID: nil,
            targetID: thing.accountID,
            category: .violation,
            comment: word.map { "Blocked word: \($0)" } ?? "Blocked word",
            ruleIDs: [],
            createdAt: now,
            updatedAt: now,
            assignedID: nil,
            closedID: nil,
            closedAt: nil
        )
        ReportStore.insert(report, in: transaction)
        try ReportStore.insert(thing, of: id, in: transaction)
        if thing.snapshot == nil {
            try transaction.record(ThingReported(reportID: id, reporterID: nil, things: [thing.thing]))
        }
        try await FileReport.announce(report, [thing], in: transaction)
    }
}
