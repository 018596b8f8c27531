// SPDX-License-Identifier: Apache-2.0
// Whether all documents have been told again since more is kept of each.

import Postgres

/// An index that was written by an earlier release lacks the terms of `AnalyzedText.closeTerms` until it is rebuilt; till then nobody is
/// looked for by them. A row is there as long as that is so.
enum TermUpgradeStore {
    static let isOver: SQL = "SELECT NOT EXISTS (SELECT FROM term_upgrades)"

    /// Notes that a rebuild is finished that began after the release came.
    ///
    /// - Returns: how many upgrades ended.
    static func end(in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM term_upgrades u WHERE EXISTS (
                SELECT FROM rebuilds r WHERE r.queue = \(Indexing.name) AND r.state = 'finished' AND r.started_at > u.since
            )
            """
        ).affected
    }
}
