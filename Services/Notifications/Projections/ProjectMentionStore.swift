// SPDX-License-Identifier: Apache-2.0
// The newest word on whom projects name.

import Domain
import Events
import Postgres

enum ProjectMentionStore {
    /// Keeps whether a project names people, of whom nothing newer is known.
    static func keep(
        _ people: [AccountID],
        areNamed: Bool,
        by project: ProjectBrief,
        at moment: Timestamp,
        in transaction: some Transacting
    ) {
        guard !people.isEmpty else { return }
        transaction.enqueue(
            """
            INSERT INTO project_mentions AS m (project_id, account_id, version, named, at)
            SELECT \(project.id), p.account_id, \(project.version), \(areNamed), \(moment)
            FROM unnest(\(people)) AS p (account_id)
            ON CONFLICT (project_id, account_id) DO UPDATE
            SET version = excluded.version, named = excluded.named, at = excluded.at
            WHERE m.version < excluded.version
            """
        )
    }
}
