// SPDX-License-Identifier: Apache-2.0
// The SQL of `taken_tokens`.

import Domain
import Postgres
import Serving

/// Tokens of issuers that were taken.
enum TakenTokenStore {
    /// False when it was taken before. Whoever comes at the same moment waits for the other's end.
    static func take(_ hash: [UInt8], until expires: Timestamp, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO taken_tokens (hash, expires_at)
            VALUES (\(hash), \(expires))
            ON CONFLICT (hash) DO NOTHING
            """
        ).affected == 1
    }

    static let aged = AgedRows(of: "taken_tokens", by: "hash", since: "expires_at")
}
