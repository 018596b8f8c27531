// SPDX-License-Identifier: Apache-2.0
// One step around all accounts, which shortens the lists that are too long.

import Domain
import Postgres

/// What a step of trimming took, and where the next one begins.
struct TrimStep: Sendable {
    let removed: Int
    /// The account to go on after; nil when all accounts were visited.
    let next: AccountID?

    /// Deletes the surplus of the next 200 accounts, at most 5,000 rows; an account that is not done comes again.
    ///
    /// - Parameters:
    ///   - surplus: the expression `surplus` and what it needs, made of the accounts `visited`: rows with an `account_id`, in
    ///     its order, at most 5,000.
    ///   - removal: deletes the rows of `surplus`, one result each.
    static func statement(after account: AccountID?, surplus: SQL, removal: SQL) -> SQL {
        """
        WITH visited AS MATERIALIZED (
            SELECT a.id FROM accounts a WHERE a.id > \(account?.rawValue ?? 0) ORDER BY a.id LIMIT 200
        ),
        \(surplus),
        removed AS (\(removal))
        SELECT (SELECT count(*) FROM removed),
            CASE
                WHEN (SELECT count(*) FROM surplus) = 5000 THEN (SELECT max(account_id) - 1 FROM surplus)
                ELSE (SELECT max(id) FROM visited)
            END
        """
    }
}
