// SPDX-License-Identifier: Apache-2.0
// What was last touched so long ago that nobody needs it any more.

import Domain
import Postgres
import Serving

enum AgedStore {
    /// Deleted posts, messages and projects are among them.
    static let aged = [
        held("posts", by: "id", since: "touched_at"),
        // Follows stay as long as they last.
        held("acts", by: "kind, subject_id, actor_id", since: "at", where: "NOT (kind = 'follow' AND active)"),
        // In whose place a newer word has been. The newest of each pair stays: a block may last for ever.
        held("silences", by: "account_id, target_id, kind, version", since: "spent_from"),
        held("messages", by: "id", since: "touched_at"),
        // Positions.
        held("reads", by: "channel_id, account_id", since: "touched_at"),
        held("departures", by: "place_id, account_id", since: "at"),
        // What is known of places that were deleted.
        held("gone_places", by: "id", since: "at"),
        held("projects", by: "id", since: "touched_at"),
        held("applications", by: "id", since: "touched_at"),
        held("project_mentions", by: "project_id, account_id", since: "at"),
        held("reports", by: "id", since: "touched_at"),
        held("decisions", by: "id", since: "touched_at"),
    ]

    /// Entries, by when they were made, of which their ids tell.
    static let notifications = held("notifications", by: "id", since: "id")

    /// Rows that others may hold just now go the next time.
    private static func held(_ table: SQL, by key: SQL, since moment: SQL, where hasEnded: SQL? = nil) -> AgedRows {
        AgedRows(of: table, by: key, since: moment, where: hasEnded, portion: "LIMIT 2000 FOR UPDATE SKIP LOCKED")
    }
}
