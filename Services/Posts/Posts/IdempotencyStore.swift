// SPDX-License-Identifier: Apache-2.0
// The SQL on the keys with which clients make a request repeatable.

import Domain
import Postgres

/// Statements about idempotency keys.
enum IdempotencyStore {
    /// Keys are remembered for a day.
    static let lifetime = Duration.seconds(24 * 3600)

    /// Takes a key for a post that is about to be made. Affects no row when the key is taken; somebody who is just
    /// taking it is waited for.
    static func claim(
        _ key: String,
        of account: AccountID,
        fingerprint: [UInt8],
        for post: PostID,
        at now: Timestamp
    ) -> SQL {
        """
        INSERT INTO idempotency_keys AS k (account_id, key, request_hash, post_id, created_at)
        VALUES (\(account), \(key), sha256(\(fingerprint)), \(post), \(now))
        ON CONFLICT (account_id, key) DO UPDATE
        SET request_hash = excluded.request_hash, post_id = excluded.post_id, created_at = excluded.created_at
        WHERE k.created_at < \(now + (.zero - lifetime))
        """
    }

    /// The post that was made with a key, and whether the request was the same.
    static func claimed(_ key: String, of account: AccountID, fingerprint: [UInt8]) -> SQL {
        """
        SELECT post_id, request_hash = sha256(\(fingerprint))
        FROM idempotency_keys
        WHERE account_id = \(account) AND key = \(key)
        """
    }

    /// Forgets some of the keys that have served; affects no row when none is left.
    static func forget(before moment: Timestamp) -> SQL {
        """
        DELETE FROM idempotency_keys
        WHERE (account_id, key) IN (
            SELECT account_id, key
            FROM idempotency_keys
            WHERE created_at < \(moment)
            ORDER BY created_at
            LIMIT 1000
        )
        """
    }
}
