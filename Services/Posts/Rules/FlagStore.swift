// SPDX-License-Identifier: Apache-2.0
// The SQL of `flagged_things`.

import Domain
import Events
import Postgres

enum FlagStore {
    /// A thing that is flagged again keeps the first word, and is as new as the last.
    static func keep(_ flag: ThingFlagged, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO flagged_things (kind, thing_id, account_id, term_id, flagged_at)
            VALUES (\(flag.thing.kind.rawValue), \(flag.thing.id), \(flag.accountID), \(flag.termID), \(flag.flaggedAt))
            ON CONFLICT (kind, thing_id) DO UPDATE
            SET flagged_at = greatest(flagged_things.flagged_at, excluded.flagged_at)
            """
        )
    }

    static func forget(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(
                of: "flagged_things",
                by: "kind, thing_id",
                where: "flagged_at < \(moment)",
                inOrderOf: "flagged_at"
            )
        ).affected
    }
}
