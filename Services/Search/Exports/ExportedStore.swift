// SPDX-License-Identifier: Apache-2.0
// The SQL of what search hands over of somebody.

import Domain
import Outbox
import Postgres

enum ExportedStore {
    static func profile(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.query(
            """
            SELECT json_build_object(
                'handle', a.handle, 'indexable', a.indexable, 'is_suggested', a.is_suggested,
                'hides_follows', a.hides_follows, 'languages', a.languages, 'language', a.language
            )::text
            FROM accounts a WHERE a.id = \(account)
            """
        ).one { try $0.next() }
    }
}
