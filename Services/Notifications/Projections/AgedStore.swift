// SPDX-License-Identifier: Apache-2.0
// What was last touched so long ago that nobody needs it any more.

import Domain
import Postgres

/// Tables whose rows go by their age.
enum AgedTable: String, Sendable, CaseIterable {
    /// Deleted posts are among them.
    case posts
    /// Follows stay as long as they last.
    case acts
    /// In whose place a newer word has been. The newest of each pair stays: a block may last for ever.
    case silences
    /// Deleted messages are among them.
    case messages
    /// Positions.
    case reads
    case departures
    /// What is known of places that were deleted.
    case places = "gone_places"
    /// Deleted projects are among them.
    case projects
    case applications
    case projectMentions = "project_mentions"
    case reports
    case decisions
    /// By when they were made.
    case notifications

    fileprivate var table: SQL {
        switch self {
        case .posts: "posts"
        case .acts: "acts"
        case .silences: "silences"
        case .messages: "messages"
        case .reads: "reads"
        case .departures: "departures"
        case .places: "gone_places"
        case .projects: "projects"
        case .applications: "applications"
        case .projectMentions: "project_mentions"
        case .reports: "reports"
        case .decisions: "decisions"
        case .notifications: "notifications"
        }
    }

    fileprivate var key: SQL {
        switch self {
        case .posts, .messages, .places, .projects, .applications, .reports, .decisions, .notifications: "id"
        case .acts: "kind, subject_id, actor_id"
        case .silences: "account_id, target_id, kind, version"
        case .reads: "channel_id, account_id"
        case .departures: "place_id, account_id"
        case .projectMentions: "project_id, account_id"
        }
    }

    /// When it was last written, or needed.
    fileprivate var moment: SQL {
        switch self {
        case .posts, .messages, .reads, .projects, .applications, .reports, .decisions: "touched_at"
        case .acts, .departures, .places, .projectMentions: "at"
        case .silences: "spent_from"
        case .notifications: "id"
        }
    }

    fileprivate func isOlder(than moment: Timestamp) -> SQL {
        if self == .notifications { return "id < \(max(0, moment.milliseconds) << 16)" }
        if self == .acts { return "at < \(moment) AND NOT (kind = 'follow' AND active)" }
        return "\(self.moment) < \(moment)"
    }
}

enum AgedStore {
    /// Removes some rows whose moment came before another.
    ///
    /// - Returns: how many.
    static func forget(_ aged: AgedTable, before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM \(aged.table)
            WHERE (\(aged.key)) IN (
                SELECT \(aged.key) FROM \(aged.table)
                WHERE \(aged.isOlder(than: moment))
                ORDER BY \(aged.moment)
                LIMIT 2000
                FOR UPDATE SKIP LOCKED
            )
            """
        ).affected
    }
}
