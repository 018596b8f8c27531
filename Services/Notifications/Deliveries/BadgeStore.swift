// SPDX-License-Identifier: Apache-2.0
// The number on the icon of somebody's apps: one for all of them.

import Domain
import Postgres
import Serving

enum BadgeStore {
    /// Notifications that the marker has not passed, and conversations with an entry. Counted anew each time.
    ///
    /// An entry of chat goes when it is read, so that no marker is asked for it.
    static func number(of account: AccountID, at now: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            SELECT count(*) FILTER (WHERE channel_id IS NULL) + count(DISTINCT channel_id)
            FROM notifications
            WHERE account_id = \(account) AND NOT dismissed AND NOT withdrawn
                AND NOT ((SELECT may_be_silenced(\(account))) AND is_silenced(account_id, actor_id, created_at))
                AND NOT \(RestrictedAccounts.isHidden("notifications.actor_id"))
                AND (
                    channel_id IS NOT NULL
                    OR id > coalesce(
                        (SELECT last_read_id FROM markers WHERE account_id = \(account) AND timeline = 'notifications'),
                        -1
                    )
                )
                AND (quiet_until IS NULL OR quiet_until <= \(now))
            """
        ).number()
    }
}
