// SPDX-License-Identifier: Apache-2.0
// How an account is read from a row.

import Domain
import Events
import Foundation
public import Postgres
import Serving

extension AccountSnapshot: Columned {
    /// The columns of `accounts a` that `init(columns:)` reads.
    static let columns: SQL = columns("a.")

    /// The same columns under a prefix: of another alias, or of one of the accounts of the view `entries`.
    static func columns(_ prefix: SQL) -> SQL {
        """
        \(prefix)id, \(prefix)username, \(prefix)display_name, \(prefix)note, \(prefix)fields, \(prefix)locked,
        \(prefix)bot, \(prefix)discoverable, \(prefix)created_at, \(prefix)last_post_at, \(prefix)posts_count,
        \(prefix)followers_count, \(prefix)following_count, \(prefix)version, \(prefix)extras
        """
    }

    init(columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            username: try columns.next(),
            displayName: try columns.next(),
            note: try columns.next(),
            fields: try AccountSnapshot.fields(columns.next(JSONB.self).json),
            locked: try columns.next(),
            bot: try columns.next(),
            discoverable: try columns.next(),
            createdAt: try columns.next(),
            lastPostAt: try columns.next(),
            postsCount: try columns.next(),
            followersCount: try columns.next(),
            followingCount: try columns.next(),
            version: try columns.next(),
            extras: try columns.next()
        )
    }

    /// Most people fill in no fields; then there is nothing to decode.
    private static func fields(_ json: [UInt8]) throws -> [ProfileField] {
        json.count <= 2 ? [] : try JSONDecoder().decode([ProfileField].self, from: Data(json))
    }
}
