// SPDX-License-Identifier: Apache-2.0
// The SQL on the keys with which clients make a request repeatable.

import Domain
import Postgres
import Serving

/// Statements about idempotency keys.
enum IdempotencyStore {
    /// Keys are remembered for a day.
    static let lifetime = Duration.seconds(24 * 3600)

    /// Takes a key for a post that is about to be made; somebody who is just taking it is waited for.
    ///
    /// - Returns: false when the key is taken.
    static func claim(
        _ key: String,
        of account: AccountID,
        fingerprint: [UInt8],
        for post: PostID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO idempotency_keys AS k (account_id, key, request_hash, post_id, created_at)
            VALUES (\(account), \(key), sha256(\(fingerprint)), \(post), \(now))
            ON CONFLICT (account_id, key) DO UPDATE
            SET request_hash = excluded.request_hash, post_id = excluded.post_id, created_at = excluded.created_at
            WHERE k.created_at < \(now - lifetime)
            """
        ).affected > 0
    }

    /// The post that was made with a key, and whether the request was the same.
    static func claimed(
        _ key: String,
        of account: AccountID,
        fingerprint: [UInt8],
        in transaction: some Transacting
    ) async throws -> (post: PostID, isSame: Bool)? {
        try await transaction.query(
            """
            SELECT post_id, request_hash = sha256(\(fingerprint))
            FROM idempotency_keys
            WHERE account_id = \(account) AND key = \(key)
            """
        ).one { (try $0.next(), try $0.next()) }
    }

    static let aged = AgedRows(of: "idempotency_keys", by: "account_id, key", since: "created_at")
}
